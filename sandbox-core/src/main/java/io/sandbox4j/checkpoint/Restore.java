package io.sandbox4j.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;

/**
 * Writes entries into a workspace, by one command inside the sandbox, and compares what
 * is there afterwards with what should be.
 */
final class Restore {

	// A directory that its owner may not write could not be emptied.
	private static final String SCRIPT = """
			set -u
			cd /workspace || exit 1
			if [ "$1" != replace ] && [ -n "$(find . -mindepth 1 -maxdepth 1 -printf x -quit)" ]; then exit 13; fi
			printf 'ready\\0'
			read -r go || exit 1
			if [ "$1" = replace ]; then
				find . -type d ! -perm -0700 -exec chmod u+rwx -- {} \\; || exit 1
				find . -mindepth 1 -maxdepth 1 -exec rm -rf -- {} + || exit 1
			fi
			umask 077
			tar --extract --file=- --preserve-permissions --no-same-owner --delay-directory-restore || exit 1
			find . -printf '%s' || exit 1
			printf 'end\\0'
			""".formatted(Listing.FORMAT);

	private static final String DONE = "restored";

	private final SandboxSession session;

	private final CheckpointLimits limits;

	private final Blobs blobs;

	Restore(SandboxSession session, CheckpointLimits limits, Blobs blobs) {
		this.session = session;
		this.limits = limits;
		this.blobs = blobs;
	}

	/**
	 * Proves that the store has all of the content, before anything is removed.
	 * @param entries the entries
	 */
	void requireContent(List<Entry> entries) {
		Set<Digest> wanted = new HashSet<>();
		entries.forEach((entry) -> entry.extents().forEach((extent) -> wanted.add(extent.digest())));
		if (!this.blobs.missing(wanted).isEmpty()) {
			this.blobs.refresh();
			if (!this.blobs.missing(wanted).isEmpty()) {
				throw Failures.damaged("content of the checkpoint is missing");
			}
		}
	}

	/**
	 * Writes the entries.
	 * @param entries the entries
	 * @param replace whether what is there is removed first
	 * @param beginning is run before anything is changed
	 */
	void run(List<Entry> entries, boolean replace, Runnable beginning) {
		try (GuestCommand command = new GuestCommand(this.session, this.limits.timeout(), SCRIPT,
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
	}

	private void write(OutputStream input, List<Entry> entries) throws IOException {
		OutputStream buffered = new BufferedOutputStream(input, 65_536);
		buffered.write('\n');
		TarWriter tar = new TarWriter(buffered, this.blobs, ".");
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
