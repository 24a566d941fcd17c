package io.sandbox4j.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications that end, and what the next one does with what they left.
 */
@Tag("isolation")
class RunRestartTests {

	@RegisterExtension
	static final RunsExtension fixture = new RunsExtension();

	@Test
	void filesAndAnswersOutliveTheApplication() {
		SandboxRuns before = fixture.runs((turn) -> {
			turn.session().files().writeText("note", turn.text());
			return "written";
		});
		before.sandbox("s").createRun(RunSpec.of("r"));
		before.sandbox("s").submit("r", "1", "kept");
		RunsExtension.settled(before.sandbox("s"), "1");
		before.close();
		DurableSandbox after = fixture.runs((turn) -> turn.session().files().readText("note")).sandbox("s");
		assertThat(after.submit("r", "1", "kept").operation().answer()).isEqualTo("written");
		after.submit("r", "2", "");
		assertThat(RunsExtension.settled(after, "2").answer()).isEqualTo("kept");
	}

	@Test
	void whatRanIsLostAndNeverRunAgain() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		SandboxRuns before = fixture.runs((turn) -> {
			running.countDown();
			turn.session().run(ExecSpec.of("sleep", "300"));
			return "";
		});
		before.sandbox("s").createRun(RunSpec.of("r"));
		before.sandbox("s").submit("r", "1", "");
		assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
		before.close();
		AtomicInteger turns = new AtomicInteger();
		DurableSandbox after = fixture.runs((turn) -> "turn " + turns.incrementAndGet()).sandbox("s");
		assertThat(RunsExtension.settled(after, "1").reason()).isEqualTo(UnansweredReason.SANDBOX_LOST);
		assertThat(after.submit("r", "1", "").accepted()).isFalse();
		after.submit("r", "2", "");
		assertThat(RunsExtension.settled(after, "2").answer()).isEqualTo("turn 1");
	}

	@Test
	void whatAnApplicationThatDiedWorkedOnIsSettledByTheNext() {
		fixture.store().write("s", (transaction) -> {
			OperationRecord operation = new OperationRecord("s", "r", "1", 0, "x", OperationStatus.RUNNING, null, "",
					"another application", transactionTime(), null);
			transaction.save(SandboxRecord.create("s", transactionTime()).withOperation());
			transaction.save(new RunRecord("s", "r", "c", null, "", false, transactionTime()));
			transaction.save(operation);
			return null;
		});
		DurableSandbox sandbox = fixture.runs((turn) -> "run again").sandbox("s");
		assertThat(RunsExtension.settled(sandbox, "1").reason()).isEqualTo(UnansweredReason.SANDBOX_LOST);
	}

	private static Instant transactionTime() {
		return Instant.parse("2026-01-01T00:00:00Z");
	}

	@Test
	void whatWasQueuedIsDoneByTheNext() {
		SandboxRuns before = fixture.runs((turn) -> {
			throw new IllegalStateException("never");
		}, (builder) -> builder.prepare((session) -> {
			throw new IllegalStateException("no sandbox");
		}).firstPause(Duration.ofHours(1)));
		before.sandbox("s").createRun(RunSpec.of("r"));
		before.sandbox("s").submit("r", "1", "x");
		before.close();
		DurableSandbox after = fixture.runs(Turn::text).sandbox("s");
		assertThat(RunsExtension.settled(after, "1").answer()).isEqualTo("x");
	}

	@Test
	void aSandboxThatCannotBeHadSettlesAfterSeveralAttempts() {
		AtomicInteger attempts = new AtomicInteger();
		DurableSandbox sandbox = fixture.runs(Turn::text, (builder) -> builder.prepare((session) -> {
			attempts.incrementAndGet();
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The template server is away.");
		}).firstPause(Duration.ofMillis(20))).sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		sandbox.submit("r", "1", "x");
		OperationRecord settled = RunsExtension.settled(sandbox, "1");
		assertThat(settled.reason()).isEqualTo(UnansweredReason.SANDBOX_UNAVAILABLE);
		assertThat(settled.answer()).contains("The template server is away.");
		assertThat(attempts).hasValue(5);
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void whileAnotherApplicationHasTheSandboxItsWorkWaits() {
		SandboxRuns before = fixture.runs(Turn::text);
		before.sandbox("s").ensureRunning();
		before.close();
		SandboxRecord record = fixture.store().read((view) -> view.sandbox("s"));
		DurableSandbox sandbox;
		try (SandboxHandle elsewhere = fixture.backend()
			.create(SandboxRequest.attach(record.state()).network(NetworkPolicy.denyAll()).build())) {
			sandbox = fixture.runs(Turn::text).sandbox("s");
			sandbox.createRun(RunSpec.of("r"));
			sandbox.submit("r", "1", "x");
			assertThat(sandbox.poll("r", "1", Duration.ofSeconds(2), 0).operation().status())
				.isEqualTo(OperationStatus.QUEUED);
			assertThat(elsewhere.session().id()).isEqualTo(record.state().sessionId());
		}
		assertThat(RunsExtension.settled(sandbox, "1").answer()).isEqualTo("x");
	}

	@Test
	void aSessionThatWasNotPreparedToItsEndIsMadeAnew() {
		SandboxHandle half = fixture.backend()
			.create(SandboxRequest.from(fixture.template()).network(NetworkPolicy.denyAll()).build());
		half.stop();
		fixture.store().write("s", (transaction) -> {
			transaction.save(SandboxRecord.create("s", transactionTime()).withState(half.captureState(), false));
			return null;
		});
		AtomicInteger prepared = new AtomicInteger();
		DurableSandbox sandbox = fixture
			.runs(Turn::text, (builder) -> builder.prepare((session) -> prepared.incrementAndGet()))
			.sandbox("s");
		assertThat(sandbox.ensureRunning()).isNotEqualTo(half.session().id());
		assertThat(sandbox.ensureRunning()).isEqualTo(sandbox.ensureRunning());
		assertThat(prepared).hasValue(1);
		assertThat(fixture.backend().sessions()).hasSize(1);
	}

	@Test
	void aSessionThatSomebodyDeletedIsMadeAnewAndToldSo() {
		SandboxRuns runs = fixture.runs(Turn::text);
		String first = runs.sandbox("s").ensureRunning();
		fixture.backend().handle(first).orElseThrow().delete();
		String second = runs.sandbox("s").ensureRunning();
		assertThat(second).isNotEqualTo(first);
		assertThat(runs.sandbox("s").events(0, 100)).extracting(RunEvent::kind).contains("sandbox/lost");
	}

	@Test
	void anIdleSandboxIsStoppedAndKeepsItsFiles() {
		SandboxRuns runs = fixture.runs(Turn::text, (builder) -> builder.idleTimeout(Duration.ofMillis(100)));
		DurableSandbox sandbox = runs.sandbox("s");
		String session = sandbox.ensureRunning();
		sandbox.use((live) -> {
			live.files().writeText("kept", "1");
			return null;
		});
		await().atMost(Duration.ofSeconds(20)).until(() -> runs.status().sandboxes() == 0);
		assertThat(sandbox.ensureRunning()).isEqualTo(session);
		assertThat(sandbox.read("kept")).hasValueSatisfying((content) -> assertThat(content).asString().isEqualTo("1"));
	}

	@Test
	void aSubscriberGetsEachEventOnceAcrossTheEndOfAnApplication() {
		SandboxRuns before = fixture.runs(Turn::text);
		before.sandbox("s").createRun(RunSpec.of("r"));
		before.sandbox("s").submit("r", "1", "");
		RunsExtension.settled(before.sandbox("s"), "1");
		before.close();
		SandboxRuns after = fixture.runs(Turn::text);
		List<Long> seen = new CopyOnWriteArrayList<>();
		try (RunSubscription subscription = after.sandbox("s").subscribe(0, (event) -> seen.add(event.sequence()))) {
			assertThat(subscription).isNotNull();
			after.sandbox("s").submit("r", "2", "");
			RunsExtension.settled(after.sandbox("s"), "2");
			await().atMost(Duration.ofSeconds(10))
				.until(() -> seen.size() >= after.sandbox("s").events(0, 1000).size());
		}
		for (int i = 0; i < seen.size(); i++) {
			assertThat(seen.get(i)).isEqualTo(i + 1L);
		}
	}

}
