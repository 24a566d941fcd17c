package io.sandbox4j.agentsandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.bubblewrap.WarmSettings;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.TimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Commands that do not run to their end, and what is kept of them.
 */
@Tag("isolation")
class UnfinishedCommandExceptionTests {

	@RegisterExtension
	final SandboxExtension sandboxes = new SandboxExtension();

	@Test
	void aDeadlineKillsTheChildrenAndKeepsTheOutput() throws IOException {
		String time = SandboxExtension.sleepTime();
		SandboxHandle handle = this.sandboxes
			.handle(this.sandboxes.backend((builder) -> builder.warm(WarmSettings.off())));
		ExecSpec command = ExecSpec.builder()
			.command("sh", "-c", "echo part; echo error >&2; setsid sleep " + time + " & sleep " + time)
			.timeout(Duration.ofSeconds(1))
			.build();
		UnfinishedCommandException failure = unfinished(() -> SessionSandbox.of(handle).exec(command));
		assertThat(SandboxExtension.processesWith(time)).isEmpty();
		assertThat(SandboxExtension.processesOf(handle.session().id())).isEmpty();
		assertThat(failure.result().status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(failure.result().stdoutText()).isEqualTo("part\n");
		assertThat(failure.result().stderrText()).isEqualTo("error\n");
		assertThat(failure).hasMessageNotContaining("part");
		assertThat(failure.getCause()).isInstanceOfSatisfying(TimeoutException.class,
				(ex) -> assertThat(ex.getTimeout()).isEqualTo(Duration.ofSeconds(1)));
		assertThat(failure).hasRootCauseInstanceOf(io.sandbox4j.SandboxException.class);
	}

	@Test
	void aCommandWithoutATimeoutHasTheDefaultOne() {
		SessionSandbox sandbox = SessionSandbox.builder(this.sandboxes.handle())
			.defaultTimeout(Duration.ofMillis(700))
			.build();
		UnfinishedCommandException failure = unfinished(() -> sandbox.exec(ExecSpec.of("sleep", "60")));
		assertThat(failure.getCause()).isInstanceOfSatisfying(TimeoutException.class,
				(ex) -> assertThat(ex.getTimeout()).isEqualTo(Duration.ofMillis(700)));
	}

	@Test
	void moreOutputThanAllowedEndsACommandAndTheFirstBytesAreKept() {
		SessionSandbox sandbox = SessionSandbox.builder(this.sandboxes.handle()).maxOutputBytes(1000).build();
		assertThat(sandbox.exec(ExecSpec.of("head", "-c", "1000", "/dev/zero")).stdout()).hasSize(1000);
		UnfinishedCommandException failure = unfinished(() -> sandbox.exec(ExecSpec.of("yes")));
		assertThat(failure.result().status()).isEqualTo(ExecStatus.OUTPUT_LIMIT);
		assertThat(failure.result().stdoutText()).hasSize(1000).startsWith("y\ny\n");
		Refusals.assertCode(failure, ErrorCode.SANDBOX_LIMIT);
	}

	@Test
	void outputIsNotSerialized() {
		SessionSandbox sandbox = SessionSandbox.builder(this.sandboxes.handle()).maxOutputBytes(1000).build();
		UnfinishedCommandException failure = unfinished(() -> sandbox.exec(ExecSpec.of("yes")));
		assertThatExceptionOfType(NotSerializableException.class)
			.isThrownBy(() -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(failure));
	}

	@Test
	void aProgramThatDoesNotExistIsAnException() {
		SessionSandbox sandbox = this.sandboxes.sandbox();
		UnfinishedCommandException failure = unfinished(() -> sandbox.exec(ExecSpec.of("no-such-program")));
		assertThat(failure.result().status()).isEqualTo(ExecStatus.LAUNCH_FAILED);
		assertThat(failure).hasMessageContaining("'no-such-program'");
		Refusals.assertCode(failure, ErrorCode.SANDBOX_NOT_FOUND);
	}

	@Test
	void anInterruptEndsACommandAndKeepsTheFlag() throws Exception {
		String time = SandboxExtension.sleepTime();
		SessionSandbox sandbox = this.sandboxes.sandbox();
		AtomicReference<Thread> runner = new AtomicReference<>();
		AtomicReference<Boolean> flag = new AtomicReference<>();
		CompletableFuture<UnfinishedCommandException> failure = CompletableFuture.supplyAsync(() -> {
			runner.set(Thread.currentThread());
			UnfinishedCommandException thrown = unfinished(() -> sandbox.exec(ExecSpec.of("sleep", time)));
			flag.set(Thread.interrupted());
			return thrown;
		});
		SandboxExtension.awaitProcess(time);
		runner.get().interrupt();
		assertThat(failure.get(20, TimeUnit.SECONDS).getCause()).isInstanceOf(InterruptedException.class);
		assertThat(flag).hasValue(true);
		assertThat(SandboxExtension.processesWith(time)).isEmpty();
	}

	@Test
	void closingEndsEveryCommandAndDeletesTheSession() throws Exception {
		String time = SandboxExtension.sleepTime();
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder);
		SessionSandbox sandbox = SessionSandbox.of(this.sandboxes.handle(backend));
		CompletableFuture<UnfinishedCommandException> running = CompletableFuture
			.supplyAsync(() -> unfinished(() -> sandbox.exec(ExecSpec.of("sleep", time))));
		SandboxExtension.awaitProcess(time);
		assertThat(sandbox.shouldCleanupOnClose()).isTrue();
		sandbox.close();
		sandbox.close();
		assertThat(sandbox.isClosed()).isTrue();
		assertThat(SandboxExtension.processesWith(time)).isEmpty();
		assertThat(backend.sessions()).isEmpty();
		UnfinishedCommandException failure = running.get(20, TimeUnit.SECONDS);
		assertThat(failure.result().status()).isEqualTo(ExecStatus.STOPPED);
		Refusals.assertCode(failure, ErrorCode.SANDBOX_STOPPED);
	}

	private static UnfinishedCommandException unfinished(ThrowingCallable call) {
		UnfinishedCommandException failure = catchThrowableOfType(UnfinishedCommandException.class, call);
		assertThat(failure).isNotNull();
		return failure;
	}

}
