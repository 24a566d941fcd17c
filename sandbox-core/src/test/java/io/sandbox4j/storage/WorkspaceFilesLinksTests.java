package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WorkspaceFilesLinksTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc/passwd", "/proc/self/environ", "/proc/self/root/etc/passwd", "../outside/secret",
			"inside", "/nowhere/at/all", "link" })
	void noOperationFollowsALink(String target) throws IOException {
		this.workspace.outsideFile("secret", "secret");
		this.workspace.file("inside", "inside");
		this.workspace.link("link", Path.of(target));

		for (ThrowingCallable operation : this.workspace.operationsOn("link")) {
			assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, operation))
				.hasMessage("'/workspace/link' is a symbolic link; links are not followed.");
		}
		assertThat(this.workspace.outside.resolve("secret")).hasContent("secret");
		assertThat(this.workspace.entry("inside")).hasContent("inside");
	}

	@Test
	void noOperationGoesThroughALink() throws IOException {
		this.workspace.outsideFile("secret", "secret");
		this.workspace.link("link", this.workspace.outside);

		for (ThrowingCallable operation : this.workspace.operationsOn("link/secret")) {
			assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, operation))
				.hasMessage("'/workspace/link' is a symbolic link; links are not followed.");
		}
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.stat("link/secret"));
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.remove("link/secret"));
		assertThat(this.workspace.outside.resolve("secret")).hasContent("secret");
		assertThat(this.workspace.modeOf("../outside/secret")).doesNotContain("x");
	}

	@Test
	void aDanglingLinkDoesNotMakeItsTarget() throws IOException {
		this.workspace.link("n.txt", this.workspace.outside.resolve("new.txt"));

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("n.txt", "x"));

		assertThat(this.workspace.outside).isEmptyDirectory();
		assertThat(this.workspace.entry("n.txt")).isSymbolicLink();
	}

	@Test
	void aChainOfLinksIsRefused() throws IOException {
		for (int i = 0; i < 41; i++) {
			this.workspace.link("l" + i, Path.of("l" + (i + 1)));
		}

		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.read("l0"));
		Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.write("l0/x", "x"));
	}

	@Test
	void statDescribesTheLink() throws IOException {
		this.workspace.link("link", Path.of("/etc/passwd"));

		FileEntry entry = this.workspace.stat("link");

		assertThat(entry.type()).isEqualTo(FileType.SYMLINK);
		assertThat(entry.size()).isZero();
		assertThat(entry.executable()).isFalse();
	}

	@Test
	void removeTakesTheLinkOnly() throws IOException {
		this.workspace.outsideFile("keep", "kept");
		this.workspace.link("link", this.workspace.outside);
		this.workspace.link("dangling", Path.of("/nowhere"));

		assertThat(this.workspace.remove("link")).isTrue();
		assertThat(this.workspace.remove("dangling")).isTrue();

		assertThat(this.workspace.names(".")).isEmpty();
		assertThat(this.workspace.outside.resolve("keep")).hasContent("kept");
	}

	@Test
	void removeOfATreeTakesTheLinksInIt() throws IOException {
		this.workspace.outsideFile("keep", "kept");
		this.workspace.file("d/e/f", "x");
		this.workspace.link("d/e/link", this.workspace.outside);

		assertThat(this.workspace.remove("d")).isTrue();

		assertThat(this.workspace.outside.resolve("keep")).hasContent("kept");
	}

	@Test
	void moveTakesTheLinkItself() throws IOException {
		this.workspace.outsideFile("secret", "secret");
		this.workspace.link("link", this.workspace.outside.resolve("secret"));

		this.workspace.move("link", "moved");

		assertThat(Files.readSymbolicLink(this.workspace.entry("moved"))).endsWith(Path.of("secret"));
	}

	@Test
	void aMoveReplacesALinkAndNotItsTarget() throws IOException {
		this.workspace.outsideFile("secret", "secret");
		this.workspace.link("link", this.workspace.outside.resolve("secret"));
		this.workspace.file("f", "new");

		this.workspace.move("f", "link");

		assertThat(this.workspace.entry("link")).isRegularFile().hasContent("new");
		assertThat(this.workspace.outside.resolve("secret")).hasContent("secret");
	}

	@Test
	void aWorkspaceThatBecameALinkIsRefused() throws IOException {
		this.workspace.outsideFile("f", "secret");
		Files.delete(this.workspace.root);
		Files.createSymbolicLink(this.workspace.root, this.workspace.outside);

		for (ThrowingCallable operation : this.workspace.operationsOn("f")) {
			Workspace.refused(ErrorCode.SANDBOX_UNAVAILABLE, operation);
		}
		assertThat(this.workspace.outside.resolve("f")).hasContent("secret");
	}

	@Test
	void aRemovedWorkspaceIsAClearFailure() throws IOException {
		Files.delete(this.workspace.root);

		assertThat(Workspace.refused(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.workspace.read("f")))
			.hasMessageStartingWith("The workspace directory cannot be opened");
	}

}
