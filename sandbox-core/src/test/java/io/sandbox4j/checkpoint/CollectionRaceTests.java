package io.sandbox4j.checkpoint;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Captures, retention and collections at once, each with a store of its own over one
 * directory.
 */
class CollectionRaceTests {

	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("sandbox.test.kills", 20) / 5);

	@TempDir
	Path directory;

	@Test
	void noCheckpointThatCountsEverLacksContent() throws Exception {
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<Future<Integer>> workers = threads.invokeAll(IntStream.range(0, 6).mapToObj(this::worker).toList());
			for (Future<Integer> worker : workers) {
				assertThat(worker.get()).as("rounds of a worker").isPositive();
			}
		}
		finally {
			threads.shutdownNow();
		}
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory)).build();
		for (int lineage = 0; lineage < 4; lineage++) {
			List<Checkpoint> listed = checkpoints.list("l" + lineage);
			assertThat(listed).isNotEmpty();
			listed.forEach((checkpoint) -> checkpoints.verify(checkpoint.id()));
			checkpoints.removeAll("l" + lineage);
		}
		checkpoints.collect();
		checkpoints.collect();
		assertThat(FileSnapshotStore.open(this.directory).list("packs")).isEmpty();
	}

	// Four capture and verify, two collect.
	private Callable<Integer> worker(int number) {
		return () -> {
			FileSnapshotStore store = FileSnapshotStore.open(this.directory);
			Checkpoints checkpoints = Checkpoints.builder(store).build();
			WrittenCheckpoints written = new WrittenCheckpoints(store);
			Random random = new Random(number);
			long end = System.nanoTime() + TIME.toNanos();
			int rounds = 0;
			while (System.nanoTime() < end) {
				if (number >= 4) {
					checkpoints.collect();
				}
				else {
					String lineage = "l" + number;
					Map<String, byte[]> files = new HashMap<>();
					for (int i = 0; i < 8; i++) {
						files.put("f" + i, WrittenCheckpoints.random(random.nextInt(20), 2000));
					}
					Checkpoint checkpoint = written.write(lineage, files);
					checkpoints.verify(checkpoint.id());
					checkpoints.retain(lineage, Retention.keepLast(1 + random.nextInt(3)));
				}
				rounds++;
			}
			return rounds;
		};
	}

}
