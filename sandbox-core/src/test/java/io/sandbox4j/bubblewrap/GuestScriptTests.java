package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.ExecSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bootstrap and the command line, read by real shells outside a sandbox.
 */
class GuestScriptTests {

	private static final String MARK = "mmmm";

	static Stream<String> shells() {
		return Stream.of("/bin/dash", "/bin/bash");
	}

	@ParameterizedTest
	@MethodSource("shells")
	void anyArgumentArrivesAsItIs(String shell) throws Exception {
		List<String> args = List.of("plain", "", " ", "it's", "\"q\"", "$(id) `id` $x", "a\nb\n", "\n", "-n", "\\", "*",
				"h\u00e9\u2713", "\u0001\t\u007f", "x".repeat(60_000));
		StringBuilder expected = new StringBuilder();
		args.forEach((arg) -> expected.append('<').append(arg).append('>'));
		String[] program = Stream.concat(Stream.of("<%s>"), args.stream()).toArray(String[]::new);
		Result result = run(shell, ExecSpec.of("printf", program));
		assertThat(result.stdout).isEqualTo(expected + MARK);
	}

	@ParameterizedTest
	@MethodSource("shells")
	void anyEnvironmentValueArrivesAsItIs(String shell) throws Exception {
		String value = "a'b\"c\n$(id)\\ \u00e9";
		Result result = run(shell,
				ExecSpec.of("printenv", "l", "s", "IFS").withEnvironment(Map.of("l", value, "s", "2", "IFS", "x")));
		assertThat(result.stdout).isEqualTo(value + "\n2\nx\n" + MARK);
	}

	@Test
	void aSignalIsToldFromAnExitCode() throws Exception {
		assertThat(run("/bin/dash", ExecSpec.of("sh", "-c", "kill -9 $$")).stderr).endsWith(MARK + " X 137 k\n");
		assertThat(run("/bin/dash", ExecSpec.of("sh", "-c", "exit 137")).stderr).endsWith(MARK + " X 137 \n");
	}

	@Test
	void underBashEveryCodeOver128ReadsAsASignal() throws Exception {
		assertThat(run("/bin/bash", ExecSpec.of("sh", "-c", "kill -9 $$")).stderr).endsWith(MARK + " X 137 k\n");
		assertThat(run("/bin/bash", ExecSpec.of("sh", "-c", "exit 3")).stderr).endsWith(MARK + " X 3 k\n");
	}

	@ParameterizedTest
	@MethodSource("shells")
	void aMissingProgramIsToldFromOneThatReturns127(String shell) throws Exception {
		assertThat(run(shell, ExecSpec.of("/no/such")).stderr).contains("/no/such: not found\n" + MARK + " F\n");
		assertThat(run(shell, ExecSpec.of("sh", "-c", "exit 127")).stderr).doesNotContain(MARK + " F")
			.contains(MARK + " X 127 ");
	}

	@ParameterizedTest
	@MethodSource("shells")
	void whatFollowsTheLineIsTheProgramsInput(String shell) throws Exception {
		assertThat(run(shell, ExecSpec.of("cat").withStdin("in\nput".getBytes(StandardCharsets.UTF_8))).stdout)
			.isEqualTo("in\nput" + MARK);
		assertThat(run(shell, ExecSpec.of("sh", "-c", "cat", "x".repeat(20_000))
			.withStdin("input".getBytes(StandardCharsets.UTF_8))).stdout).isEqualTo("input" + MARK);
	}

	@Test
	void theCommandsOwnEnvironmentWins() {
		String line = new String(GuestScript.commandLine(ExecSpec.of("true").withEnvironment(Map.of("A", "own")),
				Map.of("A", "base", "B", "base"), MARK), StandardCharsets.UTF_8);
		assertThat(line).contains("export A='own';", "export B='base';").doesNotContain("A='base'");
	}

	@Test
	void theRelayIsStartedBeforeTheSandboxIsReadyAndOnlyWhenThereIsOne() {
		ResourceLimits limits = ResourceLimits.defaults();
		assertThat(GuestScript.bootstrap(limits, false)).doesNotContain("perl");
		assertThat(GuestScript.bootstrap(limits, true)).containsSubsequence("perl -e \"$2\" 256 ", "|| exit 125",
				GuestScript.READY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bin/dash", "/bin/bash" })
	void anEndOfInputBeforeTheLineRunsNothing(String shell) throws Exception {
		Process process = start(shell);
		process.getOutputStream().write("echo ran".getBytes(StandardCharsets.UTF_8));
		process.getOutputStream().close();
		assertThat(process.getInputStream().readAllBytes()).isEmpty();
		assertThat(process.waitFor()).isZero();
	}

	private static Result run(String shell, ExecSpec command) throws Exception {
		Process process = start(shell);
		byte[] line = new String(GuestScript.commandLine(command, GuestEnvironment.BASE, MARK), StandardCharsets.UTF_8)
			.replace("cd '/workspace'", "cd '/'")
			.getBytes(StandardCharsets.UTF_8);
		if (line.length < GuestScript.commandLine(command, GuestEnvironment.BASE, MARK).length) {
			line = withLength(line);
		}
		process.getOutputStream().write(line);
		process.getOutputStream().write(command.stdin());
		process.getOutputStream().close();
		Result result = new Result(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
				new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
		process.waitFor();
		return result;
	}

	// The announced length of a long line must follow the change of the directory.
	private static byte[] withLength(byte[] line) {
		String text = new String(line, StandardCharsets.UTF_8);
		if (!text.startsWith("eval")) {
			return line;
		}
		int newline = text.indexOf('\n');
		byte[] rest = text.substring(newline + 1).getBytes(StandardCharsets.UTF_8);
		byte[] head = ("eval \"$(head -c " + rest.length + ")\"\n").getBytes(StandardCharsets.UTF_8);
		byte[] both = new byte[head.length + rest.length];
		System.arraycopy(head, 0, both, 0, head.length);
		System.arraycopy(rest, 0, both, head.length, rest.length);
		return both;
	}

	private static Process start(String shell) throws IOException {
		ResourceLimits defaults = ResourceLimits.defaults();
		ResourceLimits limits = new ResourceLimits(defaults.openFiles(), 0, defaults.fileSizeBytes(),
				defaults.cpuTime(), defaults.tmpBytes(), defaults.shmBytes());
		ProcessBuilder builder = shell.endsWith("bash")
				? new ProcessBuilder(shell, "--posix", "-c", GuestScript.bootstrap(limits, false), "init", "\n")
				: new ProcessBuilder(shell, "-c", GuestScript.bootstrap(limits, false), "init", "\n");
		return builder.start();
	}

	private record Result(String stdout, String stderr) {

	}

}
