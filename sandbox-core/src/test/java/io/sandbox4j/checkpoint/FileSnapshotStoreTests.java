package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a store in a directory promises beyond the contract of all stores.
 */
class FileSnapshotStoreTests {

	@TempDir
	Path directory;

	@Test
	void nobodyElseMayReadIt() throws IOException {
		FileSnapshotStore store = FileSnapshotStore.open(this.directory.resolve("deep/store"));
		try (SnapshotUpload upload = store.create("packs/p")) {
			upload.write(1);
			upload.commit();
		}
		store.compareAndSet("lineages/l", null, new byte[0]);
		try (Stream<Path> all = Files.walk(this.directory.resolve("deep"))) {
			for (Path path : all.toList()) {
				assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).as(path.toString())
					.endsWith("------");
			}
		}
	}

	@Test
	void aDirectoryThatOthersMayWriteIsRefused() throws IOException {
		Path open = Files.createDirectory(this.directory.resolve("open"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> FileSnapshotStore.open(open))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void aFileInItsPlaceIsRefused() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> FileSnapshotStore.open(file))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void whatMustSurviveAPowerFailureReadsAsTheRest() {
		FileSnapshotStore store = FileSnapshotStore.open(this.directory.resolve("store"), true);
		Checkpoint checkpoint = new WrittenCheckpoints(store).write("a", Map.of("x", WrittenCheckpoints.text("1")));
		assertThat(Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store")))
			.build()
			.verify(checkpoint.id())).isEqualTo(checkpoint);
	}

	@Test
	void noChangeOfAReferenceIsLostAmongProcesses() throws Exception {
		Path root = this.directory.resolve("store");
		List<Process> children = List.of(child("count", root), child("count", root));
		for (Process child : children) {
			assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(child.exitValue()).as(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.isZero();
		}
		SnapshotRef ref = FileSnapshotStore.open(root).ref("r/count");
		assertThat(new String(ref.content(), StandardCharsets.UTF_8))
			.isEqualTo(String.valueOf(2 * StoreProcess.ROUNDS));
	}

	@Test
	void aProcessThatDiedHoldsNobodyUp() throws Exception {
		Path root = this.directory.resolve("store");
		Process child = child("count", root);
		FileSnapshotStore store = FileSnapshotStore.open(root);
		while (store.ref("r/count") == null) {
			Thread.onSpinWait();
		}
		child.destroyForcibly().waitFor();
		SnapshotRef ref = store.ref("r/count");
		assertThat(store.compareAndSet("r/count", ref.version(), new byte[0])).isTrue();
	}

	// A file system of 4 MiB in a namespace of its own.
	@Test
	@Tag("isolation")
	void aFullDiskStillTakesWhatTellsOfIt() throws Exception {
		Process child = new ProcessBuilder("bwrap", "--dev-bind", "/", "/", "--size", "4194304", "--tmpfs",
				Files.createDirectory(this.directory.resolve("small")).toString(), "--",
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), StoreProcess.class.getName(), "fill",
				this.directory.resolve("small/store").toString())
			.redirectErrorStream(true)
			.start();
		String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(child.waitFor()).as(said).isZero();
	}

	private static Process child(String what, Path root) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), StoreProcess.class.getName(), what, root.toString())
			.redirectErrorStream(true)
			.start();
	}

}
