package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
class WorkspaceFilesSpecialFilesTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void aNamedPipeIsRefusedAtOnce() {
		this.workspace.pipe("p");

		for (ThrowingCallable operation : this.workspace.operationsOn("p").subList(0, 2)) {
			assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, operation))
				.hasMessage("'/workspace/p' is a named pipe, not a regular file.");
		}
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("p/x"));
		assertThat(this.workspace.stat("p").type()).isEqualTo(FileType.OTHER);
	}

	@Test
	void aSocketIsRefused() throws IOException {
		this.workspace.socket("s");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("s")))
			.hasMessage("'/workspace/s' is a socket, not a regular file.");
		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("s", "x")))
			.hasMessage("'/workspace/s' is a socket, not a regular file.");
	}

	@Test
	void aDeviceIsRefused() {
		assumeTrue(Workspace.ROOT);
		this.workspace.run("mknod", "-m", "666", "zero", "c", "1", "5");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("zero")))
			.hasMessage("'/workspace/zero' is a device, not a regular file.");
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("zero", "x"));
	}

	@Test
	void theyAreRemovedWithTheirDirectory() throws IOException {
		this.workspace.directory("d");
		this.workspace.pipe("d/p");
		this.workspace.socket("d/s");

		assertThat(this.workspace.remove("d")).isTrue();
	}

}
