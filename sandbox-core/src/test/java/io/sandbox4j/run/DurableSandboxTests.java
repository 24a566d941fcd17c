package io.sandbox4j.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.run.CheckoutRecord.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A durable sandbox beside its turns.
 */
@Tag("isolation")
class DurableSandboxTests {

	@RegisterExtension
	static final RunsExtension fixture = new RunsExtension();

	@TempDir
	Path directory;

	@Test
	void variablesOfTheNetworkWinOverTheCommandsAndTheseOverTheGeneralOnes() {
		DurableSandbox sandbox = fixture
			.runs(Turn::text,
					(builder) -> builder.environment(Map.of("A", "general", "B", "general"))
						.networkEnvironment(Map.of("C", "network")))
			.sandbox("s");
		ExecSpec command = ExecSpec.shell("echo $A $B $C").withEnvironment(Map.of("B", "own", "C", "own"));
		assertThat(sandbox.exec(command).stdoutText()).isEqualTo("general own network\n");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> fixture.runs(Turn::text,
					(builder) -> builder.environment(Map.of("A", "")).networkEnvironment(Map.of("A", ""))))
			.withMessageContaining("'environment'")
			.withMessageContaining("A");
	}

	@Test
	void whatIsAbsentIsAnAnswerAndWhatIsRefusedIsNot() {
		DurableSandbox sandbox = fixture.sandbox(Turn::text);
		assertThat(sandbox.read("nothing")).isEmpty();
		assertThat(sandbox.stat("nothing")).isEmpty();
		assertThat(sandbox.list("nothing")).isEmpty();
		assertThat(sandbox.read("README")).isPresent();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.read("../x"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_PATH));
	}

	@Test
	void itIsNotReleasedWhileAnythingWorks() throws Exception {
		CountDownLatch go = new CountDownLatch(1);
		DurableSandbox sandbox = fixture.sandbox((turn) -> String.valueOf(go.await(20, TimeUnit.SECONDS)));
		sandbox.submit("r", "1", "");
		assertThat(sandbox.release().released()).isFalse();
		go.countDown();
		RunsExtension.settled(sandbox, "1");
		sandbox.use((session) -> {
			assertThat(sandbox.release()).isEqualTo(new Release(false, "It is in use."));
			return null;
		});
		assertThat(sandbox.release()).isEqualTo(new Release(true, ""));
		assertThat(sandbox.release()).isEqualTo(new Release(true, ""));
		assertThat(fixture.backend().handles()).isEmpty();
		assertThat(sandbox.read("README")).isPresent();
	}

	@Test
	void itIsBackedUpBeforeItStopsAndAFailureDoesNotKeepItFromStopping() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxRuns runs = fixture.runs(Turn::text, (builder) -> builder.beforeStop(checkpoints::backUp));
		DurableSandbox sandbox = runs.sandbox("s");
		sandbox.exec(ExecSpec.shell("echo one >f"));
		String session = sandbox.ensureRunning();
		assertThat(sandbox.release().released()).isTrue();
		Checkpoint first = checkpoints.latest(session);
		assertThat(first.files()).isEqualTo(2);
		sandbox.exec(ExecSpec.shell("chmod 0 f"));
		assertThat(sandbox.release().released()).isTrue();
		assertThat(fixture.backend().handles()).isEmpty();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.latest(session));
		sandbox.exec(ExecSpec.shell("chmod 600 f"));
		runs.close();
		assertThat(checkpoints.latest(session).parent()).isEqualTo(first.id());
	}

	@Test
	void theEndOfTheApplicationDoesNotCutOffABackup() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		AtomicInteger whole = new AtomicInteger();
		SandboxRuns runs = fixture.runs(Turn::text,
				(builder) -> builder.idleTimeout(Duration.ofMillis(1)).beforeStop((sandbox) -> {
					begun.countDown();
					awaitQuietly(go);
					whole.addAndGet(Thread.currentThread().isInterrupted() ? 100 : 1);
				}));
		runs.sandbox("s").ensureRunning();
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> closed = CompletableFuture.runAsync(runs::close);
		await().untilAsserted(() -> assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> runs.sandbox("other").ensureRunning()));
		go.countDown();
		assertThat(closed).succeedsWithin(Duration.ofSeconds(30));
		assertThat(whole).hasValue(1);
		assertThat(fixture.backend().handles()).isEmpty();
	}

	@Test
	void checkoutsAreNotedAndAskedForWithoutAStart() {
		DurableSandbox sandbox = fixture.sandbox(Turn::text);
		assertThat(sandbox.checkoutDirectory()).isEmpty();
		assertThat(sandbox.noteCheckout("old", Kind.REPOSITORY, "o/old").present()).isFalse();
		sandbox.exec(ExecSpec.shell("git init -q old; mkdir new"));
		assertThat(sandbox.noteCheckout("old", Kind.REPOSITORY, "o/old").present()).isTrue();
		assertThat(sandbox.checkoutDirectory()).hasValue("old");
		sandbox.exec(ExecSpec.shell("rm -rf old/.git"));
		assertThat(sandbox.checkoutDirectory()).isEmpty();
		sandbox.release();
		assertThat(sandbox.checkoutDirectory()).hasValue("old");
		assertThat(fixture.backend().handles()).isEmpty();
	}

	@Test
	void itIsReclaimedOnlyIfNobodyUsedItForLong() {
		SandboxRuns runs = fixture.runs(Turn::text);
		DurableSandbox sandbox = runs.sandbox("s");
		assertThat(sandbox.reclaimIfIdle(Duration.ZERO).reclaimed()).isFalse();
		sandbox.createRun(RunSpec.of("r"));
		sandbox.ensureRunning();
		assertThat(sandbox.reclaimIfIdle(Duration.ofMinutes(1)).reclaimed()).isFalse();
		sandbox.use((session) -> {
			assertThat(sandbox.reclaimIfIdle(Duration.ZERO).reclaimed()).isFalse();
			return null;
		});
		assertThat(sandbox.reclaimIfIdle(Duration.ZERO).reclaimed()).isTrue();
		assertThat(fixture.backend().sessions()).isEmpty();
		assertThat(runs.list("", 10)).isEmpty();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(sandbox::ensureRunning)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		DurableSandbox anew = runs.sandbox("s");
		anew.createRun(RunSpec.of("r"));
		assertThat(anew.ensureRunning()).isNotEmpty();
	}

	@Test
	void itIsNotReclaimedWhileAnotherApplicationHasIt() {
		SandboxRuns runs = fixture.runs(Turn::text);
		DurableSandbox sandbox = runs.sandbox("s");
		sandbox.ensureRunning();
		SandboxState state = runs.list("", 1).get(0).state();
		sandbox.release();
		try (SandboxHandle elsewhere = fixture.backend()
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build())) {
			assertThat(sandbox.reclaimIfIdle(Duration.ZERO).reclaimed()).isFalse();
			assertThat(elsewhere.session().files().exists("README")).isTrue();
		}
		assertThat(sandbox.reclaimIfIdle(Duration.ZERO).reclaimed()).isTrue();
	}

	@Test
	void whatIsSubmittedWhileItIsReclaimedIsKeptOrRefused() throws Exception {
		// A turn that is over no longer keeps it.
		Semaphore mayEnd = new Semaphore(0);
		SandboxRuns runs = fixture.runs((turn) -> {
			mayEnd.acquire();
			return turn.text();
		});
		for (int round = 0; round < 50; round++) {
			DurableSandbox sandbox = runs.sandbox("s" + round);
			sandbox.createRun(RunSpec.of("r"));
			FutureTask<Reclaim> reclaim = new FutureTask<>(() -> sandbox.reclaimIfIdle(Duration.ZERO));
			new Thread(reclaim).start();
			boolean accepted = accepted(sandbox);
			assertThat(accepted && reclaim.get().reclaimed()).isFalse();
			mayEnd.release(accepted ? 1 : 0);
			if (accepted) {
				assertThat(RunsExtension.settled(runs.sandbox("s" + round), "1").answer()).isEqualTo("x");
			}
		}
	}

	private static boolean accepted(DurableSandbox sandbox) {
		try {
			return sandbox.submit("r", "1", "x").accepted();
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isIn(ErrorCode.SANDBOX_NOT_FOUND, ErrorCode.SANDBOX_STOPPED);
			return false;
		}
	}

	@Test
	void nobodyWhoAsksWaitsForASandboxThatStarts() throws Exception {
		CountDownLatch preparing = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		SandboxRuns runs = fixture.runs(Turn::text,
				(builder) -> builder.idleTimeout(Duration.ofMillis(50)).prepare((session) -> {
					preparing.countDown();
					awaitQuietly(go);
				}));
		Thread start = new Thread(() -> runs.sandbox("slow").ensureRunning());
		start.start();
		assertThat(preparing.await(20, TimeUnit.SECONDS)).isTrue();
		try {
			assertThat(runs.status().sandboxes()).isZero();
			assertThat(runs.sandbox("slow").checkoutDirectory()).isEmpty();
		}
		finally {
			go.countDown();
			start.join();
		}
		await().atMost(Duration.ofSeconds(20)).until(() -> fixture.backend().handles().isEmpty());
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void subscriptionsEndWithTheRuns() {
		SandboxRuns runs = fixture.runs(Turn::text);
		try (RunSubscription subscription = runs.sandbox("s").subscribe(0, (event) -> {
		})) {
			assertThat(subscription).isNotNull();
			runs.close();
			await().atMost(Duration.ofSeconds(10))
				.until(() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((thread) -> thread.getName().equals("sandbox-events")));
		}
	}

	@Test
	void resetAndDestroyNeedTheSecret() {
		SandboxRuns runs = fixture.runs(Turn::text);
		DurableSandbox sandbox = runs.sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		sandbox.exec(ExecSpec.of("touch", "file"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.reset("0123456789abcdeX"));
		assertThat(sandbox.stat("file")).isPresent();
		sandbox.reset(RunsExtension.SECRET);
		DurableSandbox fresh = runs.sandbox("s");
		assertThat(fresh.stat("file")).isEmpty();
		assertThat(fresh.createRun(RunSpec.of("r")).created()).isFalse();
		fresh.destroy(RunsExtension.SECRET);
		assertThat(runs.list("", 10)).isEmpty();
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void withoutASecretNobodyResets() {
		try (SandboxRuns runs = SandboxRuns.builder(fixture.backend(), fixture.template(), fixture.store(), Turn::text)
			.network(NetworkPolicy.denyAll())
			.build()) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> runs.sandbox("s").reset(""));
		}
	}

}
