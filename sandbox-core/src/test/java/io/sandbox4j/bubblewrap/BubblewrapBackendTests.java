package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.SessionInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("isolation")
class BubblewrapBackendTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@Test
	void refusesAnotherOperatingSystemWhenBuilt() {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(
					() -> BubblewrapBackend.builder().stateDirectory(this.sandboxes.stateDirectory()).build("Mac OS X"))
			.satisfies((ex) -> assertThat(ex.unavailable()).isEqualTo(Cause.NOT_LINUX))
			.withMessageContaining("sandbox.enabled=false");
		assertThat(this.sandboxes.stateDirectory()).doesNotExist();
	}

	@Test
	void withoutBubblewrapTemplatesArePreparedAndSessionsFailAndLeaveNothing() throws Exception {
		BubblewrapBackend backend = this.sandboxes
			.backend((builder) -> builder.executable(Path.of("/nonexistent/bwrap")));
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("t").file("a", "a").build());
		assertUnavailable(backend, template, Cause.BWRAP_MISSING);
		assertThat(sessionDirectories()).isEmpty();
	}

	@Test
	void aHostWithoutNamespacesIsATypedErrorAndNothingRuns() throws Exception {
		Path marker = this.sandboxes.root().resolve("ran");
		Path bwrap = script("echo 'bwrap: No permissions to create a new namespace' >&2; exit 1");
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder.executable(bwrap));
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("t").file("a", "a").build());
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build()))
			.withMessageContaining("No permissions to create a new namespace");
		assertThat(marker).doesNotExist();
		assertThat(sessionDirectories()).isEmpty();
	}

	@Test
	void aBubblewrapThatHoldsNothingIsRefusedByTheProbe() throws Exception {
		Path bwrap = script(
				"exec 6<&- 7<&-; echo '{\n\"child-pid\": '$$'\n}' >&8; while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"");
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder.executable(bwrap));
		assertThatExceptionOfType(SandboxUnavailableException.class).isThrownBy(backend::isolation)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
	}

	@Test
	void aBubblewrapThatHangsIsGivenUpWithAReason() throws Exception {
		Path bwrap = script("exec sleep 300");
		BubblewrapBackend backend = this.sandboxes
			.backend((builder) -> builder.executable(bwrap).launchTimeout(Duration.ofMillis(300)));
		assertThatExceptionOfType(SandboxUnavailableException.class).isThrownBy(backend::isolation)
			.withMessageContaining("not built within")
			.withMessageContaining("does not answer");
		assertThat(ProcessHandle.current()
			.children()
			.filter((child) -> child.info().command().orElse("").endsWith("sleep"))).isEmpty();
	}

	@Test
	void aCommandThatCannotBeRecordedDoesNotRun() throws Exception {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Path guests = sessionDirectories().get(0).resolve("guests");
		BackendExtension.deleteRecursively(guests);
		Files.writeString(guests, "in the way");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> BackendExtension.sh(sandbox, "touch ran"))
			.withMessageContaining("could not be recorded");
		assertThat(sandbox.session().files().exists("ran")).isFalse();
		assertThat(sandbox.session().admission().active()).isZero();
		Files.delete(guests);
	}

	@Test
	void aBubblewrapThatWasReplacedIsProbedAgain() throws Exception {
		Path bwrap = this.sandboxes.root().resolve("bwrap");
		Files.copy(Path.of("/usr/bin/bwrap"), bwrap);
		Files.setPosixFilePermissions(bwrap, PosixFilePermissions.fromString("rwxr-xr-x"));
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder.executable(bwrap));
		this.sandboxes.sandbox(backend).delete();
		Files.delete(bwrap);
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("t").file("a", "a").build());
		assertUnavailable(backend, template, Cause.BWRAP_MISSING);
	}

	@Test
	void whatTheHostMustHoldIsChecked() {
		BubblewrapBackend backend = this.sandboxes
			.backend((builder) -> builder.require(Set.of(Restriction.EGRESS_BROKERED)));
		assertThat(backend.isolation().held()).contains(Restriction.EGRESS_BROKERED);
	}

	@Test
	void whatIsHeldDependsOnThePolicy() {
		SandboxSession session = this.sandboxes.sandbox().session();
		assertThat(session.restrictions()).contains(Restriction.NETWORK_DENIED)
			.doesNotContain(Restriction.EGRESS_BROKERED);
		session.setNetworkPolicy(NetworkPolicy.allow(OriginRule.of("https://api.example.com", Map.of())));
		assertThat(session.restrictions()).contains(Restriction.EGRESS_BROKERED)
			.doesNotContain(Restriction.NETWORK_DENIED);
		session.setNetworkPolicy(NetworkPolicy.allow());
		assertThat(session.restrictions()).contains(Restriction.NETWORK_DENIED)
			.doesNotContain(Restriction.EGRESS_BROKERED);
		session.setNetworkPolicy(NetworkPolicy.allowAll());
		assertThat(session.restrictions()).doesNotContain(Restriction.NETWORK_DENIED, Restriction.EGRESS_BROKERED);
	}

	@Test
	void aPolicyThatTheGatewayRefusesLeavesTheOldOneWhole() throws Exception {
		NetworkPolicy old = NetworkPolicy.allow(OriginRule.of("http://old.example", Map.of()));
		NetworkPolicy refused = NetworkPolicy
			.allow(OriginRule.builder("https://new.example").credential("Authorization", "missing", "").build());
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend, old);
		Path arguments = this.sandboxes.runtimeDirectory(sandbox).resolve("args");
		byte[] before = Files.readAllBytes(arguments);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.session().setNetworkPolicy(refused))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
		assertThat(sandbox.session().networkPolicy()).isEqualTo(old);
		assertThat(arguments).hasBinaryContent(before);
		assertThat(BackendExtension.out(sandbox, "echo $http_proxy")).isEqualTo("http://127.0.0.1:3128");
		int sessions = sessionDirectories().size();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.sandboxes.sandbox(backend, refused))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
		assertThat(sessionDirectories()).hasSize(sessions);
	}

	@Test
	void aRuntimeDirectoryMayBeDeeperThanTheAddressOfASocketIsLong() {
		Path deep = this.sandboxes.root().resolve("x".repeat(120)).resolve("run");
		SandboxHandle sandbox = this.sandboxes
			.sandbox(this.sandboxes.backend((builder) -> builder.runtimeDirectory(deep)));
		assertThat(BackendExtension.out(sandbox, "curl -sS --unix-socket /run/sandbox/gateway.sock http://a/"))
			.startsWith("Sandbox network denied");
	}

	@Test
	void withoutPerlThereIsNoRelayAndCommandsRun() throws Exception {
		Path rootfs = miniatureRoot();
		SandboxHandle sandbox = this.sandboxes.sandbox(this.sandboxes.backend((builder) -> builder.rootfs(rootfs)),
				NetworkPolicy.allow(OriginRule.of("https://api.example.com", Map.of())));
		assertThat(BackendExtension.out(sandbox,
				"echo ran; echo $http_proxy$GIT_CONFIG_COUNT; echo $SANDBOX_GATEWAY_SOCKET"))
			.isEqualTo("ran\n\n/run/sandbox/gateway.sock");
	}

	@Test
	void anEmptyListOfOriginsIsNoNetwork() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		sandbox.session().setNetworkPolicy(NetworkPolicy.allow());
		assertThat(BackendExtension.out(sandbox, "tail -n +3 /proc/net/dev | wc -l")).isEqualTo("1");
	}

	@Test
	void aSessionIsListedWithItsOwnerAndAsStoppedAfterwards() {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		assertThat(backend.sessions()).singleElement().satisfies((session) -> {
			assertThat(session.status()).isEqualTo(SessionInfo.Status.RUNNING);
			assertThat(session.owner()).isNotNull();
			assertThat(session.owner().pid()).isEqualTo(ProcessHandle.current().pid());
		});
		sandbox.stop();
		assertThat(backend.sessions()).singleElement()
			.satisfies((session) -> assertThat(session.status()).isEqualTo(SessionInfo.Status.STOPPED));
		assertThat(backend.handles()).isEmpty();
	}

	@Test
	void aSessionOfAnotherBackendObjectIsOwnedElsewhere() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BubblewrapBackend other = this.sandboxes.backend();
		assertThat(other.sessions()).singleElement()
			.satisfies((session) -> assertThat(session.status()).isEqualTo(SessionInfo.Status.OWNED_ELSEWHERE));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> other.delete(sandbox.session().id()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
	}

	@Test
	void aHandleWhoseLeaseWasTakenAwayRunsAndWritesNothing() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		Path session = sessionDirectories().get(0);
		Files.delete(session.resolve("lease"));
		for (Runnable attempt : List.<Runnable>of(() -> BackendExtension.sh(sandbox, "true"),
				() -> sandbox.session().files().writeText("x", "x"),
				() -> sandbox.session().setNetworkPolicy(NetworkPolicy.allowAll()))) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(attempt::run)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LEASE_LOST));
		}
		assertThat(session.resolve("workspace/x")).doesNotExist();
	}

	@Test
	void aWorkspaceThatWasSwappedForALinkIsRefused() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		sandbox.stop();
		Path workspace = sessionDirectories().get(0).resolve("workspace");
		Path elsewhere = this.sandboxes.root().resolve("elsewhere");
		Files.move(workspace, elsewhere);
		Files.createSymbolicLink(workspace, elsewhere);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> backend
			.create(SandboxRequest.attach(sandbox.captureState()).network(NetworkPolicy.denyAll()).build()));
		assertThat(elsewhere.resolve("README")).exists();
	}

	@Test
	void aWorkingDirectoryMustBeADirectoryOfTheWorkspace() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "ln -s /usr link; mkdir -p 'a b'; touch file");
		assertThat(sandbox.session().run(ExecSpec.of("pwd").withCwd("a b")).stdoutText()).isEqualTo("/workspace/a b\n");
		assertRefused(sandbox, "link", ErrorCode.SANDBOX_PATH);
		assertRefused(sandbox, "file", ErrorCode.SANDBOX_PATH);
		assertRefused(sandbox, "missing", ErrorCode.SANDBOX_NOT_FOUND);
	}

	@Test
	void extraMountsAreVisibleAndReadOnly() throws Exception {
		Path tool = Files.createDirectory(this.sandboxes.root().resolve("tool"));
		Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
		Files.writeString(tool.resolve("version"), "7\n");
		SandboxHandle sandbox = this.sandboxes
			.sandbox(this.sandboxes.backend((builder) -> builder.mount(tool, "/opt/tool")));
		assertThat(BackendExtension.out(sandbox, "cat /opt/tool/version")).isEqualTo("7");
		assertThat(BackendExtension.sh(sandbox, "echo x > /opt/tool/x").stderrText()).contains("Read-only");
	}

	@Test
	void aMountThatHoldsASocketIsRefused() throws Exception {
		Path directory = Files.createDirectories(this.sandboxes.root().resolve("s/t"));
		try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			socket.bind(UnixDomainSocketAddress.of(directory.resolve("x.sock")));
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> BubblewrapBackend.builder().mount(directory.getParent(), "/opt/s"))
				.withMessageContaining("socket");
		}
	}

	@Test
	void aRootFileSystemTakesTheHostsPlace() throws Exception {
		Path rootfs = miniatureRoot();
		SandboxHandle sandbox = this.sandboxes.sandbox(this.sandboxes.backend((builder) -> builder.rootfs(rootfs)));
		ExecResult result = BackendExtension.sh(sandbox, "echo *; cat /usr/marker; python3");
		assertThat(result.stdoutText()).isEqualTo("README\nminiature\n");
		assertThat(result.stderrText()).contains("python3: not found");
	}

	@Test
	void anExistingDirectoryIsTheWorkspaceAndOutlivesItsSession() throws Exception {
		Path directory = Files.createDirectory(this.sandboxes.root().resolve("project"));
		Files.writeString(directory.resolve("in"), "in\n");
		if (BackendExtension.isRoot()) {
			Files.setAttribute(directory, "unix:uid", 1234);
		}
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		SandboxHandle sandbox = this.sandboxes.backend().createInPlace(directory, NetworkPolicy.denyAll());
		BackendExtension.sh(sandbox, "cat in > out");
		sandbox.session().files().writeText("sub/dir/file", "x");
		sandbox.delete();
		assertThat(directory.resolve("out")).hasContent("in\n");
		assertThat(directory.resolve("sub/dir/file")).hasContent("x");
		assertThat(Files.getAttribute(directory.resolve("out"), "unix:uid"))
			.isEqualTo(BackendExtension.isRoot() ? 1234 : GuestUser.ownUid());
		assertThat(sessionDirectories()).isEmpty();
	}

	@Test
	void aDirectoryOfRootIsNoWorkspace() throws Exception {
		Assumptions.assumeTrue(BackendExtension.isRoot());
		Path directory = Files.createDirectory(this.sandboxes.root().resolve("project"));
		BubblewrapBackend backend = this.sandboxes.backend();
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> backend.createInPlace(directory, NetworkPolicy.denyAll()))
			.withMessageContaining("belongs to root");
		assertThat(sessionDirectories()).isEmpty();
	}

	@Test
	void drainLetsCommandsEndAndRefusesNewOnes() {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		sandbox.session().start(ExecSpec.of("sleep", "0.3"));
		assertThat(backend.drain(Duration.ofSeconds(10))).isTrue();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> BackendExtension.sh(sandbox, "true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.sandboxes.sandbox(backend))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
	}

	@Test
	void drainGivesUpWhenItsTimeIsOverAndCloseKills() {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		sandbox.session().start(ExecSpec.of("sleep", "300"));
		assertThat(backend.drain(Duration.ofMillis(100))).isFalse();
		backend.close();
		assertThat(this.sandboxes.events()).contains(new SandboxEvent.SessionStopped(sandbox.session().id()));
	}

	@Test
	void closeEndsItsThreads() {
		this.sandboxes.sandbox().session().run(ExecSpec.of("true"));
		this.sandboxes.backend().close();
		BubblewrapBackend backend = this.sandboxes.backend();
		this.sandboxes.sandbox(backend);
		Set<Thread> before = sandboxThreads();
		backend.close();
		Awaitility.await().untilAsserted(() -> assertThat(sandboxThreads().size()).isLessThan(before.size()));
	}

	@Test
	void aCommandThatLetsTheWorkspaceGrowBeyondItsLimitIsEnded() {
		SandboxHandle sandbox = this.sandboxes
			.sandbox(this.sandboxes.backend((builder) -> builder.maxWorkspaceBytes(1_000_000)));
		ExecResult result = sandbox.session()
			.run(ExecSpec.shell("for i in 1 2 3 4; do head -c 400000 /dev/zero > f$i; done; sleep 20"));
		assertThat(result.status()).isEqualTo(ExecStatus.RESOURCE_LIMIT);
		assertThat(result.reason()).contains("1000000 bytes").contains("sandbox.storage.max-workspace-size");
		assertThat(BackendExtension.sh(sandbox, "rm f*").succeeded()).isTrue();
	}

	@Test
	void aRelativeDirectoryIsRefusedWithItsProperty() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> BubblewrapBackend.builder().stateDirectory(Path.of("relative")))
			.withMessageContaining("'sandbox.state-directory' must be an absolute path");
	}

	@Test
	void aStateDirectoryOfAnotherUserIsRefused() throws Exception {
		Assumptions.assumeTrue(BackendExtension.isRoot());
		Path directory = Files.createDirectory(this.sandboxes.root().resolve("theirs"));
		Files.setAttribute(directory, "unix:uid", 1234);
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> BubblewrapBackend.builder()
				.stateDirectory(directory)
				.runtimeDirectory(this.sandboxes.runtimeDirectory())
				.build())
			.withMessageContaining("sandbox.state-directory");
	}

	private static void assertRefused(SandboxHandle sandbox, String cwd, ErrorCode code) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> sandbox.session().run(ExecSpec.of("pwd").withCwd(cwd)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

	private static void assertUnavailable(BubblewrapBackend backend, PreparedTemplate template, Cause cause) {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> backend.create(SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build()))
			.satisfies((ex) -> assertThat(ex.unavailable()).isEqualTo(cause));
	}

	private List<Path> sessionDirectories() throws IOException {
		try (Stream<Path> all = Files.walk(this.sandboxes.stateDirectory(), 3)) {
			return all.filter((path) -> path.getParent().endsWith("sessions")).toList();
		}
	}

	private Path script(String text) throws IOException {
		Path script = this.sandboxes.root().resolve("fake-bwrap");
		Files.writeString(script, "#!/bin/sh\n" + text + "\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script;
	}

	/**
	 * A shell, cat and head with their libraries: all that the launch protocol needs.
	 */
	private Path miniatureRoot() throws Exception {
		Path rootfs = this.sandboxes.root().resolve("rootfs");
		String copy = "set -e; mkdir -p $0/usr/bin $0/usr/lib; ln -s usr/bin $0/bin; ln -s usr/lib $0/lib; ln -s usr/lib64 $0/lib64; mkdir $0/usr/lib64; echo miniature > $0/usr/marker; "
				+ "for p in sh cat head tr; do cp -L /usr/bin/$p $0/usr/bin/; for l in $(ldd /usr/bin/$p | grep -o '/[^ ]*'); do mkdir -p $0$(dirname $(realpath -s $l)); cp -L $l $0$l; done; done; chmod -R a+rX $0";
		Process process = new ProcessBuilder("/bin/bash", "-c", copy, rootfs.toString()).inheritIO().start();
		assertThat(process.waitFor()).isZero();
		return rootfs;
	}

	private static Set<Thread> sandboxThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("sandbox-"))
			.collect(Collectors.toSet());
	}

}
