package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TrashTests {

	@TempDir
	Path temporary;

	private Path directory;

	@BeforeEach
	void setUp() throws Exception {
		this.directory = Files.createDirectory(this.temporary.resolve("trash"));
	}

	@Test
	void discardedTreeIsGoneAtOnceAndEmptiedLater() throws Exception {
		try (Trash trash = new Trash(this.directory, Duration.ofMillis(100))) {
			Path tree = tree();
			assertThat(trash.discard(tree)).isTrue();
			assertThat(tree).doesNotExist();
			await().untilAsserted(() -> assertThat(this.directory).isEmptyDirectory());
		}
	}

	@Test
	void missingTreeIsTold() throws Exception {
		try (Trash trash = new Trash(this.directory, Duration.ZERO)) {
			assertThat(trash.discard(this.temporary.resolve("missing"))).isFalse();
		}
	}

	@Test
	void linksAreRemovedAndNotFollowed() throws Exception {
		Path outside = Files.createDirectory(this.temporary.resolve("outside"));
		Files.writeString(outside.resolve("kept"), "kept");
		Path tree = tree();
		Files.createSymbolicLink(tree.resolve("link"), outside);
		Files.createSymbolicLink(tree.resolve("dangling"), Path.of("/does/not/exist"));
		try (Trash trash = new Trash(this.directory, Duration.ZERO)) {
			trash.discard(tree);
			await().untilAsserted(() -> assertThat(this.directory).isEmptyDirectory());
		}
		assertThat(outside.resolve("kept")).exists();
	}

	@Test
	void closedDirectoriesAreOpened() throws Exception {
		Path tree = tree();
		Path closed = Files.createDirectories(tree.resolve("closed/inner"));
		Files.writeString(closed.resolve("file"), "x");
		Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r--------"));
		Files.setPosixFilePermissions(closed.getParent(), PosixFilePermissions.fromString("---------"));
		try (Trash trash = new Trash(this.directory, Duration.ZERO)) {
			trash.discard(tree);
			await().untilAsserted(() -> assertThat(this.directory).isEmptyDirectory());
		}
	}

	@Test
	void treeDeeperThanAPathCanNameIsRemoved() throws Exception {
		Path tree = tree();
		Process process = new ProcessBuilder("bash", "-c",
				"d=$(printf 'd%.0s' {1..200}); for i in {1..60}; do mkdir $d; cd -P $d 2>/dev/null || exit 1; done; echo x > f")
			.directory(tree.toFile())
			.start();
		assertThat(process.waitFor()).isZero();
		try (Trash trash = new Trash(this.directory, Duration.ZERO)) {
			trash.discard(tree);
			await().untilAsserted(() -> assertThat(this.directory).isEmptyDirectory());
		}
	}

	@Test
	void closeLeavesTheRestForTheNextStart() throws Exception {
		try (Trash trash = new Trash(this.directory, Duration.ofHours(1))) {
			trash.discard(tree());
		}
		assertThat(this.directory).isNotEmptyDirectory();
		try (Trash next = new Trash(this.directory, Duration.ZERO)) {
			assertThat(next.collect()).isOne();
			await().untilAsserted(() -> assertThat(this.directory).isEmptyDirectory());
		}
	}

	@Test
	void closeEndsTheThread() throws Exception {
		Trash trash = new Trash(this.directory, Duration.ofHours(1));
		trash.discard(tree());
		trash.close();
		trash.close();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.noneMatch((thread) -> thread.getName().equals("sandbox-trash") && thread.isAlive()));
	}

	@Test
	void discardingAfterCloseStillRemoves() throws Exception {
		Trash trash = new Trash(this.directory, Duration.ZERO);
		trash.close();
		Path tree = tree();
		trash.discard(tree);
		assertThat(tree).doesNotExist();
	}

	@Test
	void twoThatEmptyTheSameTreeDoNotFail() throws Exception {
		for (int i = 0; i < 20; i++) {
			Path tree = Files.createDirectory(this.directory.resolve("entry-" + i));
			for (int j = 0; j < 50; j++) {
				Files.writeString(Files.createDirectories(tree.resolve("d" + j % 7)).resolve("f" + j), "x");
			}
		}
		try (Trash one = new Trash(this.directory, Duration.ZERO);
				Trash two = new Trash(this.directory, Duration.ZERO)) {
			one.collect();
			two.collect();
			await().untilAsserted(() -> assertThat(this.directory).isEmptyDirectory());
		}
	}

	private Path tree() throws Exception {
		Path tree = Files.createDirectory(this.temporary.resolve("tree"));
		Files.writeString(Files.createDirectories(tree.resolve("a/b")).resolve("file"), "x");
		return tree;
	}

}
