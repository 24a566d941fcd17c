package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Loads the filter into the kernel with bubblewrap, and makes the calls.
 */
class SeccompFilterKernelTests {

	private static final Path NODE = Path.of("/usr/bin/node");

	@TempDir
	private Path directory;

	@Test
	void answersEveryCallOfTheTable() throws Exception {
		Map<String, String> answers = probe(SeccompFilter.current().bytes());
		for (SeccompFilterTests.Call call : SeccompFilterTests.Call.read()) {
			if (!call.answer().equals("args") && call.number(Architecture.current()).isPresent()) {
				assertThat(answers).containsEntry(call.name(), call.answer());
			}
		}
		assertThat(answers).containsEntry("Seccomp", "2")
			.containsEntry("NoNewPrivs", "1")
			.containsEntry("CapEff", "0000000000000000");
	}

	@Test
	void letsNoProcessIntoANewNamespaceOrAnotherProcess() throws Exception {
		assertThat(probe(SeccompFilter.current().bytes())).containsEntry("unshare-user", "EPERM")
			.containsEntry("clone-user", "EPERM")
			.containsEntry("clone-user-high", "EPERM")
			.containsEntry("clone3-user", "ENOSYS")
			.containsEntry("ptrace-attach", "EPERM")
			.containsEntry("ptrace-traceme", "EPERM")
			.containsEntry("personality-query", "OK")
			.containsEntry("personality-no-aslr", "EPERM");
	}

	@Test
	void opensSocketsOfFourFamiliesOnly() throws Exception {
		Map<String, String> answers = probe(SeccompFilter.current().bytes());
		for (String allowed : List.of("unix", "inet", "inet-high", "inet-udp", "inet6", "netlink-route", "pair-unix")) {
			assertThat(answers).containsEntry(allowed, "OK");
		}
		for (String denied : List.of("netlink-audit", "netlink-uevent", "packet", "packet-high", "packet-by-type",
				"smc-by-protocol", "alg", "vsock", "xdp", "pair-inet")) {
			assertThat(answers).containsEntry(denied, "EAFNOSUPPORT");
		}
	}

	@Test
	void typesNothingIntoATerminal() throws Exception {
		assertThat(probe(SeccompFilter.current().bytes())).containsEntry("tiocsti", "EPERM")
			.containsEntry("tiocsti-high", "EPERM")
			.containsEntry("tioclinux", "EPERM")
			.containsEntry("typed", "0")
			.containsEntry("winsize", "OK");
	}

	@Test
	@EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
	void leavesNoWayAroundThroughAnotherCallingConvention() throws Exception {
		Map<String, String> answers = probe(SeccompFilter.current().bytes());
		// A kernel without the 32-bit entry has nothing to filter there: the instruction
		// itself faults, with the filter and without it.
		String refused = probe(null).get("int-0x80").equals("SIGSEGV") ? "SIGSEGV" : "SIGSYS";
		assertThat(answers).containsEntry("int-0x80", refused)
			.containsEntry("int-0x80-thread", refused)
			.containsEntry("x32-getpid", "ENOSYS")
			.containsEntry("x32-ptrace", "ENOSYS");
	}

	@Test
	void isWhatMakesTheDifference() throws Exception {
		Map<String, String> answers = probe(null);
		assertThat(answers).containsEntry("Seccomp", "0")
			.containsEntry("ptrace", "ESRCH")
			.containsEntry("ptrace-traceme", "OK")
			.containsEntry("unshare", "EINVAL")
			.containsEntry("setns", "EBADF")
			.containsEntry("open_tree", "EINVAL")
			.containsEntry("clone3", "E2BIG")
			.containsEntry("personality-no-aslr", "OK");
		assertThat(answers.get("packet")).isNotEqualTo("EAFNOSUPPORT");
		assertThat(answers.get("tiocsti")).isNotEqualTo("EPERM");
	}

	@Test
	void killsAtOnceOnTheWrongMachine() throws Exception {
		for (Architecture architecture : Architecture.values()) {
			byte[] filter = SeccompFilter.forArchitecture(architecture).bytes();
			int status = sandbox(filter, "/bin/true").status();
			int sigsys = 31;
			assertThat(status).isEqualTo((architecture == Architecture.current()) ? 0 : 128 + sigsys);
		}
	}

	@Test
	void letsPythonWork() throws Exception {
		Result result = sandbox(SeccompFilter.current().bytes(), "/usr/bin/python3", "-c",
				resource("seccomp-ordinary.py"));
		assertThat(result.output()).isEqualTo("done\n");
	}

	@Test
	void letsGitWork() throws Exception {
		Result result = sandbox(SeccompFilter.current().bytes(), "/bin/sh", "-ec", """
				cd /tmp && git init -q r && cd r && echo text > file && git add file
				git -c user.name=n -c user.email=n@example.com commit -q -m first
				git -c gc.auto=0 gc -q && git log --format=%s
				""");
		assertThat(result.output()).isEqualTo("first\n");
	}

	@Test
	void letsNodeWork() throws Exception {
		assumeThat(NODE).isExecutable();
		Result result = sandbox(SeccompFilter.current().bytes(), NODE.toString(), "-e", """
				const { execFileSync } = require('child_process');
				const { Worker } = require('worker_threads');
				require('os').networkInterfaces();
				require('fs').promises.readFile('/etc/passwd').then(() => {
					console.log(execFileSync('/bin/echo', ['child']).toString().trim());
					new Worker('console.log("worker")', { eval: true });
				});
				""");
		assertThat(result.output()).isEqualTo("child\nworker\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-XX:-UseNUMA", "-XX:+UseNUMA" })
	void letsJavaWork(String numa) throws Exception {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		Result result = sandbox(SeccompFilter.current().bytes(), java.toString(), numa, "-version");
		assertThat(result.status()).isZero();
		assertThat(result.output()).contains(System.getProperty("java.version")).doesNotContain("not permitted");
	}

	private Map<String, String> probe(byte[] filter) throws Exception {
		List<String> command = new ArrayList<>(List.of("/usr/bin/python3", "-c", resource("seccomp-probe.py")));
		for (SeccompFilterTests.Call call : SeccompFilterTests.Call.read()) {
			call.number(Architecture.current()).ifPresent((number) -> command.add(call.name() + "=" + number));
		}
		Result result = sandbox(filter, command.toArray(String[]::new));
		assertThat(result.status()).as(result.output()).isZero();
		return result.output()
			.lines()
			.map((line) -> line.split(" "))
			.collect(Collectors.toMap((words) -> words[0], (words) -> words[1]));
	}

	private Result sandbox(byte[] filter, String... command) throws Exception {
		Path program = Files.write(this.directory.resolve("filter"), (filter != null) ? filter : new byte[0]);
		Path output = this.directory.resolve("output");
		List<String> line = new ArrayList<>(
				List.of("/bin/sh", "-c", "exec /usr/bin/bwrap \"$@\" 9<\"$0\"", program.toString()));
		line.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
				"--unshare-user", "--unshare-pid", "--unshare-net", "--die-with-parent", "--new-session", "--cap-drop",
				"ALL", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp"));
		line.addAll((filter != null) ? List.of("--seccomp", "9") : List.of("--setenv", "plain", "1"));
		line.add("--");
		line.addAll(Arrays.asList(command));
		Process process = new ProcessBuilder(line).redirectErrorStream(true)
			.redirectInput(Path.of("/dev/null").toFile())
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ends in time").isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		return new Result(process.exitValue(), Files.readString(output));
	}

	private static String resource(String name) throws IOException {
		try (InputStream text = SeccompFilterKernelTests.class.getResourceAsStream(name)) {
			return new String(text.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private record Result(int status, String output) {
	}

}
