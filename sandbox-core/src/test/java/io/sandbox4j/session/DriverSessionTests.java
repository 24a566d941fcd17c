package io.sandbox4j.session;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.Signal;
import io.sandbox4j.session.ScriptedDriver.ScriptedExecution;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

@Timeout(60)
class DriverSessionTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final ExecSpec COMMAND = ExecSpec.of("tool");

	private final List<SandboxEvent> events = new CopyOnWriteArrayList<>();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

	private final ScriptedDriver driver = new ScriptedDriver();

	private final DriverSession session = session(this.events::add);

	@AfterEach
	void close() {
		this.timer.shutdownNow();
		this.executor.shutdownNow();
	}

	@ParameterizedTest
	@CsvSource({ "EXITED,3,EXITED,3", "SIGNALLED,11,SIGNALLED,139", "RESOURCE_LIMIT,24,RESOURCE_LIMIT,152",
			"LAUNCH_FAILED,127,LAUNCH_FAILED,127", "KILLED,9,SIGNALLED,137" })
	void whatTheDriverSaysIsTheResultIfTheHostSaidNothing(Exit.Kind kind, int value, ExecStatus status, int code) {
		this.driver.onStart = (execution) -> execution.end(kind, value);
		ExecResult result = this.session.run(COMMAND);
		assertThat(result.status()).isEqualTo(status);
		assertThat(result.exitCode()).isEqualTo(code);
		assertThat(result.reason()).isEqualTo((kind != Exit.Kind.EXITED) ? "from the driver" : "");
	}

	@Test
	void aProgramThatEndsBeforeItsKillEndedByItself() {
		SandboxProcess process = this.session.start(COMMAND);
		CompletableFuture<ExecResult> cancelled = process.cancel("too late");
		this.driver.only().end(Exit.Kind.EXITED, 0);
		assertThat(cancelled).succeedsWithin(LONG).extracting(ExecResult::status).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	void aProgramThatWasKilledHasTheFirstReasonOfTheHost() {
		SandboxProcess process = this.session.start(COMMAND);
		process.cancel("first");
		process.cancel("second");
		this.driver.only().end(Exit.Kind.KILLED, 9);
		ExecResult result = process.onExit().join();
		assertThat(result.status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(result.reason()).isEqualTo("first");
		assertThat(result.exitCode()).isEqualTo(137);
	}

	@Test
	void tooMuchOutputIsTooMuchAlsoFromAProgramThatEndedByItself() {
		this.driver.onStart = (execution) -> {
			execution.print("much too much", "");
			execution.end(Exit.Kind.EXITED, 0);
		};
		ExecResult result = this.session.run(COMMAND.withMaxOutput(4, OutputOverflow.STOP));
		assertThat(result.status()).isEqualTo(ExecStatus.OUTPUT_LIMIT);
		assertThat(result.stdoutText()).isEqualTo("much");
		assertThat(result.omittedStdout()).isEqualTo(9);
	}

	@Test
	void tooMuchOutputWhileTheDriverStillStartsKills() {
		this.driver.onStart = (execution) -> execution.obeying().print("much too much", "");
		ExecResult result = this.session.run(COMMAND.withMaxOutput(4, OutputOverflow.STOP));
		assertThat(result.status()).isEqualTo(ExecStatus.OUTPUT_LIMIT);
		assertThat(this.driver.only().killed).isDone();
	}

	@Test
	void outputToDiscardKillsNothing() {
		this.driver.onStart = (execution) -> {
			execution.print("much too much", "more");
			assertThat(execution.killed).isNotDone();
			execution.end(Exit.Kind.EXITED, 0);
		};
		ExecResult result = this.session.run(COMMAND.withMaxOutput(4, OutputOverflow.DISCARD));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.omittedStderr()).isEqualTo(4);
	}

	@Test
	void theDeadlineKillsAndKeepsTheOutput() {
		this.driver.onStart = (execution) -> execution.obeying().print("out", "err");
		ExecResult result = this.session.run(COMMAND.withTimeout(Duration.ofMillis(20)));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(result.stdoutText()).isEqualTo("out");
		assertThat(result.stderrText()).isEqualTo("err");
		assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
	}

	@Test
	void theTimeThatADriverTakesToStartCounts() {
		this.driver.onStart = (execution) -> {
			execution.obeying();
			long start = System.nanoTime();
			Awaitility.await().until(() -> System.nanoTime() - start > Duration.ofMillis(20).toNanos());
		};
		ExecResult result = this.session.run(COMMAND.withTimeout(Duration.ofMillis(10)));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
	}

	@Test
	void aSandboxThatCouldNotBeBuiltIsAnException() {
		this.driver.onStart = (execution) -> execution.end(Exit.Kind.SANDBOX_FAILED, 0);
		assertFails(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.session.run(COMMAND));
		assertFails(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.session.start(COMMAND));
		assertThat(this.session.admission().active()).isZero();
		assertThat(this.events).hasOnlyElementsOfType(SandboxEvent.CommandRefused.class).hasSize(2);
	}

	@Test
	void aSandboxThatFailsAfterTheHostDecidedHasTheHostsResult() {
		SandboxProcess process = this.session.start(COMMAND);
		process.cancel("enough");
		this.driver.only().end(Exit.Kind.SANDBOX_FAILED, 0);
		assertThat(process.onExit().join().status()).isEqualTo(ExecStatus.CANCELLED);
	}

	@Test
	void aDriverThatLosesItsCommandLeavesTheSlotTaken() {
		this.driver.onStart = (execution) -> execution.exit.completeExceptionally(new IllegalStateException("lost"));
		assertFails(ErrorCode.SANDBOX_UNAVAILABLE, () -> this.session.run(COMMAND));
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(1, 2, 0, 1));
	}

	@Test
	void aDriverThatRefusesGivesTheSlotBack() {
		this.driver.onStart = (execution) -> {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND, "No such directory.");
		};
		assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> this.session.run(COMMAND));
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
		assertThat(this.events).containsExactly(new SandboxEvent.CommandRefused("id", ErrorCode.SANDBOX_NOT_FOUND));
	}

	@Test
	void withoutTheLeaseNothingIsStartedOrChanged() {
		this.driver.onEnsureOwned = () -> {
			throw new SandboxException(ErrorCode.SANDBOX_LEASE_LOST, "Taken.");
		};
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.run(COMMAND));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.setNetworkPolicy(NetworkPolicy.allowAll()));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.files().writeText("a", ""));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST,
				() -> this.session.files().write("a", new ByteArrayInputStream(new byte[0])));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.files().createDirectories("a"));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.files().setExecutable("a", true));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.files().remove("a"));
		assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> this.session.files().move("a", "b"));
		assertThat(this.driver.started()).isEmpty();
		assertThat(this.session.networkPolicy()).isEqualTo(NetworkPolicy.denyAll());
	}

	@Test
	void unprovenProcessesKeepTheirSlotUntilTheyAreGone() {
		SandboxProcess process = this.session.start(COMMAND);
		process.cancel("enough");
		this.driver.only().endUnproven();
		assertThat(process.onExit().join().status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(1, 2, 0, 1));
		assertThat(this.events).contains(new SandboxEvent.CleanupUnproven("id"));
		assertThat(this.session.stop(Duration.ofDays(1))).as("there is nothing to wait for").isFalse();
		this.driver.only().settled.complete(null);
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
		assertThat(this.session.stop(Duration.ZERO)).isTrue();
	}

	@Test
	void stopKillsAndWaits() {
		SandboxProcess first = this.session.start(COMMAND);
		SandboxProcess second = this.session.start(COMMAND);
		CompletableFuture<Boolean> stopped = async(() -> this.session.stop(LONG));
		this.driver.started().forEach((execution) -> assertThat(execution.killed).succeedsWithin(LONG));
		this.driver.started().get(0).end(Exit.Kind.KILLED, 9);
		assertThat(stopped).isNotDone();
		this.driver.started().get(1).end(Exit.Kind.KILLED, 9);
		assertThat(stopped).succeedsWithin(LONG).isEqualTo(true);
		assertThat(first.onExit()).succeedsWithin(LONG).extracting(ExecResult::status).isEqualTo(ExecStatus.STOPPED);
		assertThat(second.onExit()).succeedsWithin(LONG).extracting(ExecResult::status).isEqualTo(ExecStatus.STOPPED);
		assertFails(ErrorCode.SANDBOX_STOPPED, () -> this.session.run(COMMAND));
	}

	@Test
	void stopWaitsNoLongerThanItsBound() {
		this.session.start(COMMAND);
		assertThat(this.session.stop(Duration.ofMillis(10))).isFalse();
	}

	@Test
	void stopReachesACommandThatIsJustBeingStarted() {
		CompletableFuture<Void> starting = new CompletableFuture<>();
		CompletableFuture<Void> goOn = new CompletableFuture<>();
		this.driver.onStart = (execution) -> {
			execution.obeying();
			starting.complete(null);
			goOn.join();
		};
		CompletableFuture<ExecResult> running = async(() -> this.session.run(COMMAND));
		starting.join();
		CompletableFuture<Boolean> stopped = async(() -> this.session.stop(LONG));
		Awaitility.await()
			.untilAsserted(() -> assertFails(ErrorCode.SANDBOX_STOPPED, () -> this.session.files().list(".")));
		goOn.complete(null);
		assertThat(stopped).succeedsWithin(LONG).isEqualTo(true);
		assertThat(running).succeedsWithin(LONG).extracting(ExecResult::status).isEqualTo(ExecStatus.STOPPED);
	}

	@Test
	void closingLetsCommandsLive() {
		SandboxProcess process = this.session.start(COMMAND);
		this.session.close();
		assertFails(ErrorCode.SANDBOX_STOPPED, () -> this.session.start(COMMAND));
		assertThat(this.driver.only().killed).isNotDone();
		assertThat(this.session.awaitIdle(Duration.ZERO)).isFalse();
		this.driver.only().end(Exit.Kind.EXITED, 0);
		assertThat(this.session.awaitIdle(LONG)).isTrue();
		assertThat(process.onExit().join().succeeded()).isTrue();
	}

	@Test
	void signalsReachTheProgramUntilItIsGone() {
		SandboxProcess process = this.session.start(COMMAND);
		process.signal(Signal.INT);
		this.driver.only().end(Exit.Kind.EXITED, 0);
		process.signal(Signal.TERM);
		assertThat(this.driver.only().signals).containsExactly(Signal.INT);
	}

	@Test
	void stopOfAProcessAsksBeforeItKills() {
		SandboxProcess process = this.session.start(COMMAND);
		CompletableFuture<ExecResult> stopped = process.stop(Duration.ofMillis(20));
		assertThat(this.driver.only().signals).containsExactly(Signal.TERM);
		assertThat(this.driver.only().killed).succeedsWithin(LONG);
		this.driver.only().end(Exit.Kind.KILLED, 9);
		assertThat(stopped.join().status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(stopped.join().reason()).contains("20 ms");
	}

	@Test
	void stopOfAProcessThatEndsInTimeKillsNothing() {
		SandboxProcess process = this.session.start(COMMAND);
		CompletableFuture<ExecResult> stopped = process.stop(LONG);
		this.driver.only().end(Exit.Kind.SIGNALLED, 15);
		assertThat(stopped.join().exitCode()).isEqualTo(143);
		assertThat(this.driver.only().killed).isNotDone();
	}

	@Test
	void inputIsFedAndClosed() {
		this.driver.onStart = (execution) -> execution.inputClosed
			.thenRun(() -> execution.end(Exit.Kind.EXITED, execution.input.size()));
		assertThat(this.session.run(COMMAND.withStdin(new byte[7])).exitCode()).isEqualTo(7);
		assertThat(this.session.run(COMMAND).exitCode()).isZero();
	}

	@Test
	void aProgramThatDoesNotReadItsInputSucceeds() {
		this.driver.onStart = (execution) -> execution.end(Exit.Kind.EXITED, 0);
		assertThat(this.session.run(COMMAND.withStdin(new byte[1000])).succeeded()).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(this.driver.only().inputClosed).isDone());
	}

	@Test
	void theCallersInputComesAfterThatOfTheCommand() throws IOException {
		SandboxProcess process = this.session.start(COMMAND.withStdin("first ".getBytes()));
		process.stdin().write("second".getBytes());
		process.stdin().close();
		assertThat(this.driver.only().input).hasToString("first second");
		this.driver.only().end(Exit.Kind.EXITED, 0);
		assertThatIOException().isThrownBy(() -> process.stdin().write(1));
	}

	@Test
	void aPolicyThatTheDriverRefusesIsNotInForce() {
		this.driver.onPolicy = (policy) -> {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "Not this one.");
		};
		assertFails(ErrorCode.SANDBOX_INVALID, () -> this.session.setNetworkPolicy(NetworkPolicy.allowAll()));
		assertThat(this.session.networkPolicy()).isEqualTo(NetworkPolicy.denyAll());
		assertThat(this.session.restrictions()).containsExactly(Restriction.NETWORK_DENIED);
	}

	@Test
	void aPolicyIsChangedWhileNoCommandLives() {
		this.driver.onPolicy = (policy) -> assertFails(ErrorCode.SANDBOX_BUSY, () -> this.session.run(COMMAND));
		this.session.setNetworkPolicy(NetworkPolicy.allowAll());
		assertThat(this.session.restrictions()).isEmpty();
		this.session.start(COMMAND);
		assertFails(ErrorCode.SANDBOX_BUSY, () -> this.session.setNetworkPolicy(NetworkPolicy.denyAll()));
	}

	@Test
	void aListenerHearsTheEndBeforeTheCaller() {
		this.driver.onStart = (execution) -> execution.end(Exit.Kind.EXITED, 0);
		ExecResult result = this.session.run(COMMAND);
		assertThat(this.events)
			.containsExactly(new SandboxEvent.CommandFinished("id", "command", ExecStatus.EXITED, result.duration()));
	}

	@Test
	void aResultIsThereBeforeEveryProcessIsGone() {
		this.driver.onStart = ScriptedExecution::endFirst;
		assertThat(this.session.run(COMMAND).succeeded()).isTrue();
		assertThat(this.events).hasSize(1);
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
		assertThat(this.session.awaitIdle(Duration.ZERO)).isFalse();
		this.driver.only().end(Exit.Kind.EXITED, 0);
		assertThat(this.session.awaitIdle(Duration.ZERO)).isTrue();
	}

	@Test
	void theNextCommandWaitsUntilEveryProcessIsGone() {
		this.driver.onStart = ScriptedExecution::endFirst;
		this.session.run(COMMAND);
		this.driver.onStart = (execution) -> execution.end(Exit.Kind.EXITED, 0);
		CompletableFuture<ExecResult> next = async(() -> this.session.run(COMMAND));
		assertThat(next).isNotDone();
		assertThat(this.driver.started()).hasSize(1);
		this.driver.only().end(Exit.Kind.EXITED, 0);
		assertThat(next).succeedsWithin(LONG);
	}

	@Test
	void aStopKillsWhatACommandLeftBehindItsResult() {
		this.driver.onStart = (execution) -> execution.obeying().endFirst();
		ExecResult result = this.session.run(COMMAND);
		assertThat(this.session.stop(LONG)).isTrue();
		assertThat(this.driver.only().killed).isDone();
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	void whatCannotBeProvenGoneAfterAResultKeepsItsSlot() {
		this.driver.onStart = ScriptedExecution::endFirst;
		this.session.run(COMMAND);
		this.driver.only().endUnproven();
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(1, 2, 0, 1));
		assertThat(this.events).contains(new SandboxEvent.CleanupUnproven("id"));
		this.driver.only().settled.complete(null);
		assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
	}

	@Test
	void aListenerThatThrowsHarmsNobody() {
		DriverSession deaf = session((event) -> {
			throw new IllegalStateException("from the listener");
		});
		this.driver.onStart = (execution) -> execution.end(Exit.Kind.EXITED, 0);
		assertThat(deaf.run(COMMAND).succeeded()).isTrue();
		this.driver.onStart = ScriptedExecution::endUnproven;
		assertThat(deaf.run(COMMAND).status()).isEqualTo(ExecStatus.SIGNALLED);
		assertThat(deaf.admission()).isEqualTo(new AdmissionStatus(1, 2, 0, 1));
	}

	@Test
	void whateverComesFirstThereIsOneResultAndNoSlotLeft() {
		Random random = new Random(1);
		for (int round = 0; round < 300; round++) {
			int kind = random.nextInt(3);
			this.driver.onStart = ScriptedExecution::obeying;
			SandboxProcess process = this.session
				.start(COMMAND.withTimeout(Duration.ofNanos(1 + random.nextInt(200_000))));
			ScriptedExecution execution = this.driver.started().get(round);
			CompletableFuture<?> racing = switch (kind) {
				case 0 -> CompletableFuture.runAsync(() -> execution.end(Exit.Kind.EXITED, 0), this.executor);
				case 1 -> CompletableFuture.runAsync(() -> process.cancel("enough"), this.executor);
				default -> CompletableFuture.runAsync(() -> execution.end(Exit.Kind.SIGNALLED, 15), this.executor);
			};
			racing.join();
			ExecStatus byItself = List.of(ExecStatus.EXITED, ExecStatus.CANCELLED, ExecStatus.SIGNALLED).get(kind);
			assertThat(process.onExit()).succeedsWithin(LONG)
				.extracting(ExecResult::status)
				.isIn(byItself, ExecStatus.TIMED_OUT);
			assertThat(this.session.admission()).isEqualTo(new AdmissionStatus(0, 2, 0, 0));
		}
	}

	private DriverSession session(SandboxListener listener) {
		SessionLimits defaults = SessionLimits.defaults();
		SessionLimits limits = new SessionLimits(2, defaults.maxReadBytes(), defaults.maxWriteBytes(),
				defaults.maxStreamBytes(), defaults.maxEntries());
		return new DriverSession("id", this.driver, NetworkPolicy.denyAll(), limits,
				new SessionResources(this.executor, this.timer, listener));
	}

	private <T> CompletableFuture<T> async(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, this.executor);
	}

	private static void assertFails(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.extracting(SandboxException::code)
			.isEqualTo(code);
	}

}
