package io.sandbox4j.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.Signal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * A started command's streams, signals and end are in the caller's hands.
 */
interface ProcessFacts extends ContractFacts {

	@Test
	default void outputComesThroughTheStreamsAndNotWithTheResult() {
		SandboxProcess process = sandbox().session().start(commands().print("to out", "to err", 3));
		assertThat(readAll(process.stdout())).isEqualTo("to out");
		assertThat(readAll(process.stderr())).isEqualTo("to err");
		ExecResult result = ContractFixture.result(process.onExit());
		assertThat(result.exitCode()).isEqualTo(3);
		assertThat(result.stdout()).isEmpty();
		assertThat(result.stderr()).isEmpty();
	}

	@Test
	default void aConversationIsPossible() throws IOException {
		SandboxProcess process = sandbox().session().start(commands().printInput());
		OutputStream stdin = process.stdin();
		for (String line : new String[] { "first\n", "second\n" }) {
			stdin.write(line.getBytes(StandardCharsets.UTF_8));
			stdin.flush();
			assertThat(read(process.stdout(), line.length())).isEqualTo(line);
		}
		stdin.close();
		assertThat(ContractFixture.result(process.onExit()).succeeded()).isTrue();
	}

	@Test
	default void theInputOfTheCommandComesBeforeThatOfTheCaller() throws IOException {
		SandboxProcess process = sandbox().session()
			.start(commands().printInput().withStdin("first ".getBytes(StandardCharsets.UTF_8)));
		try (OutputStream stdin = process.stdin()) {
			stdin.write("second".getBytes(StandardCharsets.UTF_8));
		}
		assertThat(readAll(process.stdout())).isEqualTo("first second");
	}

	@Test
	default void inputForAProgramThatIsGoneFails() {
		SandboxProcess process = sandbox().session().start(commands().exit(0));
		ContractFixture.result(process.onExit());
		assertThatIOException().isThrownBy(() -> {
			process.stdin().write(new byte[1_000_000]);
			process.stdin().flush();
		});
	}

	@Test
	default void aProgramWaitsUntilItsOutputIsRead() throws IOException {
		SandboxProcess process = sandbox().session().start(commands().printBytes(3_000_000, 0));
		try (InputStream stdout = process.stdout()) {
			assertThat(stdout.readNBytes(10)).hasSize(10);
			assertThat(process.onExit()).as("it cannot have printed the rest").isNotDone();
			assertThat(stdout.readAllBytes()).hasSize(3_000_000 - 10);
		}
		assertThat(ContractFixture.result(process.onExit()).succeeded()).isTrue();
	}

	@Test
	default void aReaderThatClosesLetsTheProgramGoOn() throws IOException {
		SandboxProcess process = sandbox().session().start(commands().printBytes(3_000_000, 0));
		process.stdout().close();
		assertThat(ContractFixture.result(process.onExit()).status()).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	default void aProgramCanCatchASignal() {
		SandboxProcess process = sandbox().session().start(commands().exitOnTerm("ready", 42));
		assertThat(read(process.stdout(), 5)).isEqualTo("ready");
		process.signal(Signal.TERM);
		ExecResult result = ContractFixture.result(process.onExit());
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.exitCode()).isEqualTo(42);
	}

	@Test
	default void aSignalThatIsNotCaughtEndsTheProgram() {
		SandboxSession session = sandbox().session();
		assertThat(endedBy(session, Signal.TERM)).isEqualTo(143);
		assertThat(endedBy(session, Signal.INT)).isEqualTo(130);
		assertThat(endedBy(session, Signal.KILL)).isEqualTo(137);
	}

	@Test
	default void aSignalForAProgramThatIsGoneDoesNothing() {
		SandboxProcess process = sandbox().session().start(commands().exit(0));
		ContractFixture.result(process.onExit());
		process.signal(Signal.KILL);
		assertThat(ContractFixture.result(process.onExit()).succeeded()).isTrue();
	}

	@Test
	default void stopLetsAProgramEndByItself() {
		SandboxProcess process = sandbox().session().start(commands().exitOnTerm("ready", 42));
		assertThat(read(process.stdout(), 5)).isEqualTo("ready");
		ExecResult result = ContractFixture.result(process.stop(ContractFixture.PATIENCE));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.exitCode()).isEqualTo(42);
	}

	@Test
	default void stopKillsAProgramThatOutlivesTheGrace() {
		SandboxProcess process = sandbox().session().start(commands().ignoreTerm("ready"));
		assertThat(read(process.stdout(), 5)).isEqualTo("ready");
		ExecResult result = ContractFixture.result(process.stop(Duration.ofMillis(100)));
		assertThat(result.status()).isEqualTo(ExecStatus.CANCELLED);
		assertThat(result.exitCode()).isEqualTo(137);
	}

	@Test
	default void stopWithoutGraceKillsAtOnce() {
		SandboxProcess process = sandbox().session().start(commands().exitOnTerm("ready", 42));
		assertThat(read(process.stdout(), 5)).isEqualTo("ready");
		assertThat(ContractFixture.result(process.stop(Duration.ZERO)).status()).isEqualTo(ExecStatus.CANCELLED);
	}

	@Test
	default void closingKillsWhatStillRuns() {
		SandboxSession session = sandbox().session();
		SandboxProcess process = session.start(commands().printAndWait("", ""));
		process.close();
		assertThat(ContractFixture.result(process.onExit()).status()).isEqualTo(ExecStatus.CANCELLED);
		ContractFixture.await().until(() -> session.admission().active() == 0);
	}

	@Test
	default void closingAfterTheEndChangesNothing() {
		SandboxProcess process = sandbox().session().start(commands().exit(7));
		ExecResult result = ContractFixture.result(process.onExit());
		process.close();
		assertThat(ContractFixture.result(process.onExit())).isEqualTo(result);
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	default void theCallerCannotDecideTheResult() {
		SandboxProcess process = sandbox().session().start(commands().printAndWait("", ""));
		process.onExit().cancel(true);
		assertThat(process.onExit()).isNotDone();
		assertThat(ContractFixture.result(process.cancel("enough")).status()).isEqualTo(ExecStatus.CANCELLED);
	}

	@Test
	default void aProgramThatDoesNotExistEndsAsALaunchFailure() {
		SandboxProcess process = sandbox().session().start(commands().missingProgram());
		assertThat(ContractFixture.result(process.onExit()).status()).isEqualTo(ExecStatus.LAUNCH_FAILED);
		assertThat(readAll(process.stdout())).isEmpty();
	}

	private int endedBy(SandboxSession session, Signal signal) {
		SandboxProcess process = session.start(commands().printAndWait("ready", ""));
		assertThat(read(process.stdout(), 5)).isEqualTo("ready");
		process.signal(signal);
		ExecResult result = ContractFixture.result(process.onExit());
		assertThat(result.status()).isEqualTo(ExecStatus.SIGNALLED);
		return result.exitCode();
	}

	private static String readAll(InputStream stream) {
		return read(stream, Integer.MAX_VALUE);
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
