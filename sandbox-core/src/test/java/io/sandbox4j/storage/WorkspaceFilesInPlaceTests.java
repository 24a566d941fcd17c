package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
class WorkspaceFilesInPlaceTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.inPlace(this.directory);
	}

	@Test
	void nothingIsLeftBesideTheFiles() throws IOException {
		this.workspace.write("a/b", "x");
		this.workspace.write("c", "x");
		this.workspace.files.createDirectories(Workspace.path("d/e"));
		Workspace.refused(ErrorCode.SANDBOX_LIMIT, () -> this.workspace.write("c", "123", 2));
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("d", "x"));

		assertThat(this.workspace.names(".")).containsExactly("a", "c", "d");
	}

	@Test
	void filesGoToTheirOwner() throws IOException {
		assumeTrue(Workspace.ROOT);
		Workspace owned = Workspace.in(this.directory, "workspace", new FileOwner(65532, 65532), Durability.PROCESS,
				() -> {
				}, new PipeGuard());

		owned.write("a/b", "x");

		assertThat(Files.getAttribute(owned.entry("a/b"), "unix:uid")).isEqualTo(65532);
	}

}
