package io.sandbox4j.test;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A command gets what the caller gave, and its result is what the program did.
 */
interface CommandFacts extends ContractFacts {

	/**
	 * What a shell, a pattern or a terminal would make something else of.
	 */
	String AWKWARD = " a b'c\"d$(id)`id`$HOME\\n\\\\*?[x]%s;|&<>#!~\t\r\n\n{1..2}-\u00e9\u20ac\ud83d\ude00 ";

	@Test
	default void anExitCodeIsDataAndNoException() {
		SandboxSession session = sandbox().session();
		for (int code : new int[] { 0, 1, 7, 255 }) {
			ExecResult result = session.run(commands().exit(code));
			assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
			assertThat(result.exitCode()).isEqualTo(code);
			assertThat(result.succeeded()).isEqualTo(code == 0);
			assertThat(result.reason()).isEmpty();
		}
	}

	@Test
	default void anExitCodeOfTheShellsOwnMeaningIsAnExitCode() {
		SandboxSession session = sandbox().session();
		for (int code : new int[] { 126, 127, 137, 143 }) {
			ExecResult result = session.run(commands().exit(code));
			assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
			assertThat(result.exitCode()).isEqualTo(code);
		}
	}

	@Test
	default void bothStreamsAreKeptApart() {
		ExecResult result = sandbox().session().run(commands().print("to out", "to err", 3));
		assertThat(result.stdoutText()).isEqualTo("to out");
		assertThat(result.stderrText()).isEqualTo("to err");
		assertThat(result.exitCode()).isEqualTo(3);
		assertThat(result.truncated()).isFalse();
	}

	@Test
	default void outputLargerThanAnyPipeArrivesOnBothStreams() {
		ExecResult result = sandbox().session().run(commands().printBytes(300_000, 300_000));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.stdout()).hasSize(300_000);
		assertThat(result.stderr()).hasSize(300_000);
	}

	@Test
	default void argumentsArriveAsTheyWereGiven() {
		ExecResult result = sandbox().session().run(commands().print(AWKWARD, "", 0));
		assertThat(result.stdoutText()).isEqualTo(AWKWARD);
	}

	@Test
	default void environmentArrivesAsItWasGiven() {
		ExecSpec command = commands().printVariable("AWKWARD").withEnvironment(Map.of("AWKWARD", AWKWARD));
		assertThat(sandbox().session().run(command).stdoutText()).isEqualTo(AWKWARD);
	}

	@Test
	default void noCommandSeesTheEnvironmentOfAnother() {
		SandboxSession session = sandbox().session();
		session.run(commands().printVariable("ONCE").withEnvironment(Map.of("ONCE", "x"))).orThrow();
		assertThat(session.run(commands().printVariable("ONCE")).stdoutText()).isEmpty();
	}

	@Test
	default void theHostsEnvironmentIsNotSeen() {
		String ofTheHost = System.getenv()
			.keySet()
			.stream()
			.filter((name) -> name.matches("[A-Z_]+") && !name.matches("PATH|HOME|LANG|TMPDIR|TERM|PWD|OLDPWD|SHLVL|_"))
			.findFirst()
			.orElse("USER");
		assertThat(sandbox().session().run(commands().printVariable(ofTheHost)).stdoutText()).isEmpty();
	}

	@Test
	default void theCommonEnvironmentIsThereAndCanBeOverridden() {
		SandboxSession session = sandbox().session();
		assertThat(session.run(commands().printVariable("HOME")).stdoutText()).isEqualTo("/workspace");
		assertThat(session.run(commands().printVariable("TMPDIR")).stdoutText()).isEqualTo("/tmp");
		ExecSpec overridden = commands().printVariable("HOME").withEnvironment(Map.of("HOME", "/elsewhere"));
		assertThat(session.run(overridden).stdoutText()).isEqualTo("/elsewhere");
	}

	@Test
	default void theWorkingDirectoryIsTheWorkspaceUnlessAnotherIsNamed() {
		SandboxSession session = sandbox().session();
		session.files().createDirectories("a b/c");
		assertThat(session.run(commands().printWorkingDirectory()).stdoutText()).isEqualTo("/workspace");
		assertThat(session.run(commands().printWorkingDirectory().withCwd("a b/c")).stdoutText())
			.isEqualTo("/workspace/a b/c");
	}

	@Test
	default void aWorkingDirectoryThatIsNoneIsRefusedBeforeAnythingRuns() {
		SandboxSession session = sandbox().session();
		ExecSpec command = commands().writeFile("/workspace/trace", "it ran");
		ContractFixture.assertFails(ErrorCode.SANDBOX_NOT_FOUND, () -> session.run(command.withCwd("absent")));
		ContractFixture.assertFails(ErrorCode.SANDBOX_PATH, () -> session.run(command.withCwd("README")));
		assertThat(session.files().exists("trace")).isFalse();
		assertThat(session.admission().active()).isZero();
	}

	@Test
	default void withoutInputTheProgramReadsTheEndAtOnce() {
		ExecResult result = sandbox().session().run(commands().printInput());
		assertThat(result.succeeded()).isTrue();
		assertThat(result.stdout()).isEmpty();
	}

	@Test
	default void inputArrivesToTheLastByte() {
		byte[] input = new byte[900_000];
		for (int i = 0; i < input.length; i++) {
			input[i] = (byte) (i * 31);
		}
		ExecResult result = sandbox().session().run(commands().printInput().withStdin(input));
		assertThat(result.stdout()).isEqualTo(input);
	}

	@Test
	default void aProgramThatDoesNotReadItsInputStillSucceeds() {
		ExecSpec command = commands().exit(0).withStdin(new byte[5_000_000]);
		assertThat(sandbox().session().run(command).succeeded()).isTrue();
	}

	@Test
	default void aCharacterThatComesInTwoReadsIsOneCharacter() {
		byte[] euro = "\u20ac".getBytes(StandardCharsets.UTF_8);
		ExecSpec command = commands().printInPieces(new byte[] { 'Z', euro[0] }, new byte[] { euro[1] },
				new byte[] { euro[2], '!' });
		assertThat(sandbox().session().run(command).stdoutText()).isEqualTo("Z\u20ac!");
	}

	@Test
	default void bytesThatAreNoTextAreKept() {
		byte[] bytes = { 0, (byte) 0xff, '\n', (byte) 0xc3 };
		ExecResult result = sandbox().session().run(commands().printInPieces(bytes));
		assertThat(result.stdout()).isEqualTo(bytes);
		assertThat(result.stdoutText()).isEqualTo("\0\ufffd\n\ufffd");
	}

	@Test
	default void commandsAndFilesShareOneWorkspace() {
		SandboxSession session = sandbox().session();
		session.run(commands().writeFile("by-command", AWKWARD)).orThrow();
		session.files().writeText("by-host", AWKWARD);
		assertThat(session.files().readText("by-command")).isEqualTo(AWKWARD);
		assertThat(session.run(commands().printFile("by-host")).stdoutText()).isEqualTo(AWKWARD);
		assertThat(session.run(commands().printFile("by-command")).stdoutText()).isEqualTo(AWKWARD);
	}

	@Test
	default void aProgramThatDoesNotExistIsALaunchFailure() {
		SandboxSession session = sandbox().session();
		ExecResult result = session.run(commands().missingProgram());
		assertThat(result.status()).isEqualTo(ExecStatus.LAUNCH_FAILED);
		assertThat(result.exitCode()).isEqualTo(127);
		assertThat(result.stdout()).isEmpty();
		assertThat(result.reason()).contains(commands().missingProgram().executable());
		assertThat(session.run(commands().exit(0)).succeeded()).isTrue();
	}

	@Test
	default void aSignalOfItsOwnEndsTheProgramAsSignalled() {
		ExecResult result = sandbox().session().run(commands().killItself());
		assertThat(result.status()).isEqualTo(ExecStatus.SIGNALLED);
		assertThat(result.exitCode()).isEqualTo(137);
		assertThat(result.reason()).isNotEmpty();
	}

	@Test
	default void aProcessThatStaysBehindHoldsNobodyUp() {
		ExecResult result = sandbox().session().run(commands().printAndLeaveProcessBehind("done"));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.succeeded()).isTrue();
		assertThat(result.stdoutText()).isEqualTo("done");
	}

	@Test
	default void commandsRunBesideEachOther() {
		SandboxSession session = sandbox().session();
		try (SandboxProcess running = session.start(commands().printAndWait("", ""))) {
			assertThat(session.run(commands().print("beside", "", 0)).stdoutText()).isEqualTo("beside");
			assertThat(running.onExit()).isNotDone();
		}
	}

	@Test
	default void itsEndIsPublished() {
		SandboxSession session = sandbox().session();
		SandboxProcess process = session.start(commands().exit(3));
		ExecResult result = ContractFixture.result(process.onExit());
		ContractFixture.await()
			.untilAsserted(() -> assertThat(fixture().events(SandboxEvent.CommandFinished.class)).singleElement()
				.satisfies((event) -> {
					assertThat(event.sessionId()).isEqualTo(session.id());
					assertThat(event.commandId()).isEqualTo(process.id());
					assertThat(event.status()).isEqualTo(ExecStatus.EXITED);
					assertThat(event.duration()).isEqualTo(result.duration());
				}));
	}

	@Test
	default void anIdNamesOneCommandOfASessionForGood() {
		SandboxHandle sandbox = sandbox();
		sandbox.session().run(commands().exit(0));
		sandbox.session().run(commands().exit(0));
		sandbox.stop();
		ContractFixture.attach(backend(), sandbox.captureState()).session().run(commands().exit(0));
		ContractFixture.await()
			.untilAsserted(() -> assertThat(fixture().events(SandboxEvent.CommandFinished.class)).hasSize(3)
				.extracting(SandboxEvent.CommandFinished::commandId)
				.doesNotHaveDuplicates());
	}

}
