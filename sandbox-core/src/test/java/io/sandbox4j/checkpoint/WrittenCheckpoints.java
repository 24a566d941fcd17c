package io.sandbox4j.checkpoint;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Checkpoints that are written as a capture writes them, without a sandbox.
 */
final class WrittenCheckpoints {

	private final SnapshotStore store;

	private final InstantSource clock;

	WrittenCheckpoints(SnapshotStore store) {
		this(store, InstantSource.system());
	}

	WrittenCheckpoints(SnapshotStore store, InstantSource clock) {
		this.store = store;
		this.clock = clock;
	}

	Checkpoint write(String lineage, Map<String, byte[]> files) {
		try (Publication publication = begin(lineage)) {
			return publish(publication, files);
		}
	}

	Checkpoint write(String lineage, List<Entry> entries, Map<Digest, byte[]> contents) {
		try (Publication publication = begin(lineage)) {
			contents.values().forEach((content) -> publication.pack().add(content, content.length));
			return publication.publish("key", entries, List.of(), null);
		}
	}

	Publication begin(String lineage) {
		return new Publication(this.store, new Blobs(this.store), new Lineages(this.store, this.clock), lineage,
				"session", this.clock.instant());
	}

	Checkpoint publish(Publication publication, Map<String, byte[]> files) {
		List<Entry> entries = entries(publication.pack(), files);
		return publication.publish("key", entries, List.of(), null);
	}

	static List<Entry> entries(PackWriter pack, Map<String, byte[]> files) {
		List<Entry> entries = new ArrayList<>();
		entries.add(Entry.directory("", 0755, Instant.EPOCH));
		new TreeMap<>(files).forEach((path, content) -> {
			Extent extent = new Extent(0, content.length, pack.add(content, content.length));
			entries.add(Entry.file(path, 0644, Instant.EPOCH, content.length, List.of(extent)));
		});
		return entries;
	}

	static byte[] random(int seed, int length) {
		byte[] bytes = new byte[length];
		new Random(seed).nextBytes(bytes);
		return bytes;
	}

	static byte[] text(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
