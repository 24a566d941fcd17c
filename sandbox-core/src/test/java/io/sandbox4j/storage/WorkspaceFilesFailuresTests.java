package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

@Timeout(60)
class WorkspaceFilesFailuresTests {

	@TempDir(factory = InMemory.class)
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void noFailureNamesAHostPath() throws IOException {
		this.workspace.link("link", this.workspace.outside);
		this.workspace.directory("d");
		this.workspace.pipe("p");

		for (String path : List.of("absent", "link", "link/x", "d", "p", "absent/x")) {
			for (ThrowingCallable operation : this.workspace.operationsOn(path)) {
				SandboxException failure = catchThrowableOfType(SandboxException.class, operation);
				if (failure != null) {
					assertThat(failure.getMessage()).contains("'/workspace/").doesNotContain(this.directory.toString());
					assertThat(failure).hasNoCause();
				}
			}
		}
	}

	@Test
	void aMissingStagingDirectoryIsNotTheCallersFault() throws IOException {
		Files.delete(this.workspace.staging);

		Workspace.refused(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.workspace.write("f", "x"));
	}

	@Test
	void descriptorsAreClosedAfterEveryFailure() throws IOException {
		this.workspace.link("link", this.workspace.outside);
		this.workspace.file("f", "x");
		this.workspace.pipe("p");
		List<ThrowingCallable> calls = List.of(() -> this.workspace.read("absent"), () -> this.workspace.read("link/x"),
				() -> this.workspace.read("f/x/y"), () -> this.workspace.read("p"),
				() -> this.workspace.write("link", "x"), () -> this.workspace.write("f/x", "x"),
				() -> this.workspace.write("f", "123", 2), () -> this.workspace.move("absent", "g"),
				() -> this.workspace.stat("p/x"), () -> this.workspace.files.list(Workspace.path("f"), 1));
		calls.forEach((call) -> assertThatThrownBy(call).isInstanceOf(SandboxException.class));
		int before = Workspace.openDescriptors();

		for (int i = 0; i < 5_000; i++) {
			assertThatThrownBy(calls.get(i % calls.size())).isInstanceOf(SandboxException.class);
		}

		assertThat(Workspace.openDescriptors()).isLessThan(before + 5);
	}

	@Test
	void descriptorsAreClosedAfterEverySuccess() throws IOException {
		this.workspace.write("d/f", "x");
		int before = Workspace.openDescriptors();

		for (int i = 0; i < 200; i++) {
			this.workspace.write("d/f", "y");
			this.workspace.read("d/f");
			this.workspace.names("d");
			this.workspace.write("e/f/g", "x");
			this.workspace.move("e", "h");
			this.workspace.remove("h");
		}

		assertThat(Workspace.openDescriptors()).isLessThan(before + 5);
	}

}
