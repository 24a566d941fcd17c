package io.sandbox4j.install;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of one session in a store.
 */
final class InstallLedger {

	private static final Logger logger = LoggerFactory.getLogger(InstallLedger.class);

	private final InstallStore store;

	private final String sessionId;

	private final InstallListener listener;

	InstallLedger(InstallStore store, String sessionId, InstallListener listener) {
		this.store = store;
		this.sessionId = sessionId;
		this.listener = listener;
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
			if (page.record().isRunning() || next.status() == InstallRecord.Status.SKIPPED) {
				tell(page.directory(), next);
			}
			return new Page(page.directory(), page.generation() + 1, next);
		}
		return load(page.directory());
	}

	private void tell(String directory, InstallRecord settled) {
		try {
			this.listener.onSettled(this.sessionId, directory, settled.state(null));
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of installs failed for session {}", this.sessionId, ex);
		}
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
