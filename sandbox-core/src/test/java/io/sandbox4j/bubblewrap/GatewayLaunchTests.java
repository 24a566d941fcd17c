package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.Signal;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A session's socket and what sandboxes see of it.
 */
@Tag("isolation")
class GatewayLaunchTests {

	private static final String SECRET = "secret-value-of-a-rule";

	private static final NetworkPolicy LIST = NetworkPolicy
		.allow(OriginRule.of("https://api.example.com", Map.of("Authorization", SECRET)));

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private GatewayStub stub;

	@AfterEach
	void closeStub() throws IOException {
		if (this.stub != null) {
			this.stub.close();
		}
	}

	static Stream<NetworkPolicy> policies() {
		return Stream.of(NetworkPolicy.denyAll(), NetworkPolicy.allowAll(), NetworkPolicy.allow(), LIST);
	}

	static Stream<NetworkPolicy> policiesWithoutRules() {
		return Stream.of(NetworkPolicy.denyAll(), NetworkPolicy.allowAll(), NetworkPolicy.allow());
	}

	@ParameterizedTest
	@MethodSource("policies")
	void theSocketIsAloneAndReadOnlyAndServes(NetworkPolicy policy) throws Exception {
		SandboxHandle sandbox = sandbox(policy);
		this.stub = GatewayStub.echo(this.sandboxes.runtimeDirectory(sandbox));
		assertThat(BackendExtension.out(sandbox, "ls -A /run /run/sandbox"))
			.isEqualTo("/run:\nsandbox\n\n/run/sandbox:\ngateway.sock");
		assertThat(BackendExtension.sh(sandbox, "touch /run/sandbox/x").stderrText()).contains("Read-only");
		assertThat(BackendExtension.sh(sandbox, "rm /run/sandbox/gateway.sock").stderrText()).contains("Read-only");
		assertThat(BackendExtension.sh(sandbox, "chmod 666 /run/sandbox/gateway.sock").stderrText())
			.contains("Read-only");
		assertThat(BackendExtension.out(sandbox,
				"curl -s --unix-socket /run/sandbox/gateway.sock http://api.example.com/x"))
			.isEqualTo("GET /x HTTP/1.1");
	}

	@Test
	void theSocketIsOfTheGuestsUserAlone() throws Exception {
		SandboxHandle sandbox = sandbox(LIST);
		Path socket = SessionNetwork.socket(this.sandboxes.runtimeDirectory(sandbox));
		int expected = BackendExtension.isRoot() ? 65532 : GuestUser.ownUid();
		for (Path path : List.of(socket, socket.getParent())) {
			assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(expected);
		}
		assertThat((int) Files.getAttribute(socket, "unix:mode") & 07777).isEqualTo(0600);
		assertThat((int) Files.getAttribute(socket.getParent(), "unix:mode") & 07777).isEqualTo(0700);
		assertThat(BackendExtension.out(sandbox, "stat -c '%a %U' /run/sandbox/gateway.sock /run/sandbox"))
			.isEqualTo("600 sandbox\n700 sandbox");
	}

	@Test
	void anotherUserCannotConnect() throws Exception {
		Assumptions.assumeTrue(BackendExtension.isRoot());
		SandboxHandle sandbox = sandbox(LIST);
		Path socket = SessionNetwork.socket(this.sandboxes.runtimeDirectory(sandbox));
		assertThat(connectAs(61099, socket)).contains("PermissionError");
		assertThat(connectAs(65532, socket)).isEmpty();
		// Not even where it can enter: the mode of the socket itself.
		Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThat(connectAs(61099, socket)).contains("PermissionError");
	}

	@Test
	void theWorkspaceOfTheCallersOwnDirectoryHasASocketOfItsOwner() throws Exception {
		Assumptions.assumeTrue(BackendExtension.isRoot());
		Path directory = Files.createDirectory(this.sandboxes.root().resolve("project"));
		Files.setAttribute(directory, "unix:uid", 1234);
		SandboxHandle sandbox = this.sandboxes.backend().createInPlace(directory, LIST);
		Path runtime = this.sandboxes.runtimeDirectory(sandbox);
		assertThat(Files.getAttribute(SessionNetwork.socket(runtime), "unix:uid")).isEqualTo(1234);
		this.stub = GatewayStub.echo(runtime);
		assertThat(BackendExtension.out(sandbox, "curl -s http://api.example.com/x"))
			.isEqualTo("GET http://api.example.com/x HTTP/1.1");
	}

	@Test
	void theSocketOfAnotherSessionIsNotThere() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle one = this.sandboxes.sandbox(backend, LIST);
		SandboxHandle other = this.sandboxes.sandbox(backend, LIST);
		Path foreign = SessionNetwork.socket(this.sandboxes.runtimeDirectory(other));
		ExecResult result = BackendExtension.sh(one, "curl -sS --unix-socket " + foreign + " http://x/; ls " + foreign
				+ "; find / -xdev -type s 2>/dev/null; find /run -type s");
		assertThat(result.stdoutText()).isEqualTo("/run/sandbox/gateway.sock\n");
		assertThat(result.stderrText()).contains("curl: (7)", "No such file");
	}

	@Test
	void theSocketIsGoneWithTheSession() throws Exception {
		SandboxHandle sandbox = sandbox(LIST);
		Path runtime = this.sandboxes.runtimeDirectory(sandbox);
		assertThat(SessionNetwork.socket(runtime)).exists();
		sandbox.stop();
		assertThat(runtime).doesNotExist();
	}

	@ParameterizedTest
	@MethodSource("policiesWithoutRules")
	void withoutRulesThereIsNoRelayAndNoVariable(NetworkPolicy policy) {
		SandboxHandle sandbox = sandbox(LIST);
		sandbox.session().setNetworkPolicy(policy);
		assertThat(BackendExtension.out(sandbox, "cat /proc/[0-9]*/comm; env")).doesNotContainIgnoringCase("proxy")
			.doesNotContain("relay", "perl", "SANDBOX_", "GIT_");
	}

	@Test
	void aPolicyThatIsReplacedTakesItsRelayAndVariablesAlong() {
		SandboxHandle sandbox = sandbox(NetworkPolicy.denyAll());
		sandbox.session().setNetworkPolicy(LIST);
		assertThat(BackendExtension.out(sandbox, "cat /proc/[0-9]*/comm; echo $http_proxy $GIT_CONFIG_VALUE_0"))
			.contains(Relay.NAME)
			.endsWith("http://127.0.0.1:3128 https://api.example.com/");
		sandbox.session().setNetworkPolicy(NetworkPolicy.denyAll());
		assertThat(BackendExtension.out(sandbox, "cat /proc/[0-9]*/comm; echo =$http_proxy="))
			.doesNotContain(Relay.NAME)
			.endsWith("==");
	}

	@Test
	void theCommandsOwnEnvironmentWins() {
		ExecResult result = sandbox(LIST).session()
			.run(ExecSpec.of("printenv", "http_proxy", "https_proxy")
				.withEnvironment(Map.of("http_proxy", "http://own.example")));
		assertThat(result.stdoutText()).isEqualTo("http://own.example\nhttp://127.0.0.1:3128\n");
	}

	@Test
	void secretsOfRulesAreNowhere() throws Exception {
		SandboxHandle sandbox = sandbox(LIST);
		assertThat(BackendExtension.out(sandbox,
				"cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/mounts; env; find /run /tmp -type f | xargs cat"))
			.contains("api.example.com")
			.doesNotContain(SECRET);
		try (Stream<Path> files = Files.walk(this.sandboxes.runtimeDirectory())) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
			}
		}
	}

	@Test
	void gitAsksTheGatewayForAnHttpsUrl() throws Exception {
		SandboxHandle sandbox = sandbox(LIST);
		this.stub = new GatewayStub(this.sandboxes.runtimeDirectory(sandbox), (in, out) -> {
			String line = GatewayStub.head(in).lines().findFirst().orElseThrow();
			GatewayStub.respond(out, "404 " + line.split("[ ?]")[1], "");
		});
		ExecResult result = BackendExtension.sh(sandbox,
				"GIT_CURL_VERBOSE=1 git clone -q https://api.example.com/some/repo 2>&1 | grep 404; cat .git/config");
		assertThat(result.stdoutText()).contains("404 http://api.example.com/some/repo/info/refs");
	}

	@Test
	void namesDoNotResolveAndThatIsKnownAtOnce() {
		SandboxHandle sandbox = sandbox(LIST);
		ExecResult result = sandbox.session().run(ExecSpec.of("getent", "hosts", "x.example.org"));
		assertThat(result.exitCode()).isEqualTo(2);
		assertThat(result.duration()).isLessThan(Duration.ofSeconds(3));
	}

	@Test
	void signalsReachTheProgramAndNotTheRelay() throws Exception {
		SandboxHandle sandbox = sandbox(LIST);
		try (SandboxProcess process = sandbox.session()
			.start(ExecSpec
				.shell("trap 'cat /proc/[0-9]*/comm; exit 7' TERM; echo up; while :; do sleep 0.05; done"))) {
			BufferedReader out = new BufferedReader(new InputStreamReader(process.stdout()));
			assertThat(out.readLine()).isEqualTo("up");
			process.signal(Signal.TERM);
			assertThat(out.lines()).contains(Relay.NAME);
			assertThat(process.onExit().join().exitCode()).isEqualTo(7);
		}
	}

	@Test
	void aProcessIsKnownByItsCommand() throws Exception {
		SandboxHandle sandbox = sandbox(LIST);
		SessionNetwork network = ((BubblewrapHandle) sandbox).network();
		// The second is an orphan of an orphan, and a child of the namespace's init.
		String script = "sleep 300 & (setsid sh -c 'sleep 301 & exit' &) ; echo up; read x";
		List<SandboxProcess> processes = new ArrayList<>();
		try {
			for (int i = 0; i < 2; i++) {
				SandboxProcess process = sandbox.session().start(ExecSpec.of("bash", "-c", script));
				processes.add(process);
				assertThat(process.stdout().read()).isEqualTo('u');
			}
			assertThat(processes.get(0).id()).isNotEqualTo(processes.get(1).id());
			for (String argument : List.of("sleep 300", "sleep 301", Relay.NAME)) {
				// The relay of a sandbox that waits belongs to no command.
				Awaitility.await()
					.untilAsserted(() -> assertThat(pids(argument, sandbox)).extracting(network::commandOf)
						.filteredOn(Objects::nonNull)
						.containsExactlyInAnyOrder(processes.get(0).id(), processes.get(1).id()));
			}
			assertThat(network.commandOf(ProcessHandle.current().pid())).isNull();
			assertThat(network.commandOf(1)).isNull();
			assertThat(network.commandOf(Integer.MAX_VALUE)).isNull();
			long pid = pids("sleep 301", sandbox).get(0);
			processes.forEach((process) -> process.cancel("over").join());
			assertThat(network.commandOf(pid)).isNull();
		}
		finally {
			processes.forEach(SandboxProcess::close);
		}
	}

	@Test
	void theEndOfACommandIsPublishedWithItsId() {
		SandboxHandle sandbox = sandbox(LIST);
		SandboxProcess process = sandbox.session().start(ExecSpec.of("true"));
		ExecResult result = process.onExit().join();
		assertThat(this.sandboxes.events()).filteredOn(SandboxEvent.CommandFinished.class::isInstance)
			.singleElement(InstanceOfAssertFactories.type(SandboxEvent.CommandFinished.class))
			.satisfies((event) -> {
				assertThat(event.commandId()).isEqualTo(process.id());
				assertThat(event.duration()).isEqualTo(result.duration());
			});
	}

	private SandboxHandle sandbox(NetworkPolicy policy) {
		return this.sandboxes.sandbox(this.sandboxes.backend(), policy);
	}

	// Those below the inits of this session, whatever else runs on the machine.
	private static List<Long> pids(String commandLine, SandboxHandle sandbox) throws IOException {
		List<Long> inits = BackendExtension.processesWithMarker(sandbox.session().id());
		return ProcessHandle.allProcesses()
			.filter((process) -> BackendExtension.commandLine(Path.of("/proc/" + process.pid()))
				.strip()
				.equals(commandLine))
			.filter((process) -> Stream
				.iterate(process, (each) -> each.parent().isPresent(), (each) -> each.parent().orElseThrow())
				.anyMatch((each) -> inits.contains(each.pid())))
			.map(ProcessHandle::pid)
			.filter((pid) -> !inits.contains(pid))
			.sorted(Comparator.naturalOrder())
			.toList();
	}

	private static String connectAs(int uid, Path socket) throws Exception {
		Process process = new ProcessBuilder("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups",
				"/usr/bin/python3", "-c", "import socket,sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])",
				socket.toString())
			.redirectErrorStream(true)
			.start();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
