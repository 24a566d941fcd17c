package io.sandbox4j.install;

import java.util.List;

/**
 * The records of one session in a store.
 */
final class InstallLedger {

	private final InstallStore store;

	private final String sessionId;

	InstallLedger(InstallStore store, String sessionId) {
		this.store = store;
		this.sessionId = sessionId;
	}

	List<String> directories() {
		return this.store.list(this.sessionId).stream().map((entry) -> entry.key().directory()).toList();
	}

	Page load(String directory) {
		InstallStore.Entry entry = this.store.load(new InstallKey(this.sessionId, directory));
		return (entry != null) ? new Page(directory, entry.generation(), InstallRecord.parse(entry.document()))
				: new Page(directory, 0, InstallRecord.IDLE);
	}

	/**
	 * Writes a record over the one that was read.
	 * @param page what was read
	 * @param next the record
	 * @return what is there now: the new record, or that of whoever was first
	 */
	Page write(Page page, InstallRecord next) {
		InstallKey key = new InstallKey(this.sessionId, page.directory());
		if (this.store.replace(key, page.generation(), next.document())) {
			return new Page(page.directory(), page.generation() + 1, next);
		}
		return load(page.directory());
	}

	/**
	 * A record as it was read.
	 *
	 * @param directory the directory
	 * @param generation its generation; zero if there is none yet
	 * @param record the record
	 */
	record Page(String directory, long generation, InstallRecord record) {

		Page shownAs(InstallRecord other) {
			return new Page(this.directory, this.generation, other);
		}

	}

}
