package io.sandbox4j.storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SessionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TwoProcessTests {

	@TempDir
	Path temporary;

	private StateDirectory state;

	private StoredSession session;

	@BeforeEach
	void setUp() throws Exception {
		this.state = TestState.open(this.temporary.toRealPath().resolve("state"));
		this.session = this.state.sessions().create(TestState.template(this.state));
		this.session.release();
	}

	@AfterEach
	void tearDown() {
		this.state.close();
	}

	@Test
	void exactlyOneProcessOwnsTheSession() throws Exception {
		try (ChildJvm one = attach(); ChildJvm two = attach()) {
			assertThat(one.line()).isEqualTo("READY");
			assertThat(two.line()).isEqualTo("READY");
			one.proceed();
			two.proceed();
			List<String> lines = new ArrayList<>(List.of(one.line(), two.line()));
			lines.sort(null);
			assertThat(lines).containsExactly("OWNED 2 false", "SANDBOX_BUSY");
		}
	}

	@Test
	void sessionOfAnotherProcessIsBusyUntilItIsReleased() throws Exception {
		try (ChildJvm other = attach()) {
			other.line();
			other.proceed();
			assertThat(other.line()).isEqualTo("OWNED 2 false");
			assertBusy();
			assertThat(status()).isEqualTo(SessionInfo.Status.OWNED_ELSEWHERE);
			other.proceed();
			assertThat(other.line()).isEqualTo("RELEASED");
		}
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(this.session));
		assertThat(attached.recovered()).isFalse();
		attached.release();
	}

	@Test
	void sessionOfThisProcessIsBusyForAnother() throws Exception {
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(this.session));
		try (ChildJvm other = attach()) {
			other.line();
			other.proceed();
			assertThat(other.line()).isEqualTo("SANDBOX_BUSY");
		}
		attached.lease().ensureValid();
		attached.release();
	}

	@Test
	void manyAttemptsAtASessionOfAnotherProcessKeepDescriptorsFlat() throws Exception {
		try (ChildJvm other = attach()) {
			other.line();
			other.proceed();
			assertThat(other.line()).startsWith("OWNED");
			assertBusy();
			int before = StateDirectory.list(Path.of("/proc/self/fd")).size();
			for (int i = 0; i < 5_000; i++) {
				assertBusy();
			}
			assertThat(StateDirectory.list(Path.of("/proc/self/fd")).size()).isLessThanOrEqualTo(before + 2);
			other.proceed();
			assertThat(other.line()).isEqualTo("RELEASED");
		}
	}

	@Test
	void killedProcessFreesTheSessionByItself() throws Exception {
		try (ChildJvm other = attach()) {
			other.line();
			other.proceed();
			assertThat(other.line()).startsWith("OWNED");
			other.kill();
		}
		assertThat(status()).isEqualTo(SessionInfo.Status.STOPPED);
		StoredSession attached = this.state.sessions().attach(TestState.stateOf(this.session));
		assertThat(attached.recovered()).isTrue();
		assertThat(attached.lease().token()).isEqualTo(3);
		assertThat(attached.workspace().resolve("src/a.txt")).hasContent("initial");
		attached.release();
	}

	@Test
	void guestsOfAKilledProcessAreKilledBeforeTheSessionIsUsed() throws Exception {
		List<ProcessHandle> guests = new ArrayList<>();
		try (ChildJvm other = ChildJvm.start("guest", this.state.path().toString(), this.session.id(),
				this.session.templateKey())) {
			for (String pid : other.line().split(" ")) {
				guests.add(ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
			}
			other.kill();
			assertThat(guests).allMatch(ProcessHandle::isAlive);
			StoredSession attached = this.state.sessions().attach(TestState.stateOf(this.session));
			assertThat(attached.recovered()).isTrue();
			assertThat(attached.killedGuests()).isEqualTo(2);
			assertThat(guests).allMatch((guest) -> ProcessIdentity.of(guest.pid()).isEmpty());
			attached.release();
		}
		finally {
			guests.forEach(ProcessHandle::destroyForcibly);
		}
	}

	@Test
	void deleteOfAKilledProcessesSessionKillsItsGuests() throws Exception {
		Optional<ProcessHandle> guest;
		try (ChildJvm other = ChildJvm.start("guest", this.state.path().toString(), this.session.id(),
				this.session.templateKey())) {
			guest = ProcessHandle.of(Long.parseLong(other.line().split(" ")[0]));
			other.kill();
		}
		assertThat(this.state.sessions().delete(this.session.id())).isTrue();
		assertThat(guest.filter(ProcessHandle::isAlive).flatMap((handle) -> ProcessIdentity.of(handle.pid())))
			.isEmpty();
	}

	private ChildJvm attach() throws Exception {
		return ChildJvm.start("attach", this.state.path().toString(), this.session.id(), this.session.templateKey());
	}

	private SessionInfo.Status status() {
		return this.state.sessions().find(this.session.id()).orElseThrow().status();
	}

	private void assertBusy() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.state.sessions().attach(TestState.stateOf(this.session)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
	}

}
