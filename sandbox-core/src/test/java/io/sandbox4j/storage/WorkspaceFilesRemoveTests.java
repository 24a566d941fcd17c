package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

@Timeout(60)
class WorkspaceFilesRemoveTests {

	@TempDir(factory = InMemory.class)
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void nothingIsRemovedWhereNothingIs() {
		assertThat(this.workspace.remove("a")).isFalse();
		assertThat(this.workspace.remove("a/b/c")).isFalse();
	}

	@Test
	void aWholeTreeIsRemoved() throws IOException {
		for (int i = 0; i < 50; i++) {
			this.workspace.file("d/" + i % 7 + "/" + i, "x");
		}
		this.workspace.file("kept", "x");

		assertThat(this.workspace.remove("d")).isTrue();

		assertThat(this.workspace.names(".")).containsExactly("kept");
	}

	@Test
	void theWorkspaceItselfIsRefused() {
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.remove("."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "r-xr-xr-x", "r--r--r--", "rw-------" })
	void directoriesThatDoNotAllowItAreOpened(String mode) throws IOException {
		this.workspace.file("d/e/f", "x");
		this.workspace.mode("d/e", mode);
		this.workspace.mode("d", mode);

		assertThat(this.workspace.remove("d")).isTrue();
	}

	@Test
	void theDirectoryAroundIsNotOpened() throws IOException {
		assumeFalse(Workspace.ROOT);
		this.workspace.file("d/f", "x");
		this.workspace.mode("d", "r-xr-xr-x");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.remove("d/f")))
			.hasMessage("'/workspace/d/f' cannot be accessed: permission denied.");
		assertThat(this.workspace.modeOf("d")).isEqualTo("r-xr-xr-x");
	}

	@Test
	void aTreeDeeperThanAPathIsRemoved() throws IOException {
		makeDeepTree(5_000);

		assertThat(this.workspace.remove("deep")).isTrue();

		assertThat(this.workspace.names(".")).isEmpty();
		assertThat(this.workspace.stagedNames()).isEmpty();
	}

	@Test
	void aDeepTreeOfDirectoriesWithoutPermissionsIsRemoved() throws IOException {
		StringBuilder path = new StringBuilder("deep");
		for (int i = 0; i < 80; i++) {
			path.append("/d");
		}
		this.workspace.directory(path.toString());
		for (int end = path.length(); end > 4; end -= 2) {
			this.workspace.mode(path.substring(0, end), "r-xr-xr-x");
		}

		assertThat(this.workspace.remove("deep")).isTrue();
	}

	private void makeDeepTree(int depth) {
		// Each part is moved below the one before, as a path has a limit.
		String part = "d/".repeat(500);
		this.workspace.run("sh", "-c",
				"mkdir -p deep/" + part + " && i=500 && while [ $i -lt " + depth + " ]; do mkdir -p next/" + part
						+ " && mv deep next/" + part + "deep && mv next deep && i=$((i + 500)); done",
				"sh");
	}

}
