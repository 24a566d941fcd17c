package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class CollectionTests {

	@TempDir
	Path directory;

	private FileSnapshotStore store;

	private Checkpoints checkpoints;

	private WrittenCheckpoints written;

	private Instant now = Instant.parse("2026-01-01T00:00:00Z");

	@BeforeEach
	void openStore() {
		this.store = FileSnapshotStore.open(this.directory.resolve("store"));
		this.checkpoints = Checkpoints.builder(this.store).clock(() -> this.now).build();
		this.written = new WrittenCheckpoints(this.store, () -> this.now);
	}

	@Test
	void whatNoCheckpointNeedsGoes() {
		Checkpoint first = this.written.write("a", Map.of("x", WrittenCheckpoints.random(1, 100_000)));
		Checkpoint second = this.written.write("a", Map.of("x", WrittenCheckpoints.random(2, 100_000)));
		assertThat(this.checkpoints.retain("a", Retention.keepLast(1))).containsExactly(first.id());
		CollectionResult result = this.checkpoints.collect();
		assertThat(result.removedPacks()).isEqualTo(1);
		assertThat(result.removedBytes()).isGreaterThan(100_000);
		assertThat(this.checkpoints.verify(second.id())).isEqualTo(second);
		assertThat(this.store.list("checkpoints")).containsExactly("checkpoints/" + second.id());
		assertNotFound(first.id());
	}

	@Test
	void whatAnotherLineageNeedsStays() {
		Map<String, byte[]> files = Map.of("x", WrittenCheckpoints.random(1, 100_000));
		this.written.write("a", files);
		Checkpoint other = this.written.write("b", files);
		assertThat(other.newBytes()).isLessThan(1000);
		this.checkpoints.removeAll("a");
		this.checkpoints.collect();
		assertThatNoException().isThrownBy(() -> this.checkpoints.verify(other.id()));
		this.checkpoints.removeAll("b");
		this.checkpoints.collect();
		assertThat(this.store.list("packs")).isEmpty();
		assertThat(this.store.list("checkpoints")).isEmpty();
	}

	@Test
	void aForkOutlivesItsOrigin() {
		Checkpoint origin = this.written.write("a", Map.of("x", WrittenCheckpoints.random(1, 100_000)));
		Checkpoint fork = this.checkpoints.fork(origin.id(), "b");
		assertThat(fork.newBytes()).isZero();
		assertThat(fork.parent()).isEqualTo(origin.id());
		assertThat(fork.key()).isEqualTo(origin.key());
		this.checkpoints.removeAll("a");
		this.checkpoints.collect();
		assertThat(this.checkpoints.latest("b")).isEqualTo(fork);
		assertThatNoException().isThrownBy(() -> this.checkpoints.verify(fork.id()));
		assertNotFound(origin.id());
	}

	@Test
	void aForkOfNothingLeavesNoTrace() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.checkpoints.fork("0".repeat(64), "b"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
		assertThat(this.store.refs("lineages")).isEmpty();
	}

	@Test
	void retentionKeepsTheNewestTheYoungAndThePinned() {
		Checkpoint pinned = this.written.write("a", Map.of("x", WrittenCheckpoints.text("1")));
		Checkpoint old = this.written.write("a", Map.of("x", WrittenCheckpoints.text("2")));
		this.now = this.now.plus(Duration.ofDays(2));
		Checkpoint young = this.written.write("a", Map.of("x", WrittenCheckpoints.text("3")));
		Checkpoint newest = this.written.write("a", Map.of("x", WrittenCheckpoints.text("4")));
		this.checkpoints.pin(pinned.id(), "release");
		assertThat(this.checkpoints.retain("a", Retention.keepLast(1).andNewerThan(Duration.ofDays(1))))
			.containsExactly(old.id());
		assertThat(this.checkpoints.list("a")).containsExactly(pinned, young, newest);
		this.checkpoints.unpin(pinned.id());
		assertThat(this.checkpoints.retain("a", Retention.keepLast(1))).containsExactly(pinned.id(), young.id());
	}

	@Test
	void theNewestIsKeptHoweverOld() {
		Checkpoint only = this.written.write("a", Map.of("x", WrittenCheckpoints.text("1")));
		this.now = this.now.plus(Duration.ofDays(1000));
		assertThat(this.checkpoints.retain("a", Retention.keepLast(1))).isEmpty();
		assertThat(this.checkpoints.latest("a")).isEqualTo(only);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> Retention.keepLast(0));
	}

	@Test
	void whatARunningCaptureReliesOnIsNotRemoved() {
		byte[] shared = WrittenCheckpoints.random(1, 100_000);
		this.written.write("a", Map.of("x", shared));
		try (Publication capture = this.written.begin("b")) {
			capture.pack().add(shared, shared.length);
			assertThat(capture.pack().bytes()).as("the capture relies on what is there").isZero();
			this.checkpoints.removeAll("a");
			assertThat(this.checkpoints.collect().deferred()).isEqualTo(1);
			Checkpoint published = this.written.publish(capture, Map.of("y", shared));
			this.checkpoints.collect();
			assertThatNoException().isThrownBy(() -> this.checkpoints.verify(published.id()));
		}
	}

	@Test
	void aCaptureThatBeginsDoesNotRelyOnWhatIsCondemned() {
		byte[] shared = WrittenCheckpoints.random(1, 100_000);
		this.written.write("a", Map.of("x", shared));
		Publication first = this.written.begin("b");
		this.checkpoints.removeAll("a");
		this.checkpoints.collect();
		try (Publication second = this.written.begin("c")) {
			Checkpoint published = this.written.publish(second, Map.of("y", shared));
			assertThat(published.newBytes()).isGreaterThan(100_000);
			first.close();
			assertThat(this.checkpoints.collect().removedPacks()).isEqualTo(1);
			assertThatNoException().isThrownBy(() -> this.checkpoints.verify(published.id()));
		}
	}

	@Test
	void aCaptureThatWasGivenUpMayNotPublish() {
		Publication slow = this.written.begin("a");
		this.now = this.now.plus(Duration.ofHours(7));
		this.checkpoints.collect();
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.written.publish(slow, Map.of("x", WrittenCheckpoints.text("1"))))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
		assertThat(this.checkpoints.list("a")).isEmpty();
		slow.close();
		this.checkpoints.collect();
		assertThat(this.store.list("packs")).isEmpty();
	}

	@Test
	void aCaptureThatBeganBeforeOneThatWasPublishedMayNotFollow() {
		Publication earlier = this.written.begin("a");
		Publication later = this.written.begin("a");
		Checkpoint newest = this.written.publish(later, Map.of("x", WrittenCheckpoints.text("2")));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.written.publish(earlier, Map.of("x", WrittenCheckpoints.text("1"))));
		assertThat(this.checkpoints.list("a")).containsExactly(newest);
	}

	@Test
	void aCaptureThatWasCutOffKeepsLatestFromNamingAnOlderOne() {
		this.written.write("a", Map.of("x", WrittenCheckpoints.text("1")));
		this.written.begin("a");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.checkpoints.latest("a"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
		Checkpoint next = this.written.write("a", Map.of("x", WrittenCheckpoints.text("2")));
		assertThat(this.checkpoints.latest("a")).isEqualTo(next);
	}

	@Test
	void aPackOfWhichLittleIsNeededIsWrittenAnew() throws IOException {
		Map<String, byte[]> files = new HashMap<>();
		for (int i = 0; i < 10; i++) {
			files.put("f" + i, WrittenCheckpoints.random(i, 50_000));
		}
		this.written.write("a", files);
		Checkpoint second = this.written.write("a", Map.of("f3", WrittenCheckpoints.random(3, 50_000)));
		this.checkpoints.retain("a", Retention.keepLast(1));
		assertThat(this.checkpoints.collect().rewrittenBytes()).isBetween(50_000L, 60_000L);
		assertThatNoException().isThrownBy(() -> this.checkpoints.verify(second.id()));
		assertThatNoException()
			.isThrownBy(() -> Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store")))
				.build()
				.verify(second.id()));
		assertThat(size()).isLessThan(70_000);
		CollectionResult again = this.checkpoints.collect();
		assertThat(again).isEqualTo(new CollectionResult(0, 0, 0, 0));
	}

	@Test
	void aDamagedStoreLosesNothing() throws IOException {
		Checkpoint first = this.written.write("a", Map.of("x", WrittenCheckpoints.random(1, 100_000)));
		Checkpoint second = this.written.write("b", Map.of("x", WrittenCheckpoints.random(2, 100_000)));
		this.checkpoints.removeAll("b");
		Files.delete(this.directory.resolve("store/objects/checkpoints").resolve(first.id()));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.checkpoints.collect());
		assertThat(this.store.list("packs")).hasSize(2);
		assertThat(this.store.list("checkpoints")).containsExactly("checkpoints/" + second.id());
	}

	@Test
	void aPackThatCannotBeReadGoesWhenNothingNeedsIt() throws IOException {
		this.written.write("a", Map.of("x", WrittenCheckpoints.random(1, 100_000)));
		this.checkpoints.removeAll("a");
		Files.write(this.directory.resolve("store/objects").resolve(this.store.list("packs").get(0)), new byte[5]);
		Checkpoints.builder(this.store).clock(() -> this.now).build().collect();
		assertThat(this.store.list("packs")).isEmpty();
	}

	@Test
	void whatUploadsLeftBehindGoes() throws IOException {
		SnapshotUpload left = this.store.create("packs/left");
		left.write(1);
		this.now = Instant.now().plus(Duration.ofHours(7));
		this.checkpoints.collect();
		try (Stream<Path> parts = Files.list(this.directory.resolve("store/incoming"))) {
			assertThat(parts).isEmpty();
		}
		left.close();
	}

	@Test
	void whereverACollectionIsCutOffTheNextFinishesIt() {
		for (int calls = 0;; calls++) {
			FileSnapshotStore fresh = FileSnapshotStore.open(this.directory.resolve("cut" + calls));
			WrittenCheckpoints writer = new WrittenCheckpoints(fresh);
			Map<String, byte[]> files = new HashMap<>();
			for (int i = 0; i < 5; i++) {
				files.put("f" + i, WrittenCheckpoints.random(i, 5000));
			}
			writer.write("a", files);
			writer.write("a", Map.of("z", WrittenCheckpoints.random(7, 5000)));
			Checkpoint kept = writer.write("a", Map.of("f3", WrittenCheckpoints.random(3, 5000)));
			Checkpoints.builder(fresh).build().retain("a", Retention.keepLast(1));
			boolean cut = isCut(Checkpoints.builder(new InterruptedStore(fresh, calls)).build()::collect);
			Checkpoints next = Checkpoints.builder(fresh).build();
			assertThatNoException().as("after " + calls).isThrownBy(() -> next.verify(kept.id()));
			next.collect();
			next.verify(kept.id());
			assertThat(next.collect()).as("after " + calls).isEqualTo(new CollectionResult(0, 0, 0, 0));
			assertThat(fresh.list("packs")).hasSizeLessThanOrEqualTo(2);
			assertThat(fresh.list("condemned")).isEmpty();
			assertThat(fresh.list("awaited")).isEmpty();
			if (!cut) {
				assertThat(calls).as("places that were tried").isGreaterThan(8);
				return;
			}
		}
	}

	@Test
	void whereverACaptureIsCutOffTheCheckpointBeforeStays() {
		for (int calls = 0;; calls++) {
			FileSnapshotStore fresh = FileSnapshotStore.open(this.directory.resolve("cut" + calls));
			Checkpoint before = new WrittenCheckpoints(fresh).write("a", Map.of("x", WrittenCheckpoints.text("1")));
			WrittenCheckpoints writer = new WrittenCheckpoints(new InterruptedStore(fresh, calls));
			boolean cut = isCut(() -> writer.write("a", Map.of("x", WrittenCheckpoints.text("2"))));
			Checkpoints next = Checkpoints.builder(fresh).build();
			List<Checkpoint> listed = next.list("a");
			assertThat(listed.get(0)).isEqualTo(before);
			listed.forEach((checkpoint) -> next.verify(checkpoint.id()));
			Checkpoint third = new WrittenCheckpoints(fresh).write("a", Map.of("x", WrittenCheckpoints.text("3")));
			assertThat(next.latest("a")).isEqualTo(third);
			next.collect();
			next.list("a").forEach((checkpoint) -> next.verify(checkpoint.id()));
			if (!cut) {
				assertThat(listed).hasSize(2);
				assertThat(calls).as("places that were tried").isGreaterThan(4);
				return;
			}
			assertThat(listed).hasSizeBetween(1, 2);
		}
	}

	private static boolean isCut(Runnable work) {
		try {
			work.run();
			return false;
		}
		catch (InterruptedStore.KilledError ex) {
			return true;
		}
	}

	private void assertNotFound(String id) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.checkpoints.get(id))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
	}

	private long size() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory.resolve("store/objects"))) {
			return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
		}
	}

}
