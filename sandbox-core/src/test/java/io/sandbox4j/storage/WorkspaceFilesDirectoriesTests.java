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
class WorkspaceFilesDirectoriesTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void parentsAreMade() throws IOException {
		this.workspace.files.createDirectories(Workspace.path("a/b/c"));

		assertThat(this.workspace.entry("a/b/c")).isEmptyDirectory();
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void anExistingOneIsFine() throws IOException {
		this.workspace.file("a/f", "x");

		this.workspace.files.createDirectories(Workspace.path("a"));
		this.workspace.files.createDirectories(Workspace.path("."));

		assertThat(this.workspace.names("a")).containsExactly("f");
	}

	@Test
	void aFileInTheirPlaceIsRefused() throws IOException {
		this.workspace.file("a", "x");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH,
				() -> this.workspace.files.createDirectories(Workspace.path("a/b"))))
			.hasMessage("'/workspace/a' is a regular file, not a directory.");
	}

}
