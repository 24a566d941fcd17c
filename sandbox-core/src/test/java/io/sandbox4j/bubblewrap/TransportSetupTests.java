package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;
import io.sandbox4j.git.FileChange;
import io.sandbox4j.git.SetupFailedException;
import io.sandbox4j.git.WorkspaceTransport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Commands that make a seeded workspace ready.
 */
@Tag("isolation")
class TransportSetupTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private SetupFailedException failed(ExecSpec... commands) {
		WorkspaceTransport transport = this.transport.builder().setup(commands).build();
		return catchThrowableOfType(SetupFailedException.class, transport::seed);
	}

	@Test
	void commandsRunInOrderOverTheSeededTree() throws Exception {
		this.transport.host().write(".gitignore", "order\n").commit("ignore");
		WorkspaceTransport transport = this.transport.builder()
			.setup(ExecSpec.shell("head -1 a.txt >order"), ExecSpec.of("sh", "-c", "echo second >>order"))
			.build();
		transport.seed();
		assertThat(this.transport.guest("cat order")).isEqualTo("one\nsecond");
		this.transport.host().write("b", "b\n");
		transport.reconcile();
		transport.extract();
		assertThat(this.transport.guest("cat order")).isEqualTo("one\nsecond");
		assertThat(this.transport.host().has("order")).isFalse();
	}

	@Test
	void whatASetupWritesAndNobodyIgnoresIsAChangeOfTheSandbox() throws Exception {
		WorkspaceTransport transport = this.transport.builder().setup(ExecSpec.shell("echo lock >lockfile")).build();
		transport.seed();
		assertThat(this.transport.host().has("lockfile")).isFalse();
		assertThat(transport.extract().changes()).containsExactly(new FileChange("lockfile", FileChange.Kind.ADDED));
	}

	@Test
	void theFirstFailureSaysWhichProgramAndHowItEnded() {
		SetupFailedException failure = failed(ExecSpec.shell("true"),
				ExecSpec.of("sh", "-c", "echo out; printf 'err\\033[2J' >&2; exit 7", "s3cret"),
				ExecSpec.shell("echo >never"));
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH);
		assertThat(failure).hasMessageContaining("'sh'").hasMessageContaining("7");
		assertThat(failure.getMessage()).doesNotContain("s3cret").doesNotContain("err");
		assertThat(failure.program()).isEqualTo("sh");
		assertThat(failure.exitCode()).isEqualTo(7);
		assertThat(failure.output()).contains("out\n", "err\uFFFD[2J");
		assertThat(this.transport.guest("ls")).doesNotContain("never");
	}

	@Test
	void theEndOfMuchOutputIsKeptAndEndsNoCommand() {
		SetupFailedException failure = failed(
				ExecSpec.shell("head -c 5000000 /dev/zero | tr '\\0' x; echo last; exit 1"));
		assertThat(failure.output()).hasSize(4096).endsWith("xxxlast\n");
	}

	@Test
	void aDeadlineEndsASetup() {
		SetupFailedException failure = failed(
				ExecSpec.shell("echo begun; sleep 60").withTimeout(Duration.ofMillis(500)));
		assertThat(failure.status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT);
		assertThat(failure.output()).isEqualTo("begun\n");
	}

	@Test
	void aProgramThatIsNotThereIsNamed() {
		SetupFailedException failure = failed(ExecSpec.of("no-such-program"));
		assertThat(failure.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND);
		assertThat(failure.program()).isEqualTo("no-such-program");
	}

	@Test
	void afterAFailureTheWorkspaceIsNotSeededAndTheNextSeedBeginsAnew() throws Exception {
		assertThat(failed(ExecSpec.shell("mkdir -p ro/d; echo x >ro/d/x; chmod -R 500 ro; echo y >>a.txt; exit 1")))
			.isNotNull();
		WorkspaceTransport next = this.transport.builder().setup(ExecSpec.shell("test ! -e ro")).build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(next::extract).withMessageContaining("'seed'");
		this.transport.host().write("new", "n\n");
		next.seed();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
		assertThat(next.extract().changes()).isEmpty();
	}

	@Test
	void anInterruptEndsASetupAndKeepsTheFlag() {
		WorkspaceTransport transport = this.transport.builder()
			.setup(ExecSpec.shell("echo >begun; sleep 60").withTimeout(Duration.ofSeconds(50)))
			.build();
		Thread caller = Thread.currentThread();
		CompletableFuture<Void> interrupter = CompletableFuture.runAsync(() -> {
			Awaitility.await().until(() -> this.transport.sandbox().session().files().exists("begun"));
			caller.interrupt();
		});
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::seed)
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
		interrupter.join();
		assertThat(this.transport.builder().build().seed().changes()).hasSize(2);
		assertThat(this.transport.guest("ls")).doesNotContain("begun");
	}

}
