package io.sandbox4j.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FakeProgramTests {

	private final FakeStorage storage = new FakeStorage();

	private final FakeSandboxBackend backend = FakeSandboxBackend.builder().storage(this.storage).build();

	@AfterEach
	void close() {
		this.backend.close();
	}

	@Test
	void aProgramOfTheHostIsNeverRun() {
		for (String executable : new String[] { "/bin/sh", "sh", "/usr/bin/id", "java" }) {
			ExecResult result = session().run(ExecSpec.of(executable));
			assertThat(result.status()).isEqualTo(ExecStatus.LAUNCH_FAILED);
			assertThat(result.reason()).contains(executable);
		}
	}

	@Test
	void aProgramIsFoundByItsPathAndItsName() {
		this.backend.on("/usr/bin/python3", (program) -> 3).on("node", (program) -> 4).on("/opt/tool", (program) -> 5);
		assertThat(session().run(ExecSpec.of("python3")).exitCode()).isEqualTo(3);
		assertThat(session().run(ExecSpec.of("/bin/python3")).exitCode()).isEqualTo(3);
		assertThat(session().run(ExecSpec.of("/usr/local/bin/node")).exitCode()).isEqualTo(4);
		assertThat(session().run(ExecSpec.of("/opt/tool")).exitCode()).isEqualTo(5);
		assertThat(session().run(ExecSpec.of("tool")).status()).isEqualTo(ExecStatus.LAUNCH_FAILED);
	}

	@Test
	void theLastRegistrationCounts() {
		this.backend.on("tool", (program) -> 1).on("tool", (program) -> 2);
		assertThat(session().run(ExecSpec.of("tool")).exitCode()).isEqualTo(2);
	}

	@Test
	void theSimplestProgramsAreThere() {
		SandboxSession session = session();
		assertThat(session.run(ExecSpec.of("true")).exitCode()).isZero();
		assertThat(session.run(ExecSpec.of("/bin/false")).exitCode()).isEqualTo(1);
		assertThat(session.run(ExecSpec.of("echo", "a", "b")).stdoutText()).isEqualTo("a b\n");
		assertThat(session.run(ExecSpec.of("pwd")).stdoutText()).isEqualTo("/workspace\n");
		assertThat(session.run(ExecSpec.of("cat", "README", "/workspace/README")).stdoutText()).isEqualTo("hellohello");
		assertThat(session.run(ExecSpec.of("sleep", "0.001")).exitCode()).isZero();
		assertThat(session.run(ExecSpec.of("env").withEnvironment(Map.of("A", "1"))).stdoutText())
			.startsWith("A=1\nHOME=/workspace\n");
	}

	@Test
	void whatAProgramThrowsIsOnStandardError() {
		this.backend.on("tool", (program) -> {
			throw new IllegalStateException("out of order");
		});
		ExecResult result = session().run(ExecSpec.of("tool"));
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.stderrText()).contains("IllegalStateException: out of order").contains("FakeProgramTests");
	}

	@Test
	void aFailedAssertionOfAProgramIsOnStandardError() {
		this.backend.on("tool", (program) -> {
			assertThat(program.args()).containsExactly("--verbose");
			return 0;
		});
		assertThat(session().run(ExecSpec.of("tool", "--quiet")).stderrText()).contains("--verbose", "--quiet");
	}

	@Test
	void aFileThatIsAbsentIsNamedInOneLine() {
		ExecResult result = session().run(ExecSpec.of("cat", "absent"));
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.stderrText()).contains("/workspace/absent").doesNotContain("\tat ");
	}

	@Test
	void anExitCodeHasEightBits() {
		this.backend.on("tool", (program) -> 256 + 7);
		assertThat(session().run(ExecSpec.of("tool")).exitCode()).isEqualTo(7);
	}

	@Test
	void aProgramSeesWhatItWasStartedWith() {
		AtomicReference<FakeInvocation> seen = new AtomicReference<>();
		this.backend.on("tool", (program) -> {
			seen.set(program);
			return program.stdin().readAllBytes().length;
		});
		SandboxSession session = session();
		session.files().createDirectories("src");
		ExecResult result = session.run(ExecSpec.of("/usr/bin/tool", "-x")
			.withCwd("src")
			.withEnvironment(Map.of("A", "1"))
			.withStdin("four".getBytes(StandardCharsets.UTF_8)));
		assertThat(result.exitCode()).isEqualTo(4);
		assertThat(seen.get().executable()).isEqualTo("/usr/bin/tool");
		assertThat(seen.get().args()).containsExactly("-x");
		assertThat(seen.get().environment()).containsEntry("A", "1").containsEntry("HOME", "/workspace");
		assertThat(seen.get().cwd()).hasToString("/workspace/src");
		assertThat(seen.get().networkPolicy()).isEqualTo(NetworkPolicy.denyAll());
	}

	@Test
	void aProgramNamesFilesFromItsWorkingDirectory() {
		this.backend.on("tool", (program) -> {
			program.writeText("out", program.readText("/workspace/README") + program.readText("in"));
			return 0;
		});
		SandboxSession session = session();
		session.files().writeText("src/in", " there");
		session.run(ExecSpec.of("tool").withCwd("src")).orThrow();
		assertThat(session.files().readText("src/out")).isEqualTo("hello there");
	}

	@Test
	void aProgramMayCatchInt() {
		CountDownLatch caught = new CountDownLatch(1);
		this.backend.on("tool", (program) -> {
			program.onSignal((signal) -> caught.countDown());
			program.print("!");
			caught.await();
			return 5;
		});
		SandboxProcess process = session().start(ExecSpec.of("tool"));
		assertThat(process.stdout()).satisfies((stdout) -> assertThat(stdout.read()).isEqualTo('!'));
		process.signal(Signal.INT);
		assertThat(ContractFixture.result(process.onExit()).exitCode()).isEqualTo(5);
	}

	@Test
	void aProgramThatComputesSeesThatItWasKilled() {
		this.backend.on("tool", (program) -> {
			while (!program.killed()) {
				Thread.onSpinWait();
			}
			return 0;
		});
		ExecResult result = session().run(ExecSpec.of("tool").withTimeout(Duration.ofMillis(20)));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
	}

	@Test
	void aProgramThatIgnoresItsKillIsAProcessThatCannotBeProvenGone() {
		CountDownLatch leave = new CountDownLatch(1);
		try (FakeSandboxBackend impatient = FakeSandboxBackend.builder()
			.cleanupTimeout(Duration.ofMillis(20))
			.build()
			.on("tool", (program) -> ignoreInterrupts(leave))) {
			SandboxHandle sandbox = ContractFixture.sandbox(impatient);
			SandboxSession session = sandbox.session();
			assertThat(session.run(ExecSpec.of("tool").withTimeout(Duration.ofMillis(20))).status())
				.isEqualTo(ExecStatus.TIMED_OUT);
			assertThat(session.admission()).isEqualTo(new AdmissionStatus(1, 8, 0, 1));
			ContractFixture.assertFails(ErrorCode.SANDBOX_UNAVAILABLE, sandbox::stop);
			ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY,
					() -> ContractFixture.attach(impatient, sandbox.captureState()));
			leave.countDown();
			ContractFixture.await().until(() -> session.admission().active() == 0);
			sandbox.stop();
			ContractFixture.attach(impatient, sandbox.captureState());
		}
	}

	private static int ignoreInterrupts(CountDownLatch leave) {
		while (leave.getCount() > 0) {
			Thread.onSpinWait();
		}
		return 0;
	}

	@Test
	void aHandleWhoseLeaseWasTakenIsFenced() {
		SandboxHandle old = ContractFixture.sandbox(this.backend);
		this.storage.revokeLease(old.session().id());
		SandboxHandle owner;
		try (FakeSandboxBackend other = FakeSandboxBackend.builder().storage(this.storage).build()) {
			owner = ContractFixture.attach(other, old.captureState());
			ContractFixture.assertFails(ErrorCode.SANDBOX_LEASE_LOST, () -> old.session().run(ExecSpec.of("true")));
			ContractFixture.assertFails(ErrorCode.SANDBOX_LEASE_LOST,
					() -> old.session().files().writeText("README", "from the old owner"));
			ContractFixture.assertFails(ErrorCode.SANDBOX_LEASE_LOST,
					() -> old.session().setNetworkPolicy(NetworkPolicy.allowAll()));
			old.stop();
			assertThat(owner.session().files().readText("README")).isEqualTo("hello");
			assertThat(owner.session().run(ExecSpec.of("true")).succeeded()).isTrue();
		}
	}

	@Test
	void nothingIsIsolatedAndTheFakeSaysSo() {
		assertThat(this.backend.name()).isEqualTo("fake");
		assertThat(this.backend.isolation().held()).isEmpty();
		assertThat(this.backend.isolation().gaps()).isNotEmpty();
		assertThat(session().restrictions()).isEmpty();
	}

	@Test
	void everyPolicyIsAccepted() {
		NetworkPolicy list = NetworkPolicy.allow(OriginRule.of("https://api.example.com", Map.of()));
		SandboxHandle sandbox = this.backend
			.create(SandboxRequest.from(this.backend.prewarm(ContractFixture.template())).network(list).build());
		sandbox.session().setNetworkPolicy(NetworkPolicy.allowAll());
		assertThat(sandbox.session().networkPolicy()).isEqualTo(NetworkPolicy.allowAll());
	}

	private SandboxSession session() {
		return ContractFixture.sandbox(this.backend).session();
	}

}
