package io.sandbox4j.checkpoint;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A restore that goes on or was cut off, as the store has it.
 *
 * @param id the checkpoint
 * @param directory the name in the workspace under which the restore prepares
 */
record Restoring(String id, String directory) {

	private static final String NAMES = "restoring";

	private static final String PREFIX = ".sandbox4j-";

	static Restoring begun(String id) {
		return new Restoring(id, PREFIX + StoreNames.random());
	}

	static @Nullable Restoring read(SnapshotStore store, String session) {
		byte[] content = Marker.content(store, name(session));
		if (content == null) {
			return null;
		}
		String[] words = new String(content, StandardCharsets.US_ASCII).split(" ");
		if (words.length != 2 || !words[1].matches("\\.sandbox4j-[0-9a-f]{32}")) {
			throw Failures.damaged("what it has of a restore of the session '" + session + "' cannot be read");
		}
		return new Restoring(words[0], words[1]);
	}

	void write(SnapshotStore store, String session) {
		Marker.write(store, name(session), (this.id + " " + this.directory).getBytes(StandardCharsets.US_ASCII));
	}

	static void remove(SnapshotStore store, String session) {
		store.delete(name(session));
	}

	private static String name(String session) {
		return NAMES + "/" + session;
	}

}
