package io.sandbox4j.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.Signal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A driver starts commands, delivers what they print, ends them and says how they ended.
 */
interface DriverFacts {

	SandboxDriver driver();

	ContractCommands commands();

	@Test
	default void everythingPrintedIsDeliveredBeforeTheExit() {
		SandboxDriver driver = driver();
		for (int round = 0; round < 5; round++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printBytes(300_000, 200_000), sink);
			List<Integer> atExit = ContractFixture
				.result(execution.exit().thenApply((exit) -> List.of(sink.stdoutSize(), sink.stderrSize())));
			assertThat(atExit).containsExactly(300_000, 200_000);
			assertEnded(sink, execution, Exit.Kind.EXITED, 0);
		}
	}

	@Test
	default void nothingComesAfterTheExitAlsoWhenKilled() {
		SandboxDriver driver = driver();
		for (int round = 0; round < 5; round++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printWithoutEnd(), sink);
			ContractFixture.await().until(() -> sink.stdoutSize() > 0);
			execution.kill();
			assertEnded(sink, execution, Exit.Kind.KILLED, 9);
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
		assertEnded(sink, execution, Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutSize()).isEqualTo(3_000_000);
	}

	@Test
	default void aKillDoesNotWaitForTheSink() {
		ContractSink sink = ContractSink.locked();
		Execution execution = driver().start(commands().printBytes(3_000_000, 0), sink);
		ContractFixture.await().until(() -> sink.stdoutSize() > 0);
		ContractFixture.result(ContractFixture.async(() -> {
			execution.kill();
			return true;
		}));
		sink.unlock();
		assertEnded(sink, execution, Exit.Kind.KILLED, 9);
	}

	@Test
	default void killMayBeCalledOftenAndByMany() {
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().printAndWait("ready", ""), sink);
		ContractFixture.await().until(() -> sink.stdoutText().equals("ready"));
		List<CompletableFuture<Boolean>> killers = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			killers.add(ContractFixture.async(() -> {
				for (int again = 0; again < 20; again++) {
					execution.kill();
				}
				return true;
			}));
		}
		killers.forEach(ContractFixture::result);
		assertEnded(sink, execution, Exit.Kind.KILLED, 9);
		execution.kill();
		assertEnded(sink, execution, Exit.Kind.KILLED, 9);
	}

	@Test
	default void aKillAtAnyMomentEndsTheCommand() {
		SandboxDriver driver = driver();
		for (int moment = 0; moment < 20; moment++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printAndWait("ready", ""), sink);
			long until = System.nanoTime() + moment * 500_000L;
			while (System.nanoTime() < until) {
				Thread.onSpinWait();
			}
			execution.kill();
			assertEnded(sink, execution, Exit.Kind.KILLED, 9);
		}
	}

	@Test
	default void theExitDoesNotChangeAfterwards() throws IOException {
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().exit(7), sink);
		Exit exit = sink.exit(execution);
		execution.kill();
		for (Signal signal : Signal.values()) {
			execution.signal(signal);
		}
		execution.stdin().close();
		assertThat(sink.exit(execution)).isEqualTo(exit).isEqualTo(new Exit(Exit.Kind.EXITED, 7, "", true));
	}

	@Test
	default void everyEndButTheProgramsOwnHasAReason() {
		SandboxDriver driver = driver();
		ContractSink sink = ContractSink.open();
		assertEnded(sink, driver.start(commands().exit(0), sink), Exit.Kind.EXITED, 0);
		ContractSink itself = ContractSink.open();
		assertEnded(itself, driver.start(commands().killItself(), itself), Exit.Kind.SIGNALLED, 9);
		ContractSink signalled = ContractSink.open();
		Execution execution = driver.start(commands().printAndWait("ready", ""), signalled);
		ContractFixture.await().until(() -> signalled.stdoutText().equals("ready"));
		execution.signal(Signal.TERM);
		assertEnded(signalled, execution, Exit.Kind.SIGNALLED, 15);
	}

	@Test
	default void aProgramThatIsMissingIsAnExitAndNoException() {
		ContractSink sink = ContractSink.open();
		Execution execution = driver().start(commands().missingProgram(), sink);
		Exit exit = sink.exit(execution);
		assertThat(exit.kind()).isEqualTo(Exit.Kind.LAUNCH_FAILED);
		assertThat(exit.reason()).contains(commands().missingProgram().executable());
		assertThat(exit.proven()).isTrue();
		assertThat(sink.stdoutText()).isEmpty();
		assertThat(sink.stderrText()).isEmpty();
	}

	@Test
	default void nothingIsStartedInADirectoryThatIsNone() {
		SandboxDriver driver = driver();
		ContractSink sink = ContractSink.open();
		ExecSpec command = commands().writeFile("/workspace/trace", "it ran");
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> driver.start(command.withCwd("absent"), sink));
		ContractSink writes = ContractSink.open();
		assertEnded(writes, driver.start(commands().writeFile("/workspace/file", ""), writes), Exit.Kind.EXITED, 0);
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> driver.start(command.withCwd("file"), sink));
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND,
				() -> driver.files().stat(command.withCwd("trace").cwd()));
		assertThat(sink.stdoutSize() + sink.stderrSize()).isZero();
	}

	@Test
	default void deadlineAndOutputLimitAreTheSessions() {
		ContractSink sink = ContractSink.open();
		ExecSpec command = commands().printBytes(100_000, 0)
			.withTimeout(Duration.ofMillis(1))
			.withMaxOutput(1, OutputOverflow.STOP);
		assertEnded(sink, driver().start(command, sink), Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutSize()).isEqualTo(100_000);
	}

	@Test
	default void theCommandsInputIsWrittenByTheSession() throws IOException {
		ContractSink sink = ContractSink.open();
		ExecSpec command = commands().printInput().withStdin("from the command".getBytes(StandardCharsets.UTF_8));
		Execution execution = driver().start(command, sink);
		try (OutputStream stdin = execution.stdin()) {
			stdin.write("from the session".getBytes(StandardCharsets.UTF_8));
		}
		assertEnded(sink, execution, Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutText()).isEqualTo("from the session");
	}

	@Test
	default void anIdIsAWordThatNeverComesAgain() {
		SandboxDriver driver = driver();
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().exit(0), sink);
			assertThat(execution.id()).matches("\\S+").isEqualTo(execution.id());
			assertThat(ids.add(execution.id())).as("'%s' is new", execution.id()).isTrue();
			sink.exit(execution);
		}
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
				assertEnded(sink, execution, Exit.Kind.EXITED, code);
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
	default void restrictionsAreThoseOfThePolicyThatIsAskedAbout() {
		SandboxDriver driver = driver();
		Set<Restriction> denied = Set.copyOf(driver.restrictions(NetworkPolicy.denyAll()));
		Set<Restriction> allowed = Set.copyOf(driver.restrictions(NetworkPolicy.allowAll()));
		Set<Restriction> listed = Set
			.copyOf(driver.restrictions(NetworkPolicy.allow(OriginRule.of("https://api.example.com", Map.of()))));
		assertThat(denied).doesNotContain(Restriction.EGRESS_BROKERED);
		assertThat(allowed).doesNotContain(Restriction.NETWORK_DENIED, Restriction.EGRESS_BROKERED);
		assertThat(listed).doesNotContain(Restriction.NETWORK_DENIED);
		driver.setNetworkPolicy(NetworkPolicy.allowAll());
		assertThat(driver.restrictions(NetworkPolicy.denyAll())).isEqualTo(denied);
		driver.setNetworkPolicy(NetworkPolicy.denyAll());
		assertThat(driver.restrictions(NetworkPolicy.allowAll())).isEqualTo(allowed);
	}

	@Test
	default void anOwnerIsTheOwner() {
		SandboxDriver driver = driver();
		driver.ensureOwned();
		ContractSink sink = ContractSink.open();
		sink.exit(driver.start(commands().exit(0), sink));
		driver.ensureOwned();
	}

	private static void assertEnded(ContractSink sink, Execution execution, Exit.Kind kind, int value) {
		Exit exit = sink.exit(execution);
		assertThat(exit.kind()).as(exit.reason()).isEqualTo(kind);
		assertThat(exit.value()).isEqualTo(value);
		assertThat(exit.reason().isEmpty()).isEqualTo(kind == Exit.Kind.EXITED);
		assertThat(exit.proven()).isTrue();
		assertThat(sink.complaints()).isEmpty();
	}

}
