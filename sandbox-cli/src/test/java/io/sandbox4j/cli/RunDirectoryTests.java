package io.sandbox4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunDirectory}.
 */
class RunDirectoryTests {

	@TempDir
	Path base;

	@Test
	void canBeSearchedButNotReadByOthers() throws IOException {
		try (RunDirectory directory = RunDirectory.create(this.base)) {
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
				.isEqualTo("rwx--x--x");
		}
	}

	@Test
	void removesClosedDirectoriesAndNothingBehindLinks() throws IOException {
		Path outside = Files.writeString(this.base.resolve("outside"), "kept");
		RunDirectory directory = RunDirectory.create(this.base);
		Path closed = Files.createDirectories(directory.path().resolve("a/b/closed"));
		Files.createFile(closed.resolve("file"));
		Files.createSymbolicLink(closed.resolve("link"), outside);
		Files.createSymbolicLink(closed.resolve("up"), this.base);
		Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
		directory.close();
		assertThat(this.base).isDirectoryContaining((path) -> path.equals(outside));
		assertThat(directory.path()).doesNotExist();
		assertThat(outside).hasContent("kept");
	}

	@Test
	void removesWhatAKilledRunLeft() throws IOException {
		Path leftover = Files.createDirectory(this.base.resolve("sandbox4j-run-1"));
		Files.createFile(leftover.resolve("lock"));
		RunDirectory.create(this.base).close();
		assertThat(this.base).isEmptyDirectory();
	}

	@Test
	void leavesWhatIsNotALeftover() throws IOException {
		// A directory without its lock is one that is being made.
		Path begun = Files.createDirectory(this.base.resolve("sandbox4j-run-2"));
		Files.createFile(begun.resolve("lock.new"));
		Path other = Files.createDirectory(this.base.resolve("other"));
		Files.createFile(other.resolve("lock"));
		Path link = Files.createSymbolicLink(this.base.resolve("sandbox4j-run-3"), other);
		RunDirectory.create(this.base).close();
		assertThat(begun).exists();
		assertThat(other.resolve("lock")).exists();
		assertThat(link).isSymbolicLink();
	}

	@Test
	void keepsOtherProcessesFromRemovingIt() throws Exception {
		Path free = Files.createFile(this.base.resolve("free"));
		try (RunDirectory directory = RunDirectory.create(this.base)) {
			assertThat(anotherProcessCanLock(free)).isTrue();
			assertThat(anotherProcessCanLock(directory.path().resolve("lock"))).isFalse();
		}
	}

	private static boolean anotherProcessCanLock(Path file) throws Exception {
		String script = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)";
		return new ProcessBuilder("python3", "-c", script, file.toString()).start().waitFor() == 0;
	}

}
