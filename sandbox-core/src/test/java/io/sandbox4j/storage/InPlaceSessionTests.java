package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InPlaceSessionTests {

	@TempDir
	Path temporary;

	private Path project;

	private StateDirectory state;

	@BeforeEach
	void setUp() throws Exception {
		this.project = Files.createDirectory(this.temporary.toRealPath().resolve("project"));
		Files.writeString(this.project.resolve("a.txt"), "mine");
		this.state = TestState.open(this.temporary.resolve("state"));
	}

	@AfterEach
	void tearDown() {
		this.state.close();
	}

	@Test
	void workspaceIsTheDirectoryItself() {
		StoredSession session = this.state.sessions().createInPlace(this.project);
		assertThat(session.workspace()).isEqualTo(this.project);
		assertThat(session.staging()).isEqualTo(this.project);
		assertThat(session.templateKey()).isEqualTo("0".repeat(64));
	}

	@Test
	void attachFindsTheDirectoryAgain() {
		StoredSession session = this.state.sessions().createInPlace(this.project);
		session.release();
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(session));
		assertThat(attached.workspace()).isEqualTo(this.project);
		attached.release();
	}

	@Test
	void attachAfterACrashDoesNotTouchTheDirectory() {
		StoredSession session = this.state.sessions().createInPlace(this.project);
		session.lease().abandon();
		this.state.sessions().attach(TestState.stateOf(session)).release();
		assertThat(this.project.resolve("a.txt")).hasContent("mine");
	}

	@Test
	void deleteKeepsTheDirectory() {
		StoredSession session = this.state.sessions().createInPlace(this.project);
		session.delete();
		assertThat(this.project.resolve("a.txt")).hasContent("mine");
		assertThat(this.state.sessions().list()).isEmpty();
	}

	@Test
	void directoryThatIsGoneIsInvalid() throws Exception {
		StoredSession session = this.state.sessions().createInPlace(this.project);
		session.release();
		Files.move(this.project, this.temporary.resolve("moved"));
		assertInvalid(() -> this.state.sessions().attach(TestState.stateOf(session)));
	}

	@Test
	void missingDirectoryAndFileAreInvalid() {
		assertInvalid(() -> this.state.sessions().createInPlace(this.project.resolve("missing")));
		assertInvalid(() -> this.state.sessions().createInPlace(this.project.resolve("a.txt")));
	}

	@Test
	void directoryThatSharesFilesWithTheStateDirectoryIsInvalid() {
		assertInvalid(() -> this.state.sessions().createInPlace(this.temporary));
		assertInvalid(() -> this.state.sessions().createInPlace(this.state.path()));
		assertInvalid(() -> this.state.sessions().createInPlace(TestState.sessions(this.state.path())));
		assertInvalid(() -> this.state.sessions().createInPlace(Path.of("/")));
	}

	private static void assertInvalid(ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

}
