package io.sandbox4j.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Runs that are stopped.
 */
@Tag("isolation")
class RunStopTests {

	private static final String STUBBORN = "trap '' TERM; sleep 500 & sleep 500 & echo $$ >>started; wait";

	@RegisterExtension
	static final RunsExtension fixture = new RunsExtension();

	private static String stubborn(Turn turn) {
		turn.session().run(ExecSpec.shell(STUBBORN));
		return "the agent went on";
	}

	private static void awaitStart(DurableSandbox sandbox) {
		await().atMost(Duration.ofSeconds(20)).until(() -> sandbox.stat("started").isPresent());
	}

	@Test
	void nothingRunsAnyMoreWhenItReturns() {
		DurableSandbox sandbox = fixture.sandbox(RunStopTests::stubborn);
		sandbox.submit("r", "1", "");
		awaitStart(sandbox);
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(sandbox.<Integer>use((session) -> session.admission().active())).isZero();
		OperationRecord settled = sandbox.poll("r", "1", Duration.ZERO, 0).operation();
		assertThat(settled.reason()).isEqualTo(UnansweredReason.ABORTED);
	}

	@Test
	void whatWaitsBehindIsSettledToo() {
		DurableSandbox sandbox = fixture.sandbox(RunStopTests::stubborn);
		sandbox.submit("r", "1", "");
		sandbox.submit("r", "2", "");
		awaitStart(sandbox);
		sandbox.stopRun("r");
		assertThat(sandbox.poll("r", "2", Duration.ZERO, 0).operation().reason()).isEqualTo(UnansweredReason.ABORTED);
	}

	@Test
	void aStoppedRunTakesNoTurnAndIsContinuedByAnother() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> turn.conversation() + " " + turn.first());
		String conversation = sandbox.createRun(RunSpec.of("r")).run().conversation();
		sandbox.submit("r", "1", "");
		RunsExtension.settled(sandbox, "1");
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.submit("r", "2", ""))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		assertThat(sandbox.submit("r", "1", "").operation().status()).isEqualTo(OperationStatus.DONE);
		sandbox.createRun(RunSpec.of("next").continuing("r"));
		sandbox.submit("next", "1", "");
		assertThat(RunsExtension.settled(sandbox, "next", "1").answer()).isEqualTo(conversation + " false");
	}

	@Test
	void aTurnThatNeverBeganIsNoTurnOfTheConversation() {
		CountDownLatch go = new CountDownLatch(1);
		DurableSandbox sandbox = fixture.runs((turn) -> {
			if (turn.run().equals("other")) {
				go.await(20, TimeUnit.SECONDS);
			}
			return String.valueOf(turn.first());
		}, (builder) -> builder.maxTurns(1)).sandbox("s");
		for (String run : List.of("other", "r")) {
			sandbox.createRun(RunSpec.of(run));
			sandbox.submit(run, "1", "");
		}
		sandbox.stopRun("r");
		go.countDown();
		assertThat(sandbox.poll("r", "1", Duration.ZERO, 0).operation().owner()).isEmpty();
		sandbox.createRun(RunSpec.of("next").continuing("r"));
		sandbox.submit("next", "1", "");
		assertThat(RunsExtension.settled(sandbox, "next", "1").answer()).isEqualTo("true");
	}

	@Test
	void otherRunsAndCommandsGoOn() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			ExecResult result = turn.session()
				.run(ExecSpec.shell("touch " + turn.run() + "; until [ -e go ]; do sleep 0.1; done"));
			return result.status().name();
		});
		sandbox.createRun(RunSpec.of("other"));
		sandbox.submit("r", "1", "");
		sandbox.submit("other", "1", "");
		await().atMost(Duration.ofSeconds(20))
			.until(() -> sandbox.stat("r").isPresent() && sandbox.stat("other").isPresent());
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(sandbox.poll("other", "1", Duration.ZERO, 0).operation().status())
			.isEqualTo(OperationStatus.RUNNING);
		sandbox.exec(ExecSpec.of("touch", "go"));
		assertThat(RunsExtension.settled(sandbox, "other", "1").answer()).isEqualTo("EXITED");
	}

	@Test
	void aTurnThatIgnoresItsEndCanDoNothingInTheSandboxAnyMore() throws Exception {
		CountDownLatch ended = new CountDownLatch(1);
		CountDownLatch tried = new CountDownLatch(1);
		AtomicReference<Object> refused = new AtomicReference<>();
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			new Thread(() -> {
				try {
					ended.await(20, TimeUnit.SECONDS);
					turn.session().run(ExecSpec.of("touch", "late"));
				}
				catch (SandboxException ex) {
					refused.set(ex.code());
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				tried.countDown();
			}).start();
			return "";
		});
		sandbox.submit("r", "1", "");
		RunsExtension.settled(sandbox, "1");
		ended.countDown();
		assertThat(tried.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(refused).hasValue(ErrorCode.SANDBOX_STOPPED);
		assertThat(sandbox.stat("late")).isEmpty();
	}

	@Test
	void anAgentThatWaitsAfterItsCommandIsInterruptedToo() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			stubborn(turn);
			new CountDownLatch(1).await();
			return "";
		});
		sandbox.submit("r", "1", "");
		awaitStart(sandbox);
		assertThat(sandbox.stopRun("r")).isTrue();
	}

	@Test
	void commandsOfOtherThreadsOfTheTurnEndWithIt() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			Thread helper = new Thread(() -> stubborn(turn));
			helper.start();
			helper.join();
			return "";
		});
		sandbox.submit("r", "1", "");
		awaitStart(sandbox);
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(sandbox.<Integer>use((session) -> session.admission().active())).isZero();
	}

}
