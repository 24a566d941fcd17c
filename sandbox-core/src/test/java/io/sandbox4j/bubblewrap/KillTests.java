package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.Signal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends of commands that come from the host, at every moment, and what they leave:
 * nothing.
 */
@Tag("isolation")
class KillTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension().cold();

	@Test
	void threeHundredStartsKilledWithinTheirFirstMillisecondsLeaveNothing() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "true");
		long descriptors = openDescriptors();
		Random random = new Random(42);
		for (int i = 0; i < 300; i++) {
			AtomicReference<Thread> runner = new AtomicReference<>();
			long delay = random.nextInt(20_000_000);
			CompletableFuture<ExecResult> result = CompletableFuture.supplyAsync(() -> {
				runner.set(Thread.currentThread());
				return sandbox.session().run(ExecSpec.shell("sleep 300 & setsid sleep 300 & sleep 300"));
			});
			while (runner.get() == null) {
				Thread.onSpinWait();
			}
			LockSupport.parkNanos(delay);
			runner.get().interrupt();
			assertThat(result.get(20, TimeUnit.SECONDS).status()).isEqualTo(ExecStatus.CANCELLED);
		}
		assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty();
		assertThat(sandbox.session().admission().active()).isZero();
		assertThat(recordsOf(sandbox)).isEmpty();
		assertThat(openDescriptors()).isLessThan(descriptors + 20);
		assertThat(BackendExtension.out(sandbox, "echo usable")).isEqualTo("usable");
	}

	@Test
	void commandsFromThreadsThatEndAtOnceRunToTheirEnd() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		for (int batch = 0; batch < 50; batch++) {
			List<SandboxProcess> started = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				Thread starter = new Thread(
						() -> started.add(sandbox.session().start(ExecSpec.shell("sleep 0.1; exit 5"))));
				starter.start();
				starter.join();
			}
			for (SandboxProcess process : started) {
				ExecResult result = process.onExit().get(20, TimeUnit.SECONDS);
				assertThat(result.exitCode()).as(result.toString()).isEqualTo(5);
			}
		}
	}

	@Test
	void aCommandOfAThreadThatEndedRunsOn() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		AtomicReference<SandboxProcess> process = new AtomicReference<>();
		Thread starter = new Thread(() -> process.set(sandbox.session().start(ExecSpec.shell("sleep 3; exit 0"))));
		starter.start();
		starter.join();
		assertThat(process.get().onExit().get(20, TimeUnit.SECONDS).status()).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	void aDeadlineKillsWhatLeftTheSession() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		ExecResult result = sandbox.session()
			.run(ExecSpec.shell("setsid sh -c 'sleep 300' & sleep 300 & (trap '' TERM INT HUP; sleep 300)")
				.withTimeout(Duration.ofSeconds(1)));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(result.duration()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
		assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty();
	}

	@Test
	void aBackgroundChildThatHoldsTheOutputDoesNotHoldTheCaller() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		ExecResult result = sandbox.session().run(ExecSpec.shell("setsid sleep 60 & echo done"));
		assertThat(result.stdoutText()).isEqualTo("done\n");
		assertThat(result.duration()).isLessThan(Duration.ofSeconds(1));
	}

	@Test
	void stopEndsEveryCommandAndReleasesTheLease() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		List<SandboxProcess> running = Stream.generate(() -> sandbox.session().start(ExecSpec.of("sleep", "300")))
			.limit(4)
			.toList();
		sandbox.stop();
		for (SandboxProcess process : running) {
			ExecResult result = process.onExit().get(5, TimeUnit.SECONDS);
			assertThat(result.status()).isEqualTo(ExecStatus.STOPPED);
			assertThat(result.exitCode()).isNotZero();
		}
		assertThat(this.sandboxes.events()).contains(new SandboxEvent.SessionStopped(sandbox.session().id()));
	}

	@Test
	void killingTheOuterProcessEndsTheCommandAndIsToldFromAnExit() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		SandboxProcess process = sandbox.session().start(ExecSpec.shell("echo up; sleep 300 & sleep 300"));
		assertThat(process.stdout().read()).isEqualTo('u');
		for (long pid : BackendExtension.processesWithMarker(sandbox.session().id())) {
			String command = BackendExtension.commandLine(Path.of("/proc/" + pid));
			if (command.startsWith("/usr/bin/bwrap")) {
				ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
			}
		}
		ExecResult result = process.onExit().get(10, TimeUnit.SECONDS);
		assertThat(result.status()).isEqualTo(ExecStatus.SIGNALLED);
		assertThat(result.reason()).contains("killed before the program ended");
		Awaitility.await()
			.untilAsserted(() -> assertThat(BackendExtension.processesWithMarker(sandbox.session().id())).isEmpty());
	}

	@Test
	void signalsReachTheProgramAndNotItsChildren() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		SandboxProcess process = sandbox.session()
			.start(ExecSpec
				.shell("trap 'echo int' INT; trap 'echo term; exit 3' TERM; echo up; while :; do sleep 0.05; done"));
		assertThat(new String(process.stdout().readNBytes(3))).isEqualTo("up\n");
		process.signal(Signal.INT);
		assertThat(new String(process.stdout().readNBytes(4))).isEqualTo("int\n");
		process.signal(Signal.TERM);
		assertThat(new String(process.stdout().readAllBytes())).isEqualTo("term\n");
		assertThat(process.onExit().get(5, TimeUnit.SECONDS).exitCode()).isEqualTo(3);
	}

	@Test
	void aSignalSentAtOnceWaitsForTheProgram() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		for (int i = 0; i < 20; i++) {
			SandboxProcess process = sandbox.session().start(ExecSpec.of("sleep", "300"));
			process.signal(Signal.TERM);
			ExecResult result = process.onExit().get(10, TimeUnit.SECONDS);
			assertThat(result.status()).isEqualTo(ExecStatus.SIGNALLED);
			assertThat(result.exitCode()).isEqualTo(143);
		}
	}

	@Test
	void aProgramThatIgnoresTheGraceIsKilled() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		SandboxProcess process = sandbox.session()
			.start(ExecSpec.shell("trap '' TERM; echo up; while :; do sleep 0.05; done"));
		assertThat(process.stdout().read()).isEqualTo('u');
		ExecResult result = process.stop(Duration.ofMillis(300)).get(10, TimeUnit.SECONDS);
		assertThat(result.status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(300));
	}

	@Test
	void aGuestCannotStopItsInitToStayAlive() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		ExecResult result = sandbox.session()
			.run(ExecSpec.shell(
					"kill -STOP 1; kill -KILL 1; python3 -c \"import ctypes; print(ctypes.CDLL(None).ptrace(16,1,0,0))\"; echo end")
				.withTimeout(Duration.ofSeconds(5)));
		assertThat(result.stdoutText()).contains("-1").contains("end");
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	void orphansOfTheProgramAreReapedWhileItRuns() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String zombies = BackendExtension.out(sandbox,
				"for i in 1 2 3 4 5; do sh -c 'sleep 0 & exit 0'; done; sleep 0.3; cat /proc/[0-9]*/stat | grep -c ') Z '");
		assertThat(zombies).isEqualTo("0");
	}

	private List<Path> recordsOf(SandboxHandle sandbox) throws IOException {
		try (Stream<Path> all = Files.walk(this.sandboxes.stateDirectory())) {
			return all.filter((path) -> path.getParent().endsWith("guests")).toList();
		}
	}

	private static long openDescriptors() throws IOException {
		try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

}
