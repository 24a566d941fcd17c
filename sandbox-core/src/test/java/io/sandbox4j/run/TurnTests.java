package io.sandbox4j.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of turns.
 */
@Tag("isolation")
class TurnTests {

	@RegisterExtension
	static final RunsExtension fixture = new RunsExtension();

	private static String shell(Turn turn, String script) {
		return turn.session().run(ExecSpec.shell(script)).orThrow().stdoutText().strip();
	}

	@Test
	void aTurnIsAnsweredFromItsSandbox() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> shell(turn, "cat README; echo " + turn.text()));
		Submission submission = sandbox.submit("r", "1", "world");
		assertThat(submission.accepted()).isTrue();
		OperationRecord settled = RunsExtension.settled(sandbox, "1");
		assertThat(settled.status()).isEqualTo(OperationStatus.DONE);
		assertThat(settled.answer()).isEqualTo("hello\nworld");
	}

	@Test
	void messagesAreKeptInOrderAndReplacedInPlace() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			turn.message("a", "1");
			turn.message("b", "2");
			turn.message("a", "3");
			return "";
		});
		sandbox.submit("r", "1", "");
		RunsExtension.settled(sandbox, "1");
		PollResult all = sandbox.poll("r", "1", Duration.ZERO, 0);
		assertThat(all.messages()).containsExactly(MessageRecord.of(0, "a", "3"), MessageRecord.of(1, "b", "2"));
		assertThat(all.messages().get(0).digest())
			.isEqualTo("4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce");
		PollResult rest = sandbox.poll("r", "1", Duration.ZERO, 1);
		assertThat(rest.messages()).containsExactly(MessageRecord.of(1, "b", "2"));
		assertThat(rest.next()).isEqualTo(2);
	}

	@Test
	void theSameIdIsTheSameOperation() {
		AtomicInteger turns = new AtomicInteger();
		DurableSandbox sandbox = fixture.sandbox((turn) -> "turn " + turns.incrementAndGet());
		sandbox.submit("r", "1", "x");
		RunsExtension.settled(sandbox, "1");
		Submission again = sandbox.submit("r", "1", "x");
		assertThat(again.accepted()).isFalse();
		assertThat(again.operation().answer()).isEqualTo("turn 1");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.submit("r", "1", "y"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
		assertThat(turns).hasValue(1);
	}

	@Test
	void ofManyThatSubmitOneIdAtOnceOneIsAccepted() {
		AtomicInteger turns = new AtomicInteger();
		DurableSandbox sandbox = fixture.sandbox((turn) -> "turn " + turns.incrementAndGet());
		List<Boolean> accepted = IntStream.range(0, 16)
			.parallel()
			.mapToObj((i) -> sandbox.submit("r", "1", "x").accepted())
			.toList();
		RunsExtension.settled(sandbox, "1");
		assertThat(accepted).containsOnlyOnce(true);
		assertThat(turns).hasValue(1);
	}

	@Test
	void turnsOfAConversationComeOneAfterTheOtherInOrder() {
		AtomicInteger active = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			most.accumulateAndGet(active.incrementAndGet(), Math::max);
			shell(turn, "echo " + turn.text() + " >>order");
			active.decrementAndGet();
			return "";
		});
		for (int i = 0; i < 5; i++) {
			sandbox.submit("r", "o" + i, String.valueOf(i));
		}
		RunsExtension.settled(sandbox, "o4");
		assertThat(most).hasValue(1);
		assertThat(new String(sandbox.read("order").orElseThrow())).isEqualTo("0\n1\n2\n3\n4\n");
	}

	@Test
	void turnsOfDifferentConversationsRunSideBySide() {
		CyclicBarrier both = new CyclicBarrier(2);
		DurableSandbox sandbox = fixture.sandbox((turn) -> String.valueOf(both.await(20, TimeUnit.SECONDS)));
		sandbox.createRun(RunSpec.of("other"));
		sandbox.submit("r", "1", "");
		sandbox.submit("other", "1", "");
		assertThat(RunsExtension.settled(sandbox, "1").status()).isEqualTo(OperationStatus.DONE);
		assertThat(RunsExtension.settled(sandbox, "other", "1").status()).isEqualTo(OperationStatus.DONE);
	}

	@Test
	void aRunThatContinuesSharesTheConversationAndAForkBranchesFromIt() {
		DurableSandbox sandbox = fixture
			.sandbox((turn) -> turn.conversation() + " " + turn.parent() + " " + turn.first());
		String conversation = sandbox.createRun(RunSpec.of("r")).run().conversation();
		sandbox.createRun(RunSpec.of("next").continuing("r"));
		sandbox.createRun(RunSpec.of("fork").forking("r"));
		sandbox.submit("r", "1", "");
		sandbox.submit("next", "2", "");
		sandbox.submit("fork", "3", "");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo(conversation + " null true");
		assertThat(RunsExtension.settled(sandbox, "next", "2").answer()).isEqualTo(conversation + " null false");
		assertThat(RunsExtension.settled(sandbox, "fork", "3").answer()).endsWith(" " + conversation + " true")
			.doesNotStartWith(conversation);
	}

	@Test
	void aRunIsFoundAgainAsItWasMadeAndNotOtherwise() {
		DurableSandbox sandbox = fixture.sandbox(Turn::text);
		RunCreation again = sandbox.createRun(RunSpec.of("r"));
		assertThat(again.created()).isFalse();
		refused(sandbox, RunSpec.of("r").withCwd("src"), ErrorCode.SANDBOX_STATE_MISMATCH);
		refused(sandbox, RunSpec.of("x").withCwd("src").continuing("r"), ErrorCode.SANDBOX_STATE_MISMATCH);
		refused(sandbox, RunSpec.of("x").forking("nobody"), ErrorCode.SANDBOX_NOT_FOUND);
		refused(sandbox, RunSpec.of("x").withCwd("../x"), ErrorCode.SANDBOX_PATH);
		sandbox.createRun(RunSpec.of("y"));
		refused(sandbox, RunSpec.of("y").continuing("r"), ErrorCode.SANDBOX_STATE_MISMATCH);
	}

	private static void refused(DurableSandbox sandbox, RunSpec spec, ErrorCode code) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.createRun(spec))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	@Test
	void turnsRunWhereTheirRunIs() {
		DurableSandbox sandbox = fixture.runs((turn) -> shell(turn, "pwd")).sandbox("s");
		sandbox.exec(ExecSpec.shell("mkdir -p a/b"));
		sandbox.createRun(RunSpec.of("r").withCwd("a/b"));
		sandbox.submit("r", "1", "");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("/workspace/a/b");
	}

	@Test
	void aFailureOfTheAgentIsTold() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			throw new AgentFailedException("No model answers.");
		});
		sandbox.submit("r", "1", "");
		OperationRecord settled = RunsExtension.settled(sandbox, "1");
		assertThat(settled.reason()).isEqualTo(UnansweredReason.FAILED);
		assertThat(settled.answer()).isEqualTo("No model answers.");
	}

	@Test
	void whatAnUnexpectedFailureSaysIsNotTold() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			if (turn.operation().equals("2")) {
				throw new StackOverflowError();
			}
			throw new IllegalStateException("Bearer s3cret");
		});
		sandbox.submit("r", "1", "");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).contains("IllegalStateException")
			.doesNotContain("s3cret");
		sandbox.submit("r", "2", "");
		assertThat(RunsExtension.settled(sandbox, "2").reason()).isEqualTo(UnansweredReason.FAILED);
	}

	@Test
	void aQuietTurnIsNotTakenForFinished() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> shell(turn, "sleep 2; echo end"));
		sandbox.submit("r", "1", "");
		PollResult early = sandbox.poll("r", "1", Duration.ofMillis(700), 0);
		assertThat(early.operation().status()).isEqualTo(OperationStatus.RUNNING);
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("end");
	}

	@Test
	void whatATurnLeavesRunningEndsWithIt() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			turn.session().start(ExecSpec.of("sleep", "300"));
			return "done";
		});
		sandbox.submit("r", "1", "");
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("done");
		assertThat(sandbox.<Integer>use((session) -> session.admission().active())).isZero();
	}

	@Test
	void theLedgerTellsTheWholeStoryWithoutAGap() {
		DurableSandbox sandbox = fixture.sandbox((turn) -> {
			turn.message("m", "content");
			return "";
		});
		sandbox.submit("r", "1", "");
		RunsExtension.settled(sandbox, "1");
		List<RunEvent> events = sandbox.events(0, 100);
		assertThat(events).extracting(RunEvent::kind)
			.containsExactly("sandbox/created", "run/created", "operation/queued", "sandbox/making", "sandbox/started",
					"operation/running", "operation/message", "operation/settled");
		assertThat(events).extracting(RunEvent::sequence).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
	}

	@Test
	void unknownIdsAreNamed() {
		DurableSandbox sandbox = fixture.sandbox(Turn::text);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.submit("x", "1", ""))
			.withMessageContaining("no such run");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.poll("r", "1", Duration.ZERO, 0))
			.withMessageContaining("no such operation");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.submit("r", "a b", ""))
			.withMessageContaining("'operation'");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> sandbox.submit("r", "1", "x".repeat((1 << 20) + 1)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
	}

}
