package io.sandbox4j.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What ends a command before its time, and what is left of it then.
 */
interface LimitFacts extends ContractFacts {

	@Test
	default void theDeadlineEndsACommand() {
		Duration timeout = Duration.ofMillis(200);
		ExecResult result = sandbox().session().run(commands().printAndWait("", "").withTimeout(timeout));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(result.exitCode()).isEqualTo(137);
		assertThat(result.reason()).contains("200 ms");
		assertThat(result.duration()).isBetween(timeout, ContractFixture.PATIENCE);
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, result::orThrow);
	}

	@Test
	default void outputBeforeTheDeadlineIsKeptOnBothStreams() {
		ExecResult result = sandbox().session()
			.run(commands().printAndWait("to out", "to err").withTimeout(Duration.ofSeconds(3)));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(result.stdoutText()).isEqualTo("to out");
		assertThat(result.stderrText()).isEqualTo("to err");
	}

	@Test
	default void aDeadlineBeforeAnythingCanRunIsATimeout() {
		ExecResult result = sandbox().session().run(commands().printAndWait("", "").withTimeout(Duration.ofMillis(1)));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
	}

	@Test
	default void outputBeyondTheLimitEndsACommand() {
		ExecResult result = sandbox().session()
			.run(commands().printWithoutEnd().withMaxOutput(32, OutputOverflow.STOP));
		assertThat(result.status()).isEqualTo(ExecStatus.OUTPUT_LIMIT);
		assertThat(result.stdout()).hasSize(32);
		assertThat(result.omittedStdout()).isPositive();
		assertThat(result.reason()).contains("32 bytes");
		ContractFixture.assertFails(ErrorCode.SANDBOX_LIMIT, result::orThrow);
	}

	@Test
	default void outputBeyondTheLimitIsCountedWhenItIsToBeDiscarded() {
		ExecResult result = sandbox().session()
			.run(commands().printBytes(200_000, 100_000).withMaxOutput(1000, OutputOverflow.DISCARD));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.stdout().length + result.stderr().length).isEqualTo(1000);
		assertThat(result.stdout().length + result.omittedStdout()).isEqualTo(200_000);
		assertThat(result.stderr().length + result.omittedStderr()).isEqualTo(100_000);
	}

	@Test
	default void outputUpToTheLimitIsWithinIt() {
		ExecResult result = sandbox().session()
			.run(commands().printBytes(600, 400).withMaxOutput(1000, OutputOverflow.STOP));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.stdout()).hasSize(600);
		assertThat(result.stderr()).hasSize(400);
		assertThat(result.truncated()).isFalse();
	}

	@Test
	default void endlessOutputDoesNotHoldTheDeadlineUp() {
		ExecResult result = sandbox().session()
			.run(commands().printWithoutEnd()
				.withTimeout(Duration.ofMillis(500))
				.withMaxOutput(1000, OutputOverflow.DISCARD));
		assertThat(result.status()).isEqualTo(ExecStatus.TIMED_OUT);
		assertThat(result.stdout()).hasSize(1000);
		assertThat(result.omittedStdout()).isPositive();
	}

	@Test
	default void aCancelledCommandCarriesTheReason() {
		SandboxProcess process = sandbox().session().start(commands().printAndWait("", ""));
		ExecResult result = ContractFixture.result(process.cancel("the user went away"));
		assertThat(result.status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(result.reason()).isEqualTo("the user went away");
		assertThat(result.exitCode()).isEqualTo(137);
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, result::orThrow);
	}

	@Test
	default void theFirstReasonStands() {
		SandboxProcess process = sandbox().session().start(commands().printAndWait("", ""));
		process.cancel("the first");
		assertThat(ContractFixture.result(process.cancel("the second")).reason()).isEqualTo("the first");
	}

	@Test
	default void anInterruptEndsTheCommandAndKeepsTheFlag() {
		SandboxSession session = sandbox().session();
		CompletableFuture<Thread> waiting = new CompletableFuture<>();
		CompletableFuture<ExecResult> cancelled = ContractFixture.async(() -> {
			waiting.complete(Thread.currentThread());
			ExecResult result = session.run(commands().printAndWait("", ""));
			assertThat(Thread.currentThread().isInterrupted()).as("the flag").isTrue();
			return result;
		});
		ContractFixture.await().until(() -> session.admission().active() == 1);
		ContractFixture.result(waiting).interrupt();
		assertThat(ContractFixture.result(cancelled).status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(session.admission().active()).isZero();
	}

	@Test
	default void aThreadThatIsInterruptedAlreadyEndsTheCommand() {
		SandboxSession session = sandbox().session();
		CompletableFuture<ExecResult> cancelled = ContractFixture.async(() -> {
			Thread.currentThread().interrupt();
			return session.run(commands().printAndWait("", ""));
		});
		assertThat(ContractFixture.result(cancelled).status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(session.admission().active()).isZero();
	}

	@Test
	default void outputThatNobodyReadsDoesNotHoldTheDeadlineUp() {
		SandboxProcess process = sandbox().session()
			.start(commands().printWithoutEnd().withTimeout(Duration.ofMillis(500)));
		assertThat(ContractFixture.result(process.onExit()).status()).isEqualTo(ExecStatus.TIMED_OUT);
	}

	@Test
	default void whatAKilledProcessPrintedCanStillBeRead() {
		SandboxProcess process = sandbox().session().start(commands().printAndWait("last words", ""));
		String read = read(process.stdout(), "last words".length());
		ContractFixture.result(process.cancel("enough"));
		assertThat(read).isEqualTo("last words");
		assertThat(read(process.stdout(), 1)).isEmpty();
	}

	private static String read(InputStream stream, int length) {
		try {
			return new String(stream.readNBytes(length), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
