package io.sandbox4j.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

@Timeout(60)
class WorkspaceFilesReadTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void bytesOfAFileAreRead() throws IOException {
		this.workspace.file("a/b.txt", "hello\n");

		assertThat(this.workspace.read("a/b.txt")).isEqualTo("hello\n");
	}

	@Test
	void anOpenStreamKeepsTheFileThatWasOpened() throws IOException {
		this.workspace.file("a.txt", "old");
		try (InputStream stream = this.workspace.files.open(Workspace.path("a.txt"))) {
			this.workspace.write("a.txt", "new");

			assertThat(stream.readAllBytes()).asString().isEqualTo("old");
		}
	}

	@Test
	void anAbsentFileIsNotFound() {
		SandboxException failure = Workspace.refused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.workspace.read("a/b"));

		assertThat(failure).hasMessageStartingWith("'/workspace/a/b' does not exist.");
	}

	@Test
	void aDirectoryIsRefused() throws IOException {
		this.workspace.directory("d");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("d")))
			.hasMessage("'/workspace/d' is a directory, not a regular file.");
	}

	@Test
	void aFileOnTheWayIsRefused() throws IOException {
		this.workspace.file("f", "x");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("f/x")))
			.hasMessage("'/workspace/f' is a regular file, not a directory.");
	}

	@Test
	void theWorkspaceItselfIsRefused() {
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("."));
	}

	@Test
	void aFileThatMayNotBeReadIsRefused() throws IOException {
		assumeFalse(Workspace.ROOT);
		this.workspace.file("f", "x");
		this.workspace.mode("f", "-wx-wx-wx");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("f")))
			.hasMessage("'/workspace/f' cannot be accessed: permission denied.");
	}

	@Test
	void aHugeSparseFileIsReadInPieces() throws IOException {
		try (RandomAccessFile file = new RandomAccessFile(this.workspace.entry("s").toFile(), "rw")) {
			file.setLength(1L << 40);
		}
		long before = usedMemory();
		try (InputStream stream = this.workspace.files.open(Workspace.path("s"))) {
			assertThat(stream.readNBytes((1 << 20) + 1)).hasSize((1 << 20) + 1).containsOnly(0);
		}

		assertThat(usedMemory() - before).isLessThan(64L << 20);
		assertThat(this.workspace.stat("s").size()).isEqualTo(1L << 40);
	}

	private static long usedMemory() {
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

}
