package io.sandbox4j.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SessionInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A backend can be emptied before it is closed, and closing it leaves the sessions.
 */
interface ShutdownFacts extends ContractFacts {

	@Test
	default void aDrainingBackendTakesNoNewWork() {
		SandboxHandle sandbox = sandbox();
		assertThat(backend().drain(Duration.ZERO)).isTrue();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, this::sandbox);
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> sandbox.session().run(commands().exit(0)));
		assertThat(backend().sessions()).hasSize(1);
	}

	@Test
	default void aDrainingBackendLetsCommandsRunOn() {
		SandboxProcess process = sandbox().session().start(commands().exitOnTerm("ready", 42));
		assertThat(backend().drain(Duration.ofMillis(50))).isFalse();
		assertThat(process.onExit()).isNotDone();
		process.close();
		assertThat(backend().drain(ContractFixture.PATIENCE)).isTrue();
	}

	@Test
	default void drainReturnsWhenTheLastCommandEnds() {
		SandboxHandle sandbox = sandbox();
		SandboxProcess process = sandbox.session().start(commands().printAndWait("", ""));
		CompletableFuture<Boolean> drained = ContractFixture.async(() -> backend().drain(ContractFixture.PATIENCE));
		ContractFixture.await()
			.untilAsserted(() -> ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED,
					() -> sandbox.session().files().list(".")));
		assertThat(drained).isNotDone();
		process.cancel("enough");
		assertThat(ContractFixture.result(drained)).isTrue();
	}

	@Test
	default void closeStopsEveryHandleAndKeepsTheSessions() {
		SandboxHandle sandbox = sandbox();
		SandboxProcess process = sandbox.session().start(commands().printAndWait("", ""));
		backend().close();
		assertThat(ContractFixture.result(process.onExit()).status()).isEqualTo(ExecStatus.STOPPED);
		assertThat(fixture().anotherBackend().sessions()).extracting(SessionInfo::status)
			.containsExactly(SessionInfo.Status.STOPPED);
		ContractFixture.attach(fixture().anotherBackend(), sandbox.captureState());
	}

	@Test
	default void aClosedBackendMakesNoSession() {
		backend().prewarm(ContractFixture.template());
		backend().close();
		backend().close();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, this::sandbox);
		assertThat(fixture().anotherBackend().sessions()).isEmpty();
	}

	@Test
	default void aHandleMayBeStoppedAfterItsBackend() {
		SandboxHandle sandbox = sandbox();
		backend().close();
		sandbox.stop();
		sandbox.close();
		assertThat(sandbox.captureState().sessionId()).isEqualTo(sandbox.session().id());
	}

}
