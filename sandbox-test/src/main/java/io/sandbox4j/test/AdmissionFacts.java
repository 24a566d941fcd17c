package io.sandbox4j.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A command takes a slot before anything of it runs, and gives it back when nothing of it
 * is left.
 */
interface AdmissionFacts extends ContractFacts {

	@Test
	default void aCommandBeyondTheLimitIsBusyAtOnce() {
		SandboxSession session = sandboxForOne().session();
		try (SandboxProcess running = session.start(commands().printAndWait("", ""))) {
			ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY,
					() -> session.run(commands().writeFile("trace", "it ran")));
			assertThat(session.admission()).isEqualTo(new AdmissionStatus(1, 1, 1, 0));
			assertThat(session.files().exists("trace")).isFalse();
			assertThat(running.onExit()).isNotDone();
		}
		assertThat(fixture().events(SandboxEvent.CommandRefused.class))
			.containsExactly(new SandboxEvent.CommandRefused(session.id(), ErrorCode.SANDBOX_BUSY));
	}

	@Test
	default void filesNeedNoSlot() {
		SandboxSession session = sandboxForOne().session();
		try (SandboxProcess running = session.start(commands().printAndWait("", ""))) {
			session.files().writeText("a", "1");
			session.files().move("a", "b");
			assertThat(session.files().readText("b")).isEqualTo("1");
			assertThat(session.files().remove("b")).isTrue();
			assertThat(running.onExit()).isNotDone();
		}
	}

	@Test
	default void aSlotIsFreeWhenTheResultIsThere() {
		SandboxSession session = sandboxForOne().session();
		assertThat(session.run(commands().exit(1)).status()).isEqualTo(ExecStatus.EXITED);
		assertThat(session.run(commands().missingProgram()).status()).isEqualTo(ExecStatus.LAUNCH_FAILED);
		assertThat(session.run(commands().printAndWait("", "").withTimeout(Duration.ofMillis(50))).status())
			.isEqualTo(ExecStatus.TIMED_OUT);
		ContractFixture.result(session.start(commands().printAndWait("", "")).cancel("enough"));
		assertThat(session.run(commands().exit(0)).succeeded()).isTrue();
		assertThat(session.admission()).isEqualTo(new AdmissionStatus(0, 1, 0, 0));
	}

	@Test
	default void manyAtOnceNeverExceedTheLimit() {
		SandboxSession session = fixture().sandbox(ContractFixture.concurrentCommands(2)).session();
		CountDownLatch start = new CountDownLatch(1);
		List<CompletableFuture<Boolean>> racing = IntStream.range(0, 8)
			.mapToObj((i) -> ContractFixture.async(() -> admitted(start, session)))
			.toList();
		start.countDown();
		assertThat(racing.stream().filter(ContractFixture::result)).hasSize(2);
		assertThat(session.admission()).isEqualTo(new AdmissionStatus(2, 2, 6, 0));
	}

	@Test
	default void thePolicyCannotChangeWhileACommandLives() {
		SandboxSession session = sandbox().session();
		SandboxProcess running = session.start(commands().printAndWait("", ""));
		ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY, () -> session.setNetworkPolicy(NetworkPolicy.allow()));
		assertThat(session.networkPolicy()).isEqualTo(NetworkPolicy.denyAll());
		assertThat(running.onExit()).isNotDone();
		ContractFixture.result(running.cancel("enough"));
		session.setNetworkPolicy(NetworkPolicy.allow());
		assertThat(session.networkPolicy()).isEqualTo(NetworkPolicy.allow());
	}

	@Test
	default void stopEndsEveryCommandAsStopped() {
		SandboxHandle sandbox = sandbox();
		List<SandboxProcess> running = IntStream.range(0, 3)
			.mapToObj((i) -> sandbox.session().start(commands().printAndWait("", "")))
			.toList();
		sandbox.stop();
		for (SandboxProcess process : running) {
			ExecResult result = ContractFixture.result(process.onExit());
			assertThat(result.status()).isEqualTo(ExecStatus.STOPPED);
			assertThat(result.exitCode()).isNotZero();
		}
		assertThat(sandbox.session().admission().active()).isZero();
	}

	@Test
	default void stopEndsACommandThatAnotherThreadRuns() {
		SandboxHandle sandbox = sandbox();
		CompletableFuture<ExecResult> running = ContractFixture
			.async(() -> sandbox.session().run(commands().printAndWait("", "")));
		ContractFixture.await().until(() -> sandbox.session().admission().active() == 1);
		sandbox.stop();
		assertThat(ContractFixture.result(running).status()).isEqualTo(ExecStatus.STOPPED);
	}

	@Test
	default void aNewOwnerNeverMeetsACommandOfTheOldOne() {
		SandboxHandle sandbox = sandbox();
		SandboxProcess process = sandbox.session().start(commands().printWithoutEnd());
		sandbox.stop();
		SandboxHandle next = ContractFixture.attach(fixture().anotherBackend(), sandbox.captureState());
		assertThat(ContractFixture.result(process.onExit()).status()).isEqualTo(ExecStatus.STOPPED);
		assertThat(next.session().admission().active()).isZero();
		assertThat(next.session().run(commands().exit(0)).succeeded()).isTrue();
	}

	private SandboxHandle sandboxForOne() {
		return fixture().sandbox(ContractFixture.concurrentCommands(1));
	}

	private boolean admitted(CountDownLatch start, SandboxSession session) {
		try {
			start.await();
			session.start(commands().printAndWait("", ""));
			return true;
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY);
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
