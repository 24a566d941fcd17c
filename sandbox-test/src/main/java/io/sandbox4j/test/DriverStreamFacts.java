package io.sandbox4j.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * A driver delivers what commands print and passes on what they read, whole, in order and
 * no faster than it is taken.
 */
interface DriverStreamFacts {

	SandboxDriver driver();

	ContractCommands commands();

	@Test
	default void everythingPrintedIsDeliveredBeforeTheExit() {
		SandboxDriver driver = driver();
		for (int round = 0; round < 3; round++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printBytes(300_000, 200_000), sink);
			List<Integer> atExit = ContractFixture
				.result(execution.exit().thenApply((exit) -> List.of(sink.stdoutSize(), sink.stderrSize())));
			assertThat(atExit).containsExactly(300_000, 200_000);
			sink.assertEnded(execution, Exit.Kind.EXITED, 0);
		}
	}

	@Test
	default void nothingComesAfterTheExitAlsoWhenKilled() {
		SandboxDriver driver = driver();
		for (int round = 0; round < 3; round++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printWithoutEnd(), sink);
			ContractFixture.await().until(() -> sink.stdoutSize() > 0);
			execution.kill();
			sink.assertEnded(execution, Exit.Kind.KILLED, 9);
			int atExit = sink.stdoutSize();
			ContractFixture.result(execution.settled());
			assertThat(sink.stdoutSize()).isEqualTo(atExit);
		}
	}

	@Test
	default void aSinkThatTakesNothingHoldsTheProgram() {
		ContractSink sink = ContractSink.locked();
		Execution execution = driver().start(commands().printBytes(3_000_000, 0), sink);
		ContractFixture.await().until(() -> sink.stdoutSize() > 0);
		int first = sink.stdoutSize();
		assertThat(execution.exit()).as("the rest is not printed").isNotDone();
		assertThat(sink.stdoutSize()).as("one call at a time").isEqualTo(first).isLessThan(3_000_000);
		sink.unlock();
		sink.assertEnded(execution, Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutSize()).isEqualTo(3_000_000);
	}

	@Test
	default void theCommandsInputIsWrittenByTheSession() throws IOException {
		ContractSink sink = ContractSink.open();
		ExecSpec command = commands().printInput().withStdin("from the command".getBytes(StandardCharsets.UTF_8));
		Execution execution = driver().start(command, sink);
		try (OutputStream stdin = execution.stdin()) {
			stdin.write("from the session".getBytes(StandardCharsets.UTF_8));
		}
		sink.assertEnded(execution, Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutText()).isEqualTo("from the session");
	}

	@Test
	default void commandsAtOnceHaveTheirOwnOutputAndEnd() {
		SandboxDriver driver = driver();
		List<CompletableFuture<ContractSink>> commands = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			int code = i;
			commands.add(ContractFixture.async(() -> {
				ContractSink sink = ContractSink.open();
				Execution execution = driver.start(commands().print("out " + code, "err " + code, code), sink);
				sink.assertEnded(execution, Exit.Kind.EXITED, code);
				return sink;
			}));
		}
		for (int i = 0; i < commands.size(); i++) {
			ContractSink sink = ContractFixture.result(commands.get(i));
			assertThat(sink.stdoutText()).isEqualTo("out " + i);
			assertThat(sink.stderrText()).isEqualTo("err " + i);
		}
	}

	@Test
	default void deadlineAndOutputLimitAreTheSessions() {
		ContractSink sink = ContractSink.open();
		ExecSpec command = commands().printBytes(100_000, 0)
			.withTimeout(Duration.ofMillis(1))
			.withMaxOutput(1, OutputOverflow.STOP);
		sink.assertEnded(driver().start(command, sink), Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutSize()).isEqualTo(100_000);
	}

	@Test
	default void whatIsReadComesBackAsItWas() throws IOException {
		byte[] input = new byte[300_000];
		for (int i = 0; i < input.length; i++) {
			input[i] = (byte) (i * 31);
		}
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().printInput(), sink);
		try (OutputStream stdin = execution.stdin()) {
			stdin.write(input);
		}
		sink.assertEnded(execution, Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutBytes()).isEqualTo(input);
	}

	@Test
	default void inputReachesAProgramBeforeItsEnd() throws IOException {
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().printInput(), sink);
		OutputStream stdin = execution.stdin();
		for (String said : new String[] { "one", "one two" }) {
			stdin.write(said.substring(sink.stdoutSize()).getBytes(StandardCharsets.UTF_8));
			stdin.flush();
			ContractFixture.await().until(() -> sink.stdoutText().equals(said));
		}
		assertThat(execution.exit()).as("the input has not ended").isNotDone();
		stdin.close();
		sink.assertEnded(execution, Exit.Kind.EXITED, 0);
	}

	@Test
	default void inputForAProgramThatIsGoneIsAnErrorAndItsCloseIsNone() throws IOException {
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().exit(0), sink);
		sink.assertEnded(execution, Exit.Kind.EXITED, 0);
		assertThatIOException().isThrownBy(() -> {
			execution.stdin().write(new byte[1_000_000]);
			execution.stdin().flush();
		});
		execution.stdin().close();
	}

	@Test
	default void aKillFreesWhoeverWritesInput() {
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().printAndWait("ready", ""), sink);
		ContractFixture.await().until(() -> sink.stdoutText().equals("ready"));
		CompletableFuture<Boolean> writer = ContractFixture.async(() -> {
			try {
				execution.stdin().write(new byte[10_000_000]);
				execution.stdin().flush();
				return false;
			}
			catch (IOException ex) {
				return true;
			}
		});
		execution.kill();
		sink.assertEnded(execution, Exit.Kind.KILLED, 9);
		assertThat(ContractFixture.result(writer)).as("the input was refused").isTrue();
	}

}
