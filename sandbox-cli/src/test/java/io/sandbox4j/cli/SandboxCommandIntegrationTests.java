package io.sandbox4j.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.cli.Cli.Result;
import io.sandbox4j.cli.Cli.Started;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link SandboxCommand} with real sandboxes. After each of them nothing of the
 * run is left.
 */
class SandboxCommandIntegrationTests {

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	@TempDir
	Path directory;

	private Path temporary;

	private Path project;

	private Cli cli;

	@BeforeAll
	static void requireBubblewrap() {
		assumeTrue(
				Boolean.getBoolean("sandbox.test.require-bubblewrap") || Files.isExecutable(Path.of("/usr/bin/bwrap")),
				"bubblewrap is not installed");
	}

	@BeforeEach
	void makeDirectories() throws IOException {
		// The guest of root is another user, who must get through to its workspace.
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.temporary = Files.createDirectory(this.directory.resolve("tmp"));
		this.project = Files.createDirectory(this.directory.resolve("project"));
		Files.writeString(this.project.resolve("file.txt"), "before\n");
		this.cli = new Cli(this.temporary, Files.createDirectory(this.directory.resolve("logs")));
	}

	@AfterEach
	void leavesNothing() {
		assertThat(this.temporary).isEmptyDirectory();
	}

	@ParameterizedTest
	@CsvSource({ "exit 0,0", "exit 7,7", "exit 255,255", "kill -TERM $$,143", "kill -KILL $$,137" })
	void passesTheExitCodeOn(String script, int exitCode) throws Exception {
		Result result = run("--", "sh", "-c", script);
		assertThat(result.exitCode()).isEqualTo(exitCode);
		assertThat(result.text()).isEmpty();
		assertThat(result.err()).isEmpty();
	}

	@Test
	void passesBothStreamsOn() throws Exception {
		Result result = run("--", "sh", "-c", "printf 'höhe\\n'; printf 'tiefe\\n' >&2");
		assertThat(result.text()).isEqualTo("höhe\n");
		assertThat(result.err()).isEqualTo("tiefe\n");
	}

	@Test
	void passesOutputOnWhileTheCommandRuns() throws Exception {
		Started started = this.cli.start("run", "--dir", this.project.toString(), "--", "sh", "-c",
				"echo first; read line; echo \"$line\"");
		await().atMost(Duration.ofSeconds(30)).until(() -> Files.readString(started.out()).equals("first\n"));
		try (var stdin = started.process().getOutputStream()) {
			stdin.write("second\n".getBytes(StandardCharsets.UTF_8));
		}
		assertThat(started.await().text()).isEqualTo("first\nsecond\n");
	}

	@Test
	void passesBinaryInputOnToItsEnd() throws Exception {
		byte[] input = new byte[3_000_000];
		new Random(7).nextBytes(input);
		Result result = this.cli.run(input, "run", "--dir", this.project.toString(), "--", "cat");
		assertThat(result.exitCode()).isZero();
		assertThat(result.out()).isEqualTo(input);
	}

	@Test
	void passesArgumentsOnByteForByte() throws Exception {
		Result result = run("--", "printf", "%s|", "ä b", "", "--dir", "$HOME", "'\"\\", "line\nbreak", "日本");
		assertThat(result.text()).isEqualTo("ä b||--dir|$HOME|'\"\\|line\nbreak|日本|");
	}

	@Test
	@Tag("isolation")
	void killsTheCommandAtItsTimeout() throws Exception {
		String marker = sleepTime();
		Result result = run("--timeout", "0.5", "--", "sh", "-c", "echo part; sleep " + marker);
		assertThat(result.exitCode()).isEqualTo(124);
		assertThat(result.text()).isEqualTo("part\n");
		assertThat(result.err()).contains("did not end within 0.5 s");
		assertThat(sleeping(marker)).isFalse();
	}

	@Test
	void tellsThatAProgramCouldNotBeStarted() throws Exception {
		Result result = run("--", "no-such-program");
		assertThat(result.exitCode()).isEqualTo(127);
		assertThat(result.err()).contains("no-such-program");
	}

	@Test
	@Tag("isolation")
	void worksOnACopy() throws Exception {
		Result result = run("--", "sh", "-c", "cat file.txt; echo after > file.txt; touch new; cat file.txt; ls");
		assertThat(result.text()).isEqualTo("before\nafter\nfile.txt\nnew\n");
		assertThat(this.project.resolve("file.txt")).hasContent("before");
		assertThat(this.project.resolve("new")).doesNotExist();
	}

	@Test
	void removesWhateverTheCommandLeft() throws Exception {
		Result result = run("--", "python3", "-c", """
				import os, subprocess
				os.makedirs('closed/inside/more')
				os.chmod('closed/inside', 0)
				os.chmod('closed', 0)
				os.symlink('/', 'root')
				os.mkfifo('pipe')
				subprocess.Popen(['sleep', '1000'])
				for level in range(60):
				    os.mkdir('d' * 200)
				    os.chdir('d' * 200)
				""");
		assertThat(result.err()).isEmpty();
		assertThat(result.exitCode()).isZero();
	}

	@Test
	@Tag("isolation")
	void worksInPlace() throws Exception {
		giveAway(this.project, 61234);
		giveAway(this.project.resolve("file.txt"), 61234);
		Result result = run("--in-place", "--", "sh", "-c", "echo after > file.txt; id -u");
		assertThat(result.err()).isEmpty();
		assertThat(result.exitCode()).isZero();
		assertThat(this.project.resolve("file.txt")).hasContent("after");
		if (ROOT) {
			assertThat(result.text()).isEqualTo("61234\n");
		}
	}

	@Test
	void neverWorksInPlaceAsRoot() throws Exception {
		assumeTrue(ROOT, "needs a directory of root");
		Result result = run("--in-place", "--", "true");
		assertThat(result.exitCode()).isEqualTo(SandboxCommand.INVALID);
		assertThat(result.err()).contains("belongs to root");
	}

	@Test
	@Tag("isolation")
	void reachesListedOriginsThroughTheGatewayOnly() throws Exception {
		assertThat(run("--network", "https://a.example", "--", "curl", "-sS", "http://b.example/").text())
			.startsWith("Sandbox network denied");
		// It is listed, and at an address that sandboxes must not reach.
		assertThat(run("--network", "http://127.0.0.1:9", "--", "sh", "-c",
				"curl -sS --unix-socket \"$SANDBOX_GATEWAY_SOCKET\" http://127.0.0.1:9/")
			.text()).contains("reason: address_not_allowed");
	}

	@Test
	void hasNoNetworkUnlessAsked() throws Exception {
		assertThat(run("--", "sh", "-c", "ls /sys/class/net /proc/self/net/dev; sed 1,2d /proc/self/net/dev").text())
			.contains("lo:")
			.doesNotContainPattern("(eth|en|wl|veth)\\w*:");
		String own = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
		assertThat(run("--", "readlink", "/proc/self/ns/net").text().trim()).isNotEqualTo(own);
		assertThat(run("--network", "host", "--", "readlink", "/proc/self/ns/net").text().trim()).isEqualTo(own);
	}

	@Test
	@Tag("isolation")
	void reportsTheIsolation() throws Exception {
		Result result = run("--report", "--", "sh", "-c", "exit 3");
		assertThat(result.exitCode()).isEqualTo(3);
		assertThat(result.text()).isEmpty();
		assertThat(result.err()).contains("held for this command: network-denied, write-contained")
			.contains("sandbox:   held")
			.doesNotContain("NOT HELD");
		assertThat(run("--report", "--network", "host", "--", "true").err()).doesNotContain("network-denied")
			.contains("sandbox:   not asked");
	}

	@Test
	void takesTheSandboxWithItWhenItIsTerminated() throws Exception {
		String marker = sleepTime();
		Started started = this.cli.start("run", "--dir", this.project.toString(), "--", "sleep", marker);
		await().atMost(Duration.ofSeconds(30)).until(() -> sleeping(marker));
		started.process().destroy();
		Result result = started.await();
		assertThat(result.exitCode()).isEqualTo(143);
		assertThat(result.err()).isEmpty();
		assertThat(sleeping(marker)).isFalse();
	}

	@Test
	@Tag("isolation")
	void takesTheSandboxWithItWhenItIsKilled() throws Exception {
		String marker = sleepTime();
		Started started = this.cli.start("run", "--dir", this.project.toString(), "--", "sleep", marker);
		await().atMost(Duration.ofSeconds(30)).until(() -> sleeping(marker));
		started.process().destroyForcibly();
		started.await();
		await().atMost(Duration.ofSeconds(5)).until(() -> !sleeping(marker));
		// Nobody was left to remove the files: the next run does.
		assertThat(this.temporary).isNotEmptyDirectory();
		assertThat(run("--", "true").exitCode()).isZero();
	}

	@Test
	void stopsWhenNobodyReadsTheOutput() throws Exception {
		Process process = this.cli.startPiped("run", "--dir", this.project.toString(), "--", "yes");
		try (var stdout = process.getInputStream()) {
			assertThat(stdout.readNBytes(4)).asString().isEqualTo("y\ny\n");
		}
		assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isEqualTo(141);
	}

	@ParameterizedTest
	@CsvSource({ "run --nope -- true", "run true", "run", "walk", "run --dir /no/such/directory -- true" })
	void refusesAWrongCommandLine(String line) throws Exception {
		Result result = this.cli.run(line.split(" "));
		assertThat(result.exitCode()).isEqualTo(SandboxCommand.USAGE);
		assertThat(result.text()).isEmpty();
		assertThat(result.err()).startsWith("sandbox: ").contains("--help");
	}

	@Test
	void helps() throws Exception {
		Result result = this.cli.run("run", "--help");
		assertThat(result.exitCode()).isZero();
		assertThat(result.text()).startsWith("Usage: sandbox run");
		assertThat(run("--", "sh", "-c", "echo $1", "sh", "--help").text()).isEqualTo("--help\n");
	}

	private Result run(String... args) throws Exception {
		String[] line = new String[args.length + 3];
		line[0] = "run";
		line[1] = "--dir";
		line[2] = this.project.toString();
		System.arraycopy(args, 0, line, 3, args.length);
		return this.cli.run(line);
	}

	private static void giveAway(Path path, int user) throws IOException {
		if (ROOT) {
			Files.setAttribute(path, "unix:uid", user);
			Files.setAttribute(path, "unix:gid", user);
		}
	}

	/**
	 * A time that no other process of this machine sleeps.
	 */
	private static String sleepTime() {
		return "5" + ThreadLocalRandom.current().nextInt(10_000, 99_999) + ".25";
	}

	private static boolean sleeping(String time) {
		String commandLine = "sleep\0" + time + "\0";
		// ProcessHandle cannot read the command line of a process that is not dumpable.
		return ProcessHandle.allProcesses()
			.map((process) -> Path.of("/proc", Long.toString(process.pid()), "cmdline"))
			.anyMatch((file) -> {
				try {
					return Files.readString(file, StandardCharsets.ISO_8859_1).equals(commandLine);
				}
				catch (IOException ex) {
					return false;
				}
			});
	}

}
