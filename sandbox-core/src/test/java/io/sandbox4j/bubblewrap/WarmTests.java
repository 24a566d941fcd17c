package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.storage.ProcessIdentity;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sandboxes that wait for their command.
 */
@Tag("isolation")
class WarmTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	@RegisterExtension
	private final BackendExtension sandboxes = new BackendExtension();

	@Test
	void aCommandTakesTheOneThatWaitsAndTheNextIsBuilt() {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		for (int i = 1; i <= 3; i++) {
			awaitReady(backend, 1);
			assertThat(BackendExtension.out(sandbox, "echo $$; cat README")).endsWith("\nhello");
			assertThat(backend.warmStatus().hits()).isEqualTo(i);
		}
		assertThat(warmCommands()).containsExactly(true, true, true);
		assertThat(backend.warmStatus()).satisfies((status) -> {
			assertThat(status.misses()).isZero();
			assertThat(status.builds()).isGreaterThanOrEqualTo(3);
			assertThat(status.buildTime()).isPositive();
		});
	}

	@Test
	void aSessionThatRanNoCommandHasNone() throws IOException {
		BubblewrapBackend backend = backend(WarmSettings.defaults());
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		sandbox.session().files().writeText("a", "a");
		assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty();
		BackendExtension.sh(sandbox, "true");
		awaitReady(backend, 1);
		assertThat(warmCommands()).containsExactly(false);
	}

	@Test
	void offIsOff() {
		BubblewrapBackend backend = backend(WarmSettings.off());
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		BackendExtension.sh(sandbox, "true");
		BackendExtension.sh(sandbox, "true");
		assertThat(warmCommands()).containsExactly(false, false);
		assertThat(backend.warmStatus().builds()).isZero();
		assertThat(backend.warmStatus().misses()).isZero();
	}

	@Test
	void eachIsUsedOnce() {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 1);
		BackendExtension.sh(sandbox,
				"echo x >/tmp/left; echo x >/dev/shm/left; sleep 300 & ulimit -n 100; export LEFT=1; cd /");
		awaitReady(backend, 1);
		assertThat(BackendExtension.out(sandbox,
				"ls /tmp /dev/shm; echo $LEFT; pwd; cat /proc/[0-9]*/comm | grep -c sleep; ulimit -n"))
			.isEqualTo("/dev/shm:\n\n/tmp:\n\n/workspace\n0\n4096");
		assertThat(warmCommands()).containsExactly(true, true);
	}

	@Test
	void whatChangedInTheWorkspaceMeanwhileIsThere() {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 1);
		sandbox.session().files().writeText("late/file", "late");
		sandbox.session().files().remove("README");
		assertThat(BackendExtension.out(sandbox, "cat late/file; ls")).isEqualTo("latelate");
		assertThat(warmCommands()).containsExactly(true);
	}

	@Test
	void whatACommandLeftBehindIsGoneBeforeTheNextOneRuns() {
		BubblewrapBackend backend = backend(early(2));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		for (int i = 0; i < 10; i++) {
			BackendExtension.sh(sandbox,
					"rm -f beat; (trap '' TERM HUP; while :; do echo >beat; done) >/dev/null 2>&1 & "
							+ "while [ ! -e beat ]; do :; done");
			sandbox.session().files().remove("beat");
			assertThat(sandbox.session().files().exists("beat")).isFalse();
			assertThat(BackendExtension.out(sandbox, "ls")).isEqualTo("README");
		}
	}

	@Test
	void aPolicyChangeRetiresWhatWasBuiltUnderTheOldOne() throws IOException {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 1);
		List<Long> before = BackendExtension.processesWithMarker(sandbox.session().id());
		assertThat(before).isNotEmpty();
		sandbox.session().setNetworkPolicy(NetworkPolicy.allowAll());
		assertThat(BackendExtension.out(sandbox, "ls /sys/class/net 2>/dev/null; cat /proc/net/dev | grep -c :"))
			.isEqualTo(Long.toString(interfaces()));
		Awaitility.await()
			.untilAsserted(() -> assertThat(BackendExtension.processesWithMarker(sandbox.session().id()))
				.doesNotContainAnyElementsOf(before));
		sandbox.session().setNetworkPolicy(NetworkPolicy.allow(OriginRule.builder("http://127.0.0.1:9").build()));
		awaitReady(backend, 1);
		assertThat(BackendExtension.out(sandbox, "cat /proc/net/dev | grep -c :; echo $http_proxy")).startsWith("1\n")
			.contains("http://");
		sandbox.session().setNetworkPolicy(NetworkPolicy.denyAll());
		assertThat(BackendExtension.out(sandbox, "cat /proc/net/dev | grep -c :; echo $http_proxy")).isEqualTo("1");
	}

	private static long interfaces() throws IOException {
		try (var lines = Files.lines(Path.of("/proc/net/dev"))) {
			return lines.filter((line) -> line.contains(":")).count();
		}
	}

	@Test
	void oneThatDiedWhileItWaitedIsNotUsed() throws IOException {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		for (int i = 0; i < 5; i++) {
			awaitReady(backend, 1);
			for (long pid : BackendExtension.processesWithMarker(sandbox.session().id())) {
				ProcessIdentity.of(pid).ifPresent(ProcessIdentity::kill);
			}
			Awaitility.await().until(() -> backend.warmStatus().ready() == 0);
			assertThat(BackendExtension.out(sandbox, "echo alive")).isEqualTo("alive");
		}
	}

	@Test
	void aStopLeavesNoneWhateverTheMoment() throws IOException {
		BubblewrapBackend backend = backend(early(3));
		for (int i = 0; i < 15; i++) {
			SandboxHandle sandbox = this.sandboxes.sandbox(backend);
			if (i % 3 == 0) {
				awaitReady(backend, 1);
			}
			else if (i % 3 == 1) {
				BackendExtension.sh(sandbox, "true");
			}
			sandbox.delete();
			assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty();
			assertThat(backend.warmStatus().ready()).isZero();
		}
	}

	@Test
	void commandsKilledAtRandomMomentsLeaveNothing() throws Exception {
		BubblewrapBackend backend = backend(early(2));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		Random random = new Random(11);
		for (int i = 0; i < 60; i++) {
			CompletableFuture<Thread> runner = new CompletableFuture<>();
			CompletableFuture<ExecResult> result = CompletableFuture.supplyAsync(() -> {
				runner.complete(Thread.currentThread());
				return sandbox.session().run(ExecSpec.shell("sleep 300 & setsid sleep 300 & sleep 300"));
			});
			Thread running = runner.join();
			LockSupport.parkNanos(random.nextInt(5_000_000));
			running.interrupt();
			assertThat(result.get(20, TimeUnit.SECONDS).status()).isEqualTo(ExecStatus.CANCELLED);
		}
		assertThat(sandbox.session().admission().active()).isZero();
		sandbox.stop();
		assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty();
		assertThat(backend.warmStatus().hits()).isPositive();
	}

	@Test
	void allSessionsTogetherKeepNoMoreThanTheTotal() {
		BubblewrapBackend backend = backend(new WarmSettings(1, 1, 2, LONG, LONG, true));
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 1; i <= 4; i++) {
			handles.add(this.sandboxes.sandbox(backend));
			int opened = i;
			Awaitility.await().until(() -> backend.warmStatus().builds() == opened);
			assertThat(backend.warmStatus().ready()).isLessThanOrEqualTo(2);
		}
		BackendExtension.sh(handles.get(3), "true");
		BackendExtension.sh(handles.get(0), "true");
		assertThat(warmCommands()).as("the least recently used gave its own up").containsExactly(true, false);
	}

	@Test
	void theyAreGivenUpWhenTheSessionIsIdleAndComeBackWithItsCommands() throws IOException {
		BubblewrapBackend backend = backend(new WarmSettings(2, 2, 10, Duration.ofMillis(300), LONG, true));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 2);
		Awaitility.await().until(() -> backend.warmStatus().ready() == 0);
		Awaitility.await()
			.untilAsserted(() -> assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty());
		BackendExtension.sh(sandbox, "true");
		awaitReady(backend, 2);
	}

	@Test
	void oneThatWaitedTooLongIsNotUsed() {
		BubblewrapBackend backend = backend(new WarmSettings(1, 1, 10, LONG, Duration.ofMillis(1), true));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		Awaitility.await().until(() -> backend.warmStatus().builds() > 0);
		Awaitility.await().until(() -> backend.warmStatus().ready() == 0);
		assertThat(BackendExtension.out(sandbox, "echo cold")).isEqualTo("cold");
	}

	@Test
	void commandsThatComeFastFindMoreThanOne() {
		BubblewrapBackend backend = backend(new WarmSettings(1, 3, 10, LONG, LONG, false));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		IntStream.range(0, 6).forEach((i) -> BackendExtension.sh(sandbox, "true"));
		awaitReady(backend, 3);
	}

	@Test
	void eightAtOnceEachGetTheirOwn() {
		BubblewrapBackend backend = backend(new WarmSettings(4, 8, 10, LONG, LONG, true));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 4);
		List<CompletableFuture<ExecResult>> results = IntStream.range(0, 8)
			.mapToObj((i) -> CompletableFuture
				.supplyAsync(() -> BackendExtension.sh(sandbox, "echo out" + i + "; echo err" + i + " >&2; exit " + i)))
			.toList();
		for (int i = 0; i < 8; i++) {
			ExecResult result = results.get(i).join();
			assertThat(result.stdoutText()).isEqualTo("out" + i + "\n");
			assertThat(result.stderrText()).isEqualTo("err" + i + "\n");
			assertThat(result.exitCode()).isEqualTo(i);
		}
	}

	@Test
	void aWaitingSandboxIsInTheSessionsRecordAndHasNoCommandsSecrets() throws IOException {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 1);
		Optional<Path> records;
		try (var found = Files.find(this.sandboxes.stateDirectory(), 6,
				(path, attributes) -> path.getParent().endsWith("guests") && attributes.isRegularFile())) {
			records = found.findFirst();
		}
		assertThat(records).isPresent();
		long init = Long.parseLong(records.orElseThrow().getFileName().toString());
		assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).contains(init);
	}

	@Test
	void aStreamedProgramReadsAndWritesAsInOneBuiltForIt() throws IOException {
		BubblewrapBackend backend = backend(early(1));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		awaitReady(backend, 1);
		try (SandboxProcess process = sandbox.session().start(ExecSpec.of("cat"))) {
			byte[] bytes = "x".repeat(300_000).getBytes();
			CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
				try {
					process.stdin().write(bytes);
					process.stdin().close();
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
			assertThat(process.stdout().readAllBytes()).isEqualTo(bytes);
			writer.join();
			assertThat(process.onExit().join().status()).isEqualTo(ExecStatus.EXITED);
		}
		assertThat(warmCommands()).containsExactly(true);
	}

	private BubblewrapBackend backend(WarmSettings settings) {
		return this.sandboxes.backend((builder) -> builder.warm(settings));
	}

	private static WarmSettings early(int perSession) {
		return new WarmSettings(perSession, perSession, 64, LONG, LONG, true);
	}

	private static void awaitReady(BubblewrapBackend backend, int count) {
		Awaitility.await().until(() -> backend.warmStatus().ready() >= count);
	}

	private List<Boolean> warmCommands() {
		return this.sandboxes.events()
			.stream()
			.filter(SandboxEvent.CommandFinished.class::isInstance)
			.map(SandboxEvent.CommandFinished.class::cast)
			.map(SandboxEvent.CommandFinished::warm)
			.toList();
	}

}
