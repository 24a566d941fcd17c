package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads and processes share a directory; whatever is read is whole.
 */
class ArtifactConcurrencyTests {

	private static final int THREADS = 8;

	private static final int ROUNDS = 300;

	private static final long QUOTA = 64 << 10;

	private static final List<String> SESSIONS = List.of("one", "two", "three");

	@TempDir
	Path directory;

	// What was put, with its session and its seed.
	private final ConcurrentHashMap<String, Artifact> known = new ConcurrentHashMap<>();

	@Test
	void threadsShareAStore() throws Exception {
		FileArtifactStore store = open(InstantSource.system());
		run((thread) -> store);
		assertNothingUnfinished();
		for (String session : SESSIONS) {
			assertThat(bytes(session)).isLessThanOrEqualTo(QUOTA);
		}
	}

	@Test
	void processesShareADirectory() throws Exception {
		FileArtifactStore one = open(InstantSource.system());
		FileArtifactStore other = open(InstantSource.system());
		run((thread) -> (thread % 2 == 0) ? one : other);
		assertNothingUnfinished();
		assertThat(one.put("one", new byte[(int) QUOTA])).isNotEmpty();
		assertThat(bytes("one")).isEqualTo(QUOTA);
	}

	@Test
	void aProcessThatSweepsAllTheTimeBreaksNoOther() throws Exception {
		FileArtifactStore store = open(InstantSource.system());
		MovableClock future = new MovableClock();
		// All that another writes is older than it may be, for this one.
		future.advance(Duration.ofDays(2));
		run((thread) -> (thread == 0) ? open(future) : store);
		assertNothingUnfinished();
	}

	@Test
	void aSecondStoreSeesAndRemovesWhatTheFirstKeeps() {
		FileArtifactStore one = open(InstantSource.system());
		FileArtifactStore other = open(InstantSource.system());
		String reference = one.put("one", content(7));
		assertThat(other.read("one", reference, 0, Integer.MAX_VALUE).bytes()).isEqualTo(content(7));
		other.removeSession("one");
		one.removeSession("one");
		assertThat(read(one, "one", reference)).isNull();
		assertThat(one.put("one", content(8))).isNotEqualTo(reference);
	}

	private FileArtifactStore open(InstantSource clock) {
		return FileArtifactStore.builder(this.directory).quotaBytes(QUOTA).clock(clock).build();
	}

	private void run(Stores stores) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Callable<Void>> tasks = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int thread = i;
				tasks.add(() -> {
					for (int round = 0; round < ROUNDS; round++) {
						step(stores.of(thread));
					}
					return null;
				});
			}
			for (Future<Void> task : threads.invokeAll(tasks, 2, TimeUnit.MINUTES)) {
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void step(FileArtifactStore store) throws IOException {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		String session = SESSIONS.get(random.nextInt(SESSIONS.size()));
		int choice = random.nextInt(10);
		if (choice == 0) {
			store.removeSession(session);
		}
		else if (choice < 5) {
			int seed = random.nextInt(1 << 12);
			this.known.put(store.put(session, content(seed)), new Artifact(session, seed));
		}
		else {
			for (String reference : this.known.keySet().stream().limit(20).toList()) {
				Artifact artifact = this.known.get(reference);
				byte[] found = (artifact != null) ? read(store, artifact.session(), reference) : null;
				if (found == null) {
					this.known.remove(reference);
				}
				else {
					assertThat(found).isEqualTo(content(artifact.seed()));
				}
			}
		}
	}

	private static byte[] read(FileArtifactStore store, String session, String reference) {
		try (InputStream stream = store.open(session, reference)) {
			byte[] streamed = stream.readAllBytes();
			byte[] read = store.read(session, reference, 0, Integer.MAX_VALUE).bytes();
			assertThat(read).isEqualTo(streamed);
			return read;
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND);
			return null;
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	// The size follows from the seed too, so a part of an output is not taken for it.
	private static byte[] content(int seed) {
		byte[] content = new byte[8 + seed];
		Arrays.fill(content, (byte) seed);
		ByteBuffer.wrap(content).putLong(seed);
		return content;
	}

	private long bytes(String session) throws IOException {
		try (Stream<Path> files = Files.walk(this.directory.resolve(session))) {
			return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
		}
		catch (NoSuchFileException ex) {
			return 0;
		}
	}

	private void assertNothingUnfinished() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory)) {
			assertThat(files.filter(Files::isRegularFile))
				.allMatch((file) -> SessionArtifacts.isReference(file.getFileName().toString()));
		}
	}

	private interface Stores {

		FileArtifactStore of(int thread);

	}

	private record Artifact(String session, int seed) {

	}

}
