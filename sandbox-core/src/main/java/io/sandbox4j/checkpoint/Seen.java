package io.sandbox4j.checkpoint;

import java.util.List;

import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.Lineage.Known;
import io.sandbox4j.checkpoint.Manifest.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What a capture saw of a workspace.
 *
 * @param entries the entries, sorted by path
 * @param stats what the kernel said of each
 */
record Seen(List<Entry> entries, List<Stat> stats) {

	static final Seen NOTHING = new Seen(List.of(), List.of());

	Seen {
		entries = List.copyOf(entries);
		stats = List.copyOf(stats);
	}

	// What cannot be read any more makes a capture slower, not wrong.
	static Seen read(Blobs blobs, Known known) {
		try {
			List<Entry> entries = Manifest.read(blobs, Digest.parse(known.tree()));
			List<Stat> stats = Manifest.readStats(blobs, Digest.parse(known.stats()));
			return (entries.size() == stats.size()) ? new Seen(entries, stats) : NOTHING;
		}
		catch (SandboxException ex) {
			return NOTHING;
		}
	}

	int size() {
		return this.entries.size();
	}

	String path(int index) {
		return this.entries.get(index).path();
	}

	/**
	 * What was seen last, so that the next capture needs not read it.
	 *
	 * @param known what the store has of it
	 * @param seen what was seen
	 */
	record Last(@Nullable Known known, Seen seen) {

	}

}
