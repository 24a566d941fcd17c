package io.sandbox4j.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;

/**
 * Writes entries into a workspace. They are written beside what is there and compared
 * with what should be; then all that is there makes place for them. Wherever that is cut
 * off, {@link #recover} leaves the old workspace or the new one, and nothing between.
 */
final class Restore {

	private static final String DONE = "restored";

	// What is of the workspace itself is noted before anything is made in it.
	private static final String PREPARE = """
			set -u
			umask 077
			cd /workspace || exit 1
			: >/tmp/root && touch -r . /tmp/root && chmod --reference=. /tmp/root && chmod u+rwx . || exit 1
			back() { chmod --reference=/tmp/root . && touch -r /tmp/root .; exit "$1"; }
			if [ "$2" != replace ] && [ -n "$(find . -mindepth 1 -maxdepth 1 -printf x -quit)" ]; then back 13; fi
			printf 'ready\\0'
			read -r go || back 1
			mkdir "$1" "$1/new" "$1/old" || exit 1
			: >"$1/root" && touch -r /tmp/root "$1/root" && chmod --reference=/tmp/root "$1/root" || exit 1
			cd "$1/new" || exit 1
			tar --extract --file=- --preserve-permissions --no-same-owner --delay-directory-restore || exit 1
			find . -printf '%s' || exit 1
			printf 'end\\0'
			""".formatted(Listing.FORMAT);

	// Old goes out, then 'new' is renamed, then new comes in, then all is renamed: the
	// names tell how far it came. A directory that its owner may not write cannot be
	// moved, so its mode is noted and set again. A name that came in between is kept.
	private static final String FINISH = """
			set -u
			umask 077
			cd /workspace || exit 1
			[ -d "$1" ] || [ -d "$1.done" ] || exit 0
			chmod u+rwx . || exit 1
			loosen() {
				find "$1" -mindepth 1 -maxdepth 1 -type d ! -perm -0200 -printf '%m\\0./%P\\0' >"$2.part" &&
					mv "$2.part" "$2" || exit 1
				find "$1" -mindepth 1 -maxdepth 1 -type d ! -perm -0200 -exec chmod u+w -- {} + || exit 1
			}
			into() { find "$1" -mindepth 1 -maxdepth 1 -exec mv --backup=numbered -t . -- {} + || exit 1; }
			tighten() { if [ -s "$1" ]; then xargs -0 -n 2 chmod -- <"$1" || exit 1; fi; }
			leave() {
				[ -d "$1" ] && { mv "$1" "$1.done" || exit 1; }
				for part in new old in; do
					if [ -d "$1.done/$part" ]; then
						find "$1.done/$part" -type d ! -perm -0700 -exec chmod u+rwx -- {} \\; || exit 1
						rm -rf "$1.done/$part" || exit 1
					fi
				done
				: >/tmp/root
				[ -e "$1.done/root" ] || chmod --reference=. /tmp/root
				[ ! -e "$1.done/root" ] || { touch -r "$1.done/root" /tmp/root; chmod --reference="$1.done/root" /tmp/root; }
				rm -rf "$1.done" || exit 1
				chmod --reference=/tmp/root . && touch -r /tmp/root . || exit 1
				exit 0
			}
			[ ! -d "$1.done" ] || leave "$1"
			if [ "$2" = commit ]; then
				: >"$1/root.new" && touch -r "$1/new" "$1/root.new" && chmod --reference="$1/new" "$1/root.new" || exit 1
				chmod u+rwx "$1/new" || exit 1
				loosen "$1/new" "$1/modes.new"
				loosen . "$1/modes.old"
				find . -mindepth 1 -maxdepth 1 ! -name "$1" -exec mv -t "$1/old" -- {} + || exit 1
				mv "$1/new" "$1/in" || exit 1
			fi
			if [ -d "$1/in" ]; then
				into "$1/in"
				tighten "$1/modes.new"
				mv "$1/root.new" "$1/root" 2>/dev/null
			elif [ -d "$1/old" ]; then
				into "$1/old"
				tighten "$1/modes.old"
			fi
			leave "$1"
			""";

	private final SandboxSession session;

	private final CheckpointLimits limits;

	private final Blobs blobs;

	Restore(SandboxSession session, CheckpointLimits limits, Blobs blobs) {
		this.session = session;
		this.limits = limits;
		this.blobs = blobs;
	}

	/**
	 * Writes the entries. Changes nothing of the workspace that is seen unless all of
	 * them could be written.
	 * @param entries the entries
	 * @param replace whether what is there is removed
	 * @param directory a name in the workspace that nobody else knows
	 * @param beginning is run before anything is written
	 */
	void run(List<Entry> entries, boolean replace, String directory, Runnable beginning) {
		try (GuestCommand command = new GuestCommand(this.session, this.limits.timeout(), PREPARE, directory,
				replace ? "replace" : "empty")) {
			try {
				command.output().word();
				beginning.run();
				command.send((input) -> write(input, entries));
				compare(entries, Listing.read(command.output(), this.limits.maxFiles()));
			}
			catch (IOException ex) {
				throw command.failed(ex, DONE);
			}
			command.finish(DONE);
		}
		finish(directory, "commit");
	}

	/**
	 * Finishes a restore that was cut off while the workspace changed, and undoes one
	 * that was cut off before.
	 * @param directory its name in the workspace
	 */
	void recover(String directory) {
		finish(directory, "recover");
	}

	private void finish(String directory, String how) {
		try (GuestCommand command = new GuestCommand(this.session, this.limits.timeout(), FINISH, directory, how)) {
			command.send(OutputStream::flush);
			command.finish(DONE);
		}
	}

	private void write(OutputStream input, List<Entry> entries) throws IOException {
		OutputStream buffered = new BufferedOutputStream(input, 65_536);
		buffered.write('\n');
		TarWriter tar = new TarWriter(buffered, this.blobs, ".", false);
		for (Entry entry : entries) {
			tar.add(entry);
		}
		tar.finish();
		buffered.flush();
	}

	private static void compare(List<Entry> entries, Listing listing) {
		if (entries.size() != listing.entries().size()) {
			throw different("the number of files");
		}
		Map<String, Listed> files = new HashMap<>();
		for (int i = 0; i < entries.size(); i++) {
			Entry entry = entries.get(i);
			Listed listed = listing.entries().get(i);
			files.put(listed.path(), listed);
			if (!entry.path().equals(listed.path()) || entry.mode() != listed.mode()
					|| !entry.modified().equals(listed.modified()) || !same(entry, listed, files)) {
				throw different("'" + Entry.shown(entry.path()) + "'");
			}
		}
	}

	private static boolean same(Entry entry, Listed listed, Map<String, Listed> files) {
		return switch (entry.type()) {
			case DIRECTORY -> listed.type() == 'd';
			case LINK -> listed.type() == 'l' && entry.target().equals(listed.target());
			case FILE -> listed.isFile() && entry.size() == listed.size();
			case HARD_LINK -> {
				Listed first = files.get(entry.target());
				yield first != null && listed.isFile() && first.inode() == listed.inode();
			}
		};
	}

	private static SandboxException different(String what) {
		return Failures.mismatch("The restored workspace differs from the checkpoint in " + what
				+ ". A command may have run meanwhile, or the file system cannot hold it. Restore again.");
	}

}
