package io.sandbox4j.git;

import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Paths of both sides, and which of them mean the same file.
 */
class WorkspacePathsTests {

	private final WorkspacePaths paths = WorkspacePaths.of("/home/u/repo")
		.with("/home/u/repo/data/handoff", "/workspace/.sandbox/handoff");

	@ParameterizedTest
	@CsvSource({ "/workspace,/home/u/repo", "/workspace/,/home/u/repo/", "/workspace/a/b c.txt,/home/u/repo/a/b c.txt",
			"/workspace/.sandbox,/home/u/repo/.sandbox", "/workspace/.sandbox/handoff,/home/u/repo/data/handoff",
			"/workspace/.sandbox/handoff/r/1.md,/home/u/repo/data/handoff/r/1.md",
			"/workspace/.sandbox/handoff2/x,/home/u/repo/.sandbox/handoff2/x" })
	void aPathIsTranslatedAndComesBack(String sandbox, String host) {
		assertThat(this.paths.toHost(sandbox)).isEqualTo(host);
		assertThat(this.paths.toSandbox(host)).isEqualTo(sandbox);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a.txt", "./a.txt", "workspace/a", "/", "/etc/passwd", "/workspace2/a", "/workspaces",
			"/home/u", "/home/u/repository/a", "/home/u/repo2", "//workspace/a", "/tmp/workspace/a", "~/x",
			"file:///workspace/a" })
	void whatIsRelativeOrElsewhereStays(String path) {
		assertThat(this.paths.toHost(path)).isEqualTo(path);
		assertThat(this.paths.toSandbox(path)).isEqualTo(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/workspace/../etc/passwd", "/workspace/a/../../etc", "/workspace/..",
			"/workspace/.sandbox/handoff/../x" })
	void aPathThatClimbsIsNotTakenToTheHost(String path) {
		assertThat(this.paths.toHost(path)).isEqualTo(path);
	}

	@Test
	void theHandoffGoesBeforeTheRootWhateverWasAddedFirst() {
		WorkspacePaths nested = WorkspacePaths.of("/repo").with("/repo/h", "/spf/handoff").with("/repo/h/deep", "/d");
		assertThat(nested.toSandbox(List.of("/repo/h/x", "/repo/h/deep/x", "/repo/x")))
			.containsExactly("/spf/handoff/x", "/d/x", "/workspace/x");
		assertThat(nested.toHost(List.of("/spf/handoff/x", "/d", "/workspace/x"))).containsExactly("/repo/h/x",
				"/repo/h/deep", "/repo/x");
	}

	@Test
	void namesThatLookLikeTheOtherSideAreNotTranslatedTwice() {
		WorkspacePaths same = WorkspacePaths.of("/workspace/project");
		assertThat(same.toHost("/workspace/a")).isEqualTo("/workspace/project/a");
		assertThat(same.toSandbox("/workspace/project/a")).isEqualTo("/workspace/a");
		assertThat(same.toSandbox("/workspace/a")).isEqualTo("/workspace/a");
	}

	@Test
	void listsAreCopied() {
		List<String> given = new ArrayList<>(List.of("/workspace/a", "b"));
		assertThat(this.paths.toHost(given)).containsExactly("/home/u/repo/a", "b");
		assertThat(given).containsExactly("/workspace/a", "b");
		WorkspacePaths extended = this.paths.with("/x", "/y");
		assertThat(this.paths.toHost("/y/z")).isEqualTo("/y/z");
		assertThat(extended.toHost("/y/z")).isEqualTo("/x/z");
	}

	@Test
	void aSlashAtTheEndOfADirectoryIsNoMatter() {
		assertThat(WorkspacePaths.of("/home/u/repo//").toHost("/workspace/a")).isEqualTo("/home/u/repo/a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "//", "repo", "./repo", "/repo/../x", "/.." })
	void aDirectoryMustBeAbsoluteAndNotTheRoot(String directory) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> WorkspacePaths.of(directory))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

}
