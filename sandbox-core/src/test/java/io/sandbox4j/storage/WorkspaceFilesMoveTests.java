package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WorkspaceFilesMoveTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void aFileIsMovedAndDirectoriesAreMade() throws IOException {
		this.workspace.file("a", "x");

		this.workspace.move("a", "b/c/d");

		assertThat(this.workspace.names(".")).containsExactly("b");
		assertThat(this.workspace.read("b/c/d")).isEqualTo("x");
	}

	@Test
	void aDirectoryIsMovedWhole() throws IOException {
		this.workspace.file("a/b/c", "x");

		this.workspace.move("a", "z/y");

		assertThat(this.workspace.read("z/y/b/c")).isEqualTo("x");
	}

	@Test
	void aFileIsReplaced() throws IOException {
		this.workspace.file("a", "new");
		this.workspace.file("b", "old");

		this.workspace.move("a", "b");

		assertThat(this.workspace.names(".")).containsExactly("b");
		assertThat(this.workspace.read("b")).isEqualTo("new");
	}

	@Test
	void aDirectoryIsNotReplaced() throws IOException {
		this.workspace.file("a", "x");
		this.workspace.directory("empty");
		this.workspace.directory("d");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.move("a", "empty")))
			.hasMessage("'/workspace/empty' is a directory; it is not replaced.");
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.move("d", "empty"));

		assertThat(this.workspace.names(".")).containsExactly("a", "d", "empty");
	}

	@Test
	void aDirectoryDoesNotReplaceAFile() throws IOException {
		this.workspace.directory("d");
		this.workspace.file("f", "x");

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.move("d", "f"));

		assertThat(this.workspace.read("f")).isEqualTo("x");
	}

	@ParameterizedTest
	@ValueSource(strings = { "d", "d/e", "d/new/f" })
	void nothingIsMovedIntoItself(String target) throws IOException {
		this.workspace.directory("d/e");

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.move("d", target));

		assertThat(this.workspace.names("d")).containsExactly("e");
	}

	@Test
	void anAbsentSourceIsNotFoundAndMakesNothing() {
		assertThat(Workspace.refused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.workspace.move("a", "b/c")))
			.hasMessageContaining("'/workspace/a'");

		assertThat(this.workspace.names(".")).isEmpty();
	}

	@Test
	void oneOfTwoNamesOfAFileGoesAway() throws IOException {
		this.workspace.file("a", "x");
		Files.createLink(this.workspace.entry("b"), this.workspace.entry("a"));

		this.workspace.move("a", "b");

		assertThat(this.workspace.names(".")).containsExactly("b");
	}

	@Test
	void theWorkspaceItselfIsRefused() {
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.move(".", "a"));
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.move("a", "."));
	}

}
