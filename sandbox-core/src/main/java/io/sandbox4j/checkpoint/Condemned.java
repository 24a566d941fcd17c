package io.sandbox4j.checkpoint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.sandbox4j.checkpoint.CheckpointDocument.Documents;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a collection is about to remove. From the moment that this is written nobody who
 * begins relies on it.
 *
 * @param format {@link #FORMAT}
 * @param packs packs, by their short names
 * @param checkpoints ids of checkpoints that do not count
 */
record Condemned(int format, List<String> packs, List<String> checkpoints) {

	static final int FORMAT = 1;

	private static final String NAMES = "condemned";

	Condemned {
		packs = List.copyOf(packs);
		checkpoints = List.copyOf(checkpoints);
	}

	// The names of the collections that wrote some.
	static List<String> runs(SnapshotStore store) {
		return store.list(NAMES).stream().map((name) -> name.substring(NAMES.length() + 1)).toList();
	}

	static Set<String> packs(SnapshotStore store) {
		Set<String> packs = new HashSet<>();
		for (String run : runs(store)) {
			Condemned condemned = read(store, run);
			if (condemned != null) {
				packs.addAll(condemned.packs());
			}
		}
		return packs;
	}

	static @Nullable Condemned read(SnapshotStore store, String run) {
		byte[] content = Marker.content(store, NAMES + "/" + run);
		return (content != null)
				? Documents.read(content, FORMAT, Condemned.class, "What the collection '" + run + "' condemned")
				: null;
	}

	void write(SnapshotStore store, String run) {
		Marker.write(store, NAMES + "/" + run, JsonMapper.shared().writeValueAsBytes(this));
	}

	static void remove(SnapshotStore store, String run) {
		store.delete(NAMES + "/" + run);
	}

	/**
	 * The captures that went on when a collection had condemned something: until they
	 * have ended nothing of it is removed.
	 *
	 * @param format {@link #FORMAT}
	 * @param tokens the captures
	 */
	record Awaited(int format, List<String> tokens) {

		private static final String NAMES = "awaited";

		Awaited {
			tokens = List.copyOf(tokens);
		}

		static Awaited of(Set<String> tokens) {
			return new Awaited(FORMAT, new ArrayList<>(tokens));
		}

		static @Nullable Awaited read(SnapshotStore store, String run) {
			byte[] content = Marker.content(store, NAMES + "/" + run);
			return (content != null)
					? Documents.read(content, FORMAT, Awaited.class, "What the collection '" + run + "' awaits") : null;
		}

		void write(SnapshotStore store, String run) {
			Marker.write(store, NAMES + "/" + run, JsonMapper.shared().writeValueAsBytes(this));
		}

		static void remove(SnapshotStore store, String run) {
			store.delete(NAMES + "/" + run);
		}

	}

}
