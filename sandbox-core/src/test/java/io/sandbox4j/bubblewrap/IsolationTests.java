package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.Isolation;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a command cannot see or do, tried from inside. Runs as root and as an ordinary
 * user.
 */
@Tag("isolation")
class IsolationTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@Test
	void everyCheckOfTheProbeHolds() {
		Isolation isolation = this.sandboxes.backend().isolation();
		assertThat(isolation.gaps()).isEmpty();
		assertThat(isolation.held()).containsExactlyInAnyOrder(Restriction.NETWORK_DENIED, Restriction.WRITE_CONTAINED,
				Restriction.SECRETS_HIDDEN, Restriction.PROCESS_CONTAINED, Restriction.EGRESS_BROKERED,
				Restriction.RESOURCES_BOUNDED);
	}

	@Test
	void filesThatTheGuestWritesNeverBelongToTheHostsRoot() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo x > mine");
		Path file = workspaceOf(sandbox).resolve("mine");
		int expected = BackendExtension.isRoot() ? 65532 : GuestUser.ownUid();
		assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(expected).isNotEqualTo(0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noSysctlIsWritableInAnyNetworkMode(boolean hostNetwork) {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		sandbox.session().setNetworkPolicy(hostNetwork ? NetworkPolicy.allowAll() : NetworkPolicy.denyAll());
		assertThat(BackendExtension.out(sandbox, "find /proc -type f -writable 2>/dev/null | wc -l")).isEqualTo("0");
		ExecResult write = BackendExtension.sh(sandbox, "echo '|/tmp/x' > /proc/sys/kernel/core_pattern");
		assertThat(write.succeeded()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/x", "/usr/x", "/usr/bin/x", "/etc/x", "/dev/x", "/proc/x", "/lib/x", "/home", "/root",
			"/run/x", "/run/sandbox/x" })
	void nothingOutsideTheWorkspaceCanBeWritten(String path) {
		ExecResult result = BackendExtension.sh(this.sandboxes.sandbox(), "echo x > " + path);
		assertThat(result.succeeded()).isFalse();
		assertThat(result.stderrText()).containsAnyOf("Read-only", "Permission denied", "nonexistent", "Directory");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/root", "/home", "/var", "/run/user", "/run/lock", "/sys", "/boot", "/srv", "/mnt",
			"/opt", "/etc/shadow", "/etc/machine-id", "/etc/ssh", "/etc/ssl/private" })
	void theHostsFilesAreNotThere(String path) {
		assertThat(BackendExtension.sh(this.sandboxes.sandbox(), "ls -d " + path).succeeded()).isFalse();
	}

	@Test
	void theStateDirectoryIsNotVisible() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		assertThat(BackendExtension.sh(sandbox, "ls " + this.sandboxes.stateDirectory()).succeeded()).isFalse();
	}

	@Test
	void onlyTheWorkspaceOutlivesACommand() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo a > /workspace/kept; echo b > /tmp/gone; echo c > /dev/shm/gone");
		assertThat(BackendExtension.out(sandbox, "cat /workspace/kept; ls /tmp /dev/shm"))
			.isEqualTo("a\n/dev/shm:\n\n/tmp:");
	}

	@Test
	void twoSandboxesShareNoScratchSpaceAndNoProcess() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle one = this.sandboxes.sandbox(backend);
		SandboxHandle other = this.sandboxes.sandbox(backend);
		try (SandboxProcess running = one.session()
			.start(ExecSpec.shell("touch /tmp/marker /dev/shm/marker; echo up; exec sleep 30")
				.withEnvironment(Map.of("MARKER", "of-one")))) {
			assertThat(running.stdout().read()).isEqualTo('u');
			assertThat(BackendExtension.out(other, "ls /tmp /dev/shm")).doesNotContain("marker");
			assertThat(BackendExtension.out(other, "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"))
				.doesNotContain("of-one");
			assertThat(BackendExtension.out(other, "ls -d /proc/[0-9]* | wc -l")).isIn("3", "4", "5");
		}
	}

	@Test
	void theEnvironmentHoldsWhatWasGivenAndNothingOfTheHost() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		ExecResult result = sandbox.session()
			.run(ExecSpec.of("/usr/bin/env").withEnvironment(Map.of("PATH", "/usr/bin", "GIVEN", "é\n'\"$x")));
		assertThat(result.stdoutText().lines()).contains("PATH=/usr/bin", "HOME=/workspace", "GIVEN=é", "'\"$x");
		assertThat(result.stdoutText().lines().map((line) -> line.replaceAll("=.*", "")))
			.containsExactlyInAnyOrder("HOME", "PATH", "LANG", "TERM", "TMPDIR", "PWD", "OLDPWD", "GIVEN", "'\"$x");
	}

	@Test
	void secretsOfACommandAreInNoProcessListingAndNoFileOfTheHost() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String secret = "s3cr3t-" + UUID.randomUUID();
		ExecSpec command = ExecSpec.of("/bin/sh", "-c", "echo up; exec sleep 30", secret)
			.withEnvironment(Map.of("TOKEN", secret));
		try (SandboxProcess running = sandbox.session().start(command)) {
			assertThat(running.stdout().read()).isEqualTo('u');
			assertThat(launcherText()).isNotEmpty().doesNotContain(secret);
			assertThat(grep(secret, this.sandboxes.root())).isEmpty();
		}
		assertThat(grep(secret, this.sandboxes.root())).isEmpty();
	}

	@Test
	void theInitShowsNoHostPathAndNoEnvironment() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String shown = BackendExtension.out(sandbox, "tr '\\0' ' ' </proc/1/cmdline; tr '\\0' '\\n' </proc/1/environ");
		assertThat(shown).contains("sandbox4j:")
			.doesNotContain(this.sandboxes.root().toString())
			.doesNotContain("/oldroot")
			.doesNotContain("JAVA");
	}

	@Test
	void theProgramHasItsThreeDescriptorsAndNoOther() {
		ExecResult result = this.sandboxes.sandbox()
			.session()
			.run(ExecSpec.of("/usr/bin/python3", "-c",
					"import os; print([f for f in range(256) if os.path.exists(f'/proc/self/fd/{f}')])"));
		assertThat(result.stdoutText().strip()).isEqualTo("[0, 1, 2]");
	}

	@Test
	void theProgramHasNoCapabilitiesNoNewPrivilegesAndAFilter() {
		String status = BackendExtension.out(this.sandboxes.sandbox(),
				"grep -E '^(Cap|NoNew|Seccomp:)' /proc/self/status");
		assertThat(status.lines().filter((line) -> line.startsWith("Cap"))).hasSize(5)
			.allMatch((line) -> line.matches("Cap...:\\s+0+"));
		assertThat(status).containsPattern("NoNewPrivs:\\s+1").containsPattern("Seccomp:\\s+2");
	}

	@Test
	void nestedUserNamespacesAreRefused() {
		assertThat(BackendExtension.sh(this.sandboxes.sandbox(), "unshare -Ur true").succeeded()).isFalse();
	}

	@Test
	void thereIsNoControllingTerminal() {
		assertThat(BackendExtension.sh(this.sandboxes.sandbox(), ": </dev/tty").succeeded()).isFalse();
	}

	@Test
	void theHostnameIsNotTheHosts() {
		assertThat(BackendExtension.out(this.sandboxes.sandbox(), "cat /proc/sys/kernel/hostname"))
			.isEqualTo("sandbox");
	}

	@Test
	void theHostsLoopbackIsOutOfReach() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
			ExecResult result = sandbox.session()
				.run(ExecSpec.of("curl", "-sS", "-m", "5", "http://127.0.0.1:" + server.getLocalPort() + "/"));
			assertThat(result.exitCode()).isEqualTo(7);
			server.setSoTimeout(100);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(server::accept);
		}
	}

	@Test
	void datagramsDoNotLeave() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
			BackendExtension.sh(sandbox,
					"python3 -c \"import socket; s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.sendto(b'x',('127.0.0.1',"
							+ server.getLocalPort() + "))\"");
			server.setSoTimeout(100);
			assertThatExceptionOfType(SocketTimeoutException.class)
				.isThrownBy(() -> server.receive(new DatagramPacket(new byte[8], 8)));
		}
		assertThat(BackendExtension.sh(sandbox,
				"python3 -c \"import socket; s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.sendto(b'x',('1.1.1.1',53))\"")
			.succeeded()).isFalse();
	}

	@Test
	void namesFailToResolveAtOnce() {
		ExecResult result = this.sandboxes.sandbox()
			.session()
			.run(ExecSpec.of("getent", "hosts", "x.example.org").withTimeout(Duration.ofSeconds(10)));
		assertThat(result.status()).isEqualTo(ExecStatus.EXITED);
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.duration()).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void socketsOfTheHostAreOutOfReach() throws Exception {
		String name = "sandbox4j-" + UUID.randomUUID();
		Path path = this.sandboxes.root().resolve("host.sock");
		String server = "import socket,sys\na=socket.socket(socket.AF_UNIX); a.bind('\\0" + name
				+ "'); a.listen()\nb=socket.socket(socket.AF_UNIX); b.bind('" + path
				+ "'); b.listen()\nprint('up',flush=True)\nsys.stdin.read()";
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Process host = new ProcessBuilder("/usr/bin/python3", "-c", server).start();
		try {
			assertThat(host.getInputStream().read()).isEqualTo('u');
			for (String address : List.of("'\\\\0" + name + "'", "'" + path + "'", "'/run/user/0/bus'",
					"'/var/run/docker.sock'")) {
				ExecResult result = BackendExtension.sh(sandbox,
						"python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect(" + address + ")\"");
				assertThat(result.stderrText()).as(address)
					.containsAnyOf("ConnectionRefusedError", "FileNotFoundError");
			}
		}
		finally {
			host.destroyForcibly();
		}
	}

	@Test
	void theHostsNetworkIsThereUnderAllowAllAndGoneAgainUnderDenyAll() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
			String connect = "python3 -c \"import socket; socket.create_connection(('127.0.0.1',"
					+ server.getLocalPort() + "),5)\"";
			sandbox.session().setNetworkPolicy(NetworkPolicy.allowAll());
			assertThat(sandbox.session().restrictions()).doesNotContain(Restriction.NETWORK_DENIED);
			assertThat(BackendExtension.sh(sandbox, connect).stderrText()).isEmpty();
			sandbox.session().setNetworkPolicy(NetworkPolicy.denyAll());
			assertThat(sandbox.session().restrictions()).contains(Restriction.NETWORK_DENIED);
			assertThat(BackendExtension.sh(sandbox, connect).succeeded()).isFalse();
		}
	}

	@Test
	void loopbackInsideWorks() {
		ExecResult result = BackendExtension.sh(this.sandboxes.sandbox(),
				"python3 -c \"import socket; s=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(); c=socket.create_connection(s.getsockname()); print('ok')\"");
		assertThat(result.stdoutText().strip()).isEqualTo("ok");
	}

	@Test
	void scratchSpaceIsBounded() {
		SandboxHandle sandbox = this.sandboxes.sandbox(this.sandboxes.backend((builder) -> builder
			.resourceLimits(new ResourceLimits(4096, 512, 1 << 30, Duration.ofMinutes(1), 1 << 20, 1 << 20))));
		assertThat(BackendExtension.sh(sandbox, "head -c 2000000 /dev/zero > /tmp/x").stderrText())
			.contains("No space left");
		assertThat(BackendExtension.sh(sandbox, "head -c 2000000 /dev/zero > /dev/shm/x").stderrText())
			.contains("No space left");
	}

	@Test
	void aFileBeyondItsLimitEndsTheProgramWithAReason() {
		SandboxHandle sandbox = this.sandboxes.sandbox(this.sandboxes.backend((builder) -> builder
			.resourceLimits(new ResourceLimits(4096, 512, 4096, Duration.ofMinutes(1), 1 << 20, 1 << 20))));
		ExecResult result = sandbox.session().run(ExecSpec.of("dd", "if=/dev/zero", "of=big", "bs=1024", "count=9"));
		assertThat(result.status()).isEqualTo(ExecStatus.RESOURCE_LIMIT);
		assertThat(result.reason()).contains("size limit");
		assertThat(BackendExtension.out(sandbox, "wc -c < big")).isEqualTo("4096");
	}

	@Test
	void cpuTimeBeyondItsLimitEndsTheProgramWithAReason() {
		SandboxHandle sandbox = this.sandboxes.sandbox(this.sandboxes.backend((builder) -> builder
			.resourceLimits(new ResourceLimits(4096, 512, 1 << 30, Duration.ofSeconds(1), 1 << 20, 1 << 20))));
		ExecResult result = sandbox.session().run(ExecSpec.of("/usr/bin/python3", "-c", "while True: pass"));
		assertThat(result.status()).isEqualTo(ExecStatus.RESOURCE_LIMIT);
		assertThat(result.reason()).contains("CPU time");
	}

	@Test
	void aForkBombIsContainedAndTheSessionStaysUsable() {
		SandboxHandle sandbox = this.sandboxes.sandbox(this.sandboxes.backend((builder) -> builder
			.resourceLimits(new ResourceLimits(4096, 64, 1 << 30, Duration.ofMinutes(1), 1 << 20, 1 << 20))));
		ExecResult result = sandbox.session()
			.run(ExecSpec.of("/bin/bash", "-c", "f() { f | f & }; f; sleep 20").withTimeout(Duration.ofSeconds(3)));
		assertThat(result.status()).isIn(ExecStatus.TIMED_OUT, ExecStatus.EXITED);
		assertThat(BackendExtension.out(sandbox, "echo usable")).isEqualTo("usable");
	}

	@Test
	void oneSandboxThatUsesItsProcessesUpLeavesOthersTheirs() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder
			.resourceLimits(new ResourceLimits(4096, 32, 1 << 30, Duration.ofMinutes(1), 1 << 20, 1 << 20)));
		SandboxHandle greedy = this.sandboxes.sandbox(backend);
		SandboxHandle other = this.sandboxes.sandbox(backend);
		try (SandboxProcess running = greedy.session().start(ExecSpec.of("/usr/bin/python3", "-c", """
				import subprocess, time
				try:
				    while True: subprocess.Popen(['sleep', '30'])
				except OSError:
				    print('up', flush=True)
				time.sleep(30)
				"""))) {
			assertThat(running.stdout().read()).isEqualTo('u');
			assertThat(BackendExtension.out(other, "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1 & done; wait; echo ok"))
				.isEqualTo("ok");
		}
	}

	@Test
	void aLinkIntoTheSetUpOfTheNextCommandChangesNothingOnTheHost() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Path target = Files.createDirectory(this.sandboxes.root().resolve("target"));
		BackendExtension.sh(sandbox, "ln -s /oldroot" + target + " evil; ln -s ../../oldroot" + target
				+ " evil2; rm README; ln -s /oldroot" + target + " tmp");
		BackendExtension.sh(sandbox, "mkdir -p evil/x evil2/y tmp/z; echo pwned > evil/file");
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
			assertThat(entries).isEmpty();
		}
	}

	@Test
	void devicesOfEveryProgramWork() {
		String script = "echo x > /dev/null; head -c 4 /dev/zero | wc -c; head -c 4 /dev/urandom | wc -c; head -c 1 /dev/zero > /dev/full; mknod d c 1 3";
		ExecResult result = BackendExtension.sh(this.sandboxes.sandbox(), script);
		assertThat(result.stdoutText()).isEqualTo("4\n4\n");
		assertThat(result.stderrText()).contains("No space left").contains("Operation not permitted");
	}

	@Test
	void processPoolsThreadsAndGitWork() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		assertThat(BackendExtension.sh(sandbox,
				"python3 -c \"from concurrent.futures import *; print(sum(ProcessPoolExecutor(2).map(abs, range(4))))\"")
			.stdoutText()
			.strip()).isEqualTo("6");
		ExecResult git = BackendExtension.sh(sandbox,
				"git init -q . && git add . && git -c user.name=a -c user.email=a@b.example commit -qm x && git log --oneline | wc -l");
		assertThat(git.stdoutText().strip()).as(git.stderrText()).isEqualTo("1");
	}

	@Test
	void aWorktreeFileInPlaceOfTheGitDirectoryDoesNotStopCommands() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		ExecResult result = BackendExtension.sh(sandbox, "echo 'gitdir: /elsewhere' > .git; ls; git status");
		assertThat(result.stdoutText()).contains("README");
		assertThat(result.exitCode()).isEqualTo(128);
	}

	@Test
	void programsThroughAlternativesWork() {
		assertThat(BackendExtension.sh(this.sandboxes.sandbox(), "echo a b | awk '{print $2}'").stdoutText())
			.isEqualTo("b\n");
	}

	private Path workspaceOf(SandboxHandle sandbox) throws IOException {
		try (Stream<Path> all = Files.walk(this.sandboxes.stateDirectory(), 4)) {
			return all.filter((path) -> path.endsWith(sandbox.session().id() + "/workspace")).findFirst().orElseThrow();
		}
	}

	private static String launcherText() throws IOException {
		StringBuilder text = new StringBuilder();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				String command = BackendExtension.commandLine(process);
				if (command.contains("sandbox4j:")) {
					text.append(command);
					try {
						text.append(Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1));
					}
					catch (IOException ex) {
						// Gone meanwhile, or another user's.
					}
				}
			}
		}
		return text.toString();
	}

	private static String grep(String text, Path directory) throws Exception {
		Process grep = new ProcessBuilder("grep", "-rlF", text, directory.toString()).start();
		return new String(grep.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
