package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WorkspaceFilesExecutableTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void whoeverMayReadMayExecute() throws IOException {
		this.workspace.file("f", "x");
		this.workspace.mode("f", "rw-r-----");

		this.workspace.files.setExecutable(Workspace.path("f"), true);

		assertThat(this.workspace.modeOf("f")).isEqualTo("rwxr-x---");
		assertThat(this.workspace.stat("f").executable()).isTrue();
	}

	@Test
	void nobodyMayExecuteAfterwards() throws IOException {
		this.workspace.file("f", "x");
		this.workspace.mode("f", "rwxr-xr-x");

		this.workspace.files.setExecutable(Workspace.path("f"), false);

		assertThat(this.workspace.modeOf("f")).isEqualTo("rw-r--r--");
	}

	@Test
	void aDirectoryIsRefused() throws IOException {
		this.workspace.directory("d");

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.files.setExecutable(Workspace.path("d"), false));

		assertThat(this.workspace.modeOf("d")).isEqualTo("rwxr-xr-x");
	}

	@Test
	void anAbsentFileIsNotFound() {
		Workspace.refused(ErrorCode.SANDBOX_NOT_FOUND,
				() -> this.workspace.files.setExecutable(Workspace.path("f"), true));
	}

}
