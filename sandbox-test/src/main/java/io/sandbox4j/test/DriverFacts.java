package io.sandbox4j.test;

import java.io.File;
import java.io.IOException;
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
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.Signal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A driver starts commands, ends them, says how they ended and keeps nothing of them.
 */
interface DriverFacts {

	SandboxDriver driver();

	ContractCommands commands();

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
		sink.assertEnded(execution, Exit.Kind.KILLED, 9);
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
		sink.assertEnded(execution, Exit.Kind.KILLED, 9);
		execution.kill();
		sink.assertEnded(execution, Exit.Kind.KILLED, 9);
	}

	@Test
	default void aKillAtAnyMomentEndsTheCommand() {
		SandboxDriver driver = driver();
		for (int moment = 0; moment < 12; moment++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printAndWait("ready", ""), sink);
			long until = System.nanoTime() + moment * 1_000_000L;
			while (System.nanoTime() < until) {
				Thread.onSpinWait();
			}
			execution.kill();
			sink.assertEnded(execution, Exit.Kind.KILLED, 9);
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
		sink.assertEnded(driver.start(commands().exit(0), sink), Exit.Kind.EXITED, 0);
		ContractSink itself = ContractSink.open();
		itself.assertEnded(driver.start(commands().killItself(), itself), Exit.Kind.SIGNALLED, 9);
		ContractSink signalled = ContractSink.open();
		Execution execution = driver.start(commands().printAndWait("ready", ""), signalled);
		ContractFixture.await().until(() -> signalled.stdoutText().equals("ready"));
		execution.signal(Signal.TERM);
		signalled.assertEnded(execution, Exit.Kind.SIGNALLED, 15);
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
	}

	@Test
	default void nothingIsStartedInADirectoryThatIsNone() {
		SandboxDriver driver = driver();
		ContractSink sink = ContractSink.open();
		ExecSpec command = commands().writeFile("/workspace/trace", "it ran");
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> driver.start(command.withCwd("absent"), sink));
		ContractSink writes = ContractSink.open();
		writes.assertEnded(driver.start(commands().writeFile("/workspace/file", ""), writes), Exit.Kind.EXITED, 0);
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> driver.start(command.withCwd("file"), sink));
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND,
				() -> driver.files().stat(command.withCwd("trace").cwd()));
		assertThat(sink.stdoutSize() + sink.stderrSize()).isZero();
	}

	@Test
	default void aProgramDecidesWhatASignalDoesAndAKillDoesNotAsk() {
		SandboxDriver driver = driver();
		ContractSink catching = ContractSink.open();
		Execution caught = driver.start(commands().exitOnTerm("ready", 42), catching);
		ContractFixture.await().until(() -> catching.stdoutText().equals("ready"));
		caught.signal(Signal.TERM);
		catching.assertEnded(caught, Exit.Kind.EXITED, 42);
		ContractSink ignoring = ContractSink.open();
		Execution ignored = driver.start(commands().ignoreTerm("ready"), ignoring);
		ContractFixture.await().until(() -> ignoring.stdoutText().equals("ready"));
		ignored.signal(Signal.TERM);
		assertThat(ignored.exit()).isNotDone();
		ignored.kill();
		ignoring.assertEnded(ignored, Exit.Kind.KILLED, 9);
	}

	@Test
	default void whatAProgramLeavesBehindEndsWithIt() {
		ContractSink sink = ContractSink.open();
		sink.assertEnded(driver().start(commands().printAndLeaveProcessBehind("done"), sink), Exit.Kind.EXITED, 0);
		assertThat(sink.stdoutText()).isEqualTo("done");
	}

	@Test
	default void aCommandThatHasEndedKeepsNoThreadAndNoDescriptor() {
		SandboxDriver driver = driver();
		startMany(driver, 4);
		long descriptors = descriptors();
		int threads = Thread.activeCount();
		startMany(driver, 16);
		// Fewer than one for each command: others may use this process too.
		ContractFixture.await().untilAsserted(() -> {
			assertThat(descriptors()).isLessThan(descriptors + 12);
			assertThat(Thread.activeCount()).isLessThan(threads + 12);
		});
	}

	private void startMany(SandboxDriver driver, int count) {
		for (int i = 0; i < count; i++) {
			ContractSink sink = ContractSink.open();
			Execution execution = driver.start(commands().printAndWait("ready", ""), sink);
			if (i % 2 == 0) {
				ContractFixture.await().until(() -> sink.stdoutText().equals("ready"));
			}
			execution.kill();
			sink.assertEnded(execution, Exit.Kind.KILLED, 9);
		}
	}

	private static long descriptors() {
		String[] open = new File("/proc/self/fd").list();
		return (open != null) ? open.length : 0;
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

}
