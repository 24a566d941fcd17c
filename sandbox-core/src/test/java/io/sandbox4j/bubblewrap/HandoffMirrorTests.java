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
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.git.HandoffMirror;
import io.sandbox4j.git.HandoffResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Files beside the tree, both ways, and what must not come with them.
 */
class HandoffMirrorTests {

	private static final String INSIDE = "mkdir -p .sandbox/handoff; cd .sandbox/handoff; ";

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private HandoffMirror mirror() {
		return HandoffMirror.between(this.transport.seeded(), outside());
	}

	private Path outside() {
		return this.transport.root().resolve("handoff");
	}

	private HostRepository files() throws IOException {
		return HostRepository.at(Files.createDirectories(outside()));
	}

	private Map<String, String> hostFiles() throws IOException {
		return HostRepository.content(Files.createDirectories(outside()), "");
	}

	private void refused(HandoffMirror mirror, UnaryOperator<HandoffMirror> call, ErrorCode code, String named)
			throws Exception {
		Map<String, String> host = hostFiles();
		Map<String, String> inside = this.transport.inside();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> call.apply(mirror))
			.withMessageContaining(named)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
		assertThat(hostFiles()).isEqualTo(host);
		assertThat(this.transport.inside()).isEqualTo(inside);
	}

	private void pullIsRefused(String script, String named) throws Exception {
		HandoffMirror mirror = mirror();
		this.transport.guest(INSIDE + "echo good >a; echo good >z; " + script);
		refused(mirror, (given) -> {
			given.pull();
			return given;
		}, ErrorCode.SANDBOX_PATH, named);
	}

	private void pushIsRefused(HandoffMirror mirror, ErrorCode code, String named) throws Exception {
		refused(mirror, (given) -> {
			given.push();
			return given;
		}, code, named);
	}

	@Test
	void filesGoBothWays() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("task.md", "do\n").write("in/put", new byte[] { 0, -1, 13, 10 }).write("empty", "");
		assertThat(mirror.push().written()).containsExactly("empty", "in/put", "task.md");
		assertThat(mirror.directory()).isEqualTo("/workspace/.sandbox/handoff");
		this.transport.guest(INSIDE + "echo done >>task.md; mkdir -p out/deep; echo r >out/deep/report");
		assertThat(mirror.pull()).isEqualTo(new HandoffResult(List.of("out/deep/report", "task.md"), List.of()));
		assertThat(files().read("task.md")).isEqualTo("do\ndone\n");
		assertThat(hostFiles())
			.isEqualTo(HostRepository.content(this.transport.workspace().resolve(".sandbox/handoff"), ""));
	}

	@Test
	void whatIsEqualIsNotWrittenAgain() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("a", "a\n");
		mirror.push();
		assertThat(mirror.push().written()).isEmpty();
		assertThat(mirror.pull().written()).isEmpty();
		files().write("a", "b\n");
		assertThat(mirror.push().written()).containsExactly("a");
	}

	@Test
	void nothingIsDeletedAndResultsNameWhatTheTargetAloneHas() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("a", "a\n").write("b/c", "c\n");
		mirror.push();
		this.transport.guest(INSIDE + "rm -r a b; echo n >n");
		assertThat(mirror.pull()).isEqualTo(new HandoffResult(List.of("n"), List.of("a", "b/c")));
		files().sh("rm -r a b n");
		assertThat(mirror.push().onlyAtTarget()).containsExactly("n");
		assertThat(this.transport.guest("ls .sandbox/handoff")).isEqualTo("n");
	}

	@Test
	void nothingIsThereBeforeTheFirstFile() throws Exception {
		HandoffMirror mirror = mirror();
		assertThat(mirror.pull().written()).isEmpty();
		assertThat(mirror.push().written()).isEmpty();
		assertThat(this.transport.guest("test -d .sandbox/handoff && ls -A .sandbox/handoff && echo there"))
			.isEqualTo("there");
	}

	@Test
	void noSyncCarriesIt() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		HandoffMirror mirror = HandoffMirror.between(transport, outside());
		files().write("task.md", "do\n");
		mirror.push();
		Map<String, String> before = this.transport.host().files();
		this.transport.guest("echo '!/.sandbox/handoff' >.sandbox/.gitignore; echo '!*' >.sandbox/handoff/.gitignore");
		this.transport.guest("git add -f .sandbox/handoff/task.md; git -c user.name=A -c user.email=a@b commit -qm x");
		assertThat(transport.extract().changes()).hasSize(1);
		before.put(".sandbox/.gitignore", this.transport.host().files().get(".sandbox/.gitignore"));
		assertThat(this.transport.host().files()).isEqualTo(before);
		this.transport.host().write("next", "n\n").write(".sandbox/handoff/own", "mine\n");
		assertThat(transport.reconcile().changes()).hasSize(1);
		assertThat(this.transport.guest("ls .sandbox/handoff; git status --porcelain .sandbox/handoff"))
			.isEqualTo("task.md");
		assertThat(transport.extract().changes()).isEmpty();
		assertThat(this.transport.host().read(".sandbox/handoff/own")).isEqualTo("mine\n");
	}

	@Test
	void aTreeThatTracksFilesThereIsRefused() throws Exception {
		this.transport.host().write(".sandbox/handoff/x", "x\n").commit("x");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.transport.builder().build().seed())
			.withMessageContaining("'.sandbox/handoff/x'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH));
		assertThat(this.transport.guest("ls -A")).isEmpty();
		this.transport.host().sh("git rm -q --cached .sandbox/handoff/x; git commit -qm gone");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.host().sh("git add -f .sandbox/handoff/x");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::reconcile)
			.withMessageContaining("'.sandbox/handoff/x'");
	}

	@Test
	void namesAreNamesWhateverIsInThem() throws Exception {
		HandoffMirror mirror = mirror();
		String make = "for n in ä.txt 日本 'q\"q' ' lead' 'x -> y' -rf '*' \"$(printf 'a\\nb')\" '$(id)' '..x' '%2e%2e' '~'; do echo 1 >\"./$n\"; done; mkdir -p \"$(printf '\\nd')\"; echo 2 >\"$(printf '\\nd')/..\u00a0\"";
		this.transport.guest(INSIDE + make);
		assertThat(mirror.pull().written()).hasSize(13);
		assertThat(hostFiles())
			.isEqualTo(HostRepository.content(this.transport.workspace().resolve(".sandbox/handoff"), ""));
		files().sh("for f in ./*; do test -d \"$f\" || echo more >>\"$f\"; done");
		assertThat(mirror.push().written()).hasSize(11);
	}

	@Test
	void aNameThatLooksLikeAPathOutStaysInside() throws Exception {
		HandoffMirror mirror = mirror();
		this.transport.guest(INSIDE
				+ "d=\"$(printf 'x\\n.')\"; d=\"${d%.}\"; mkdir -p \"$d/tmp\"; echo evil >\"$d/tmp/sandbox4j-evil\"; mkdir '.. '; echo evil >'.. /evil'");
		assertThat(mirror.pull().written()).containsExactly(".. /evil", "x\n/tmp/sandbox4j-evil");
		assertThat(Path.of("/tmp/sandbox4j-evil")).doesNotExist();
		assertThat(this.transport.root().resolve("evil")).doesNotExist();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ln -s /etc/passwd link", "ln -s ../../a.txt link", "ln -s a link", "ln -s /etc link",
			"ln -s nowhere link", "mkfifo link", "mkdir d; mkfifo d/link",
			"python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"link\")'" })
	void aLinkOrASpecialFileOfTheSandboxIsRefusedByName(String script) throws Exception {
		pullIsRefused(script, "link'");
	}

	@Test
	void aDirectoryOfTheHandoffThatIsALinkIsNotFollowed() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("evil", "evil\n");
		for (String script : new String[] { "ln -s src .sandbox", "mkdir .sandbox; ln -s ../src .sandbox/handoff",
				"mkdir .sandbox; ln -s /etc .sandbox/handoff", "mkdir -p .sandbox; echo file >.sandbox/handoff" }) {
			this.transport.guest("rm -rf .sandbox; " + script);
			pushIsRefused(mirror, ErrorCode.SANDBOX_PATH, "");
			assertThatExceptionOfType(SandboxException.class).isThrownBy(mirror::pull);
		}
		assertThat(hostFiles()).containsOnlyKeys("evil");
	}

	@Test
	void aLinkOrASpecialFileOfTheHostIsRefusedByName() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("a", "a\n").write("z", "z\n");
		for (String script : new String[] { "ln -s /etc/passwd link", "ln -s a link", "mkfifo link",
				"ln -s /etc link" }) {
			files().sh("rm -f link; " + script);
			pushIsRefused(mirror, ErrorCode.SANDBOX_PATH, "'link'");
		}
		Files.delete(outside().resolve("link"));
		try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			socket.bind(UnixDomainSocketAddress.of(outside().resolve("link")));
			pushIsRefused(mirror, ErrorCode.SANDBOX_PATH, "'link'");
		}
	}

	@Test
	void aNameThatAWorkspacePathCannotHaveIsRefusedOnTheHost() throws Exception {
		HandoffMirror mirror = mirror();
		files().sh("echo 1 >a; echo 2 >'b\\c'");
		pushIsRefused(mirror, ErrorCode.SANDBOX_PATH, "'b\\c'");
		files().sh("rm 'b\\c'; echo 3 >\"$(printf 'l\\351')\"");
		pushIsRefused(mirror, ErrorCode.SANDBOX_PATH, "'l\uFFFD'");
	}

	@Test
	void whatIsInTheWayOnTheHostIsNeitherFollowedNorReplaced() throws Exception {
		HandoffMirror mirror = mirror();
		files().sh("echo precious >../precious; mkdir ../elsewhere");
		this.transport.guest(INSIDE + "mkdir d; echo evil >d/x; echo evil >f");
		for (String script : new String[] { "ln -s ../precious f", "ln -s ../elsewhere d", "mkdir -p f/sub",
				"echo file >d", "mkfifo f", "mkdir d; ln -s ../../precious d/x" }) {
			files().sh("rm -rf f d; " + script);
			refused(mirror, (given) -> {
				given.pull();
				return given;
			}, ErrorCode.SANDBOX_PATH, "would replace");
		}
		assertThat(files().sh("cat ../precious; ls ../elsewhere")).isEqualTo("precious\n");
	}

	@Test
	void whatIsInTheWayInTheSandboxIsNotReplaced() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("f", "f\n").write("d/x", "x\n");
		for (String script : new String[] { "mkdir f", "ln -s ../../a.txt f", "echo >d", "ln -s ../../src d" }) {
			this.transport.guest(INSIDE + "rm -rf f d; " + script);
			pushIsRefused(mirror, ErrorCode.SANDBOX_PATH, "would replace");
		}
	}

	@Test
	void sizesAreLimitedBeforeAnythingIsCarried() throws Exception {
		HandoffMirror mirror = mirror();
		this.transport.guest(INSIDE + "echo a >a; truncate -s 4194304 fits; truncate -s 4194305 huge");
		refused(mirror, HandoffMirrorTests::pulled, ErrorCode.SANDBOX_LIMIT, "'huge'");
		this.transport.guest(INSIDE + "truncate -s 100G huge");
		refused(mirror, HandoffMirrorTests::pulled, ErrorCode.SANDBOX_LIMIT, "'maxFile'");
		this.transport.guest(INSIDE + "rm huge");
		refused(mirror.withLimits(4 << 20, (4 << 20) + 1, 10), HandoffMirrorTests::pulled, ErrorCode.SANDBOX_LIMIT,
				"'maxTotal'");
		refused(mirror.withLimits(4 << 20, 8 << 20, 1), HandoffMirrorTests::pulled, ErrorCode.SANDBOX_LIMIT,
				"'maxFiles'");
		assertThat(mirror.withLimits(4 << 20, (4 << 20) + 2, 2).pull().written()).containsExactly("a", "fits");
		files().sh("truncate -s 5000000 large");
		pushIsRefused(mirror, ErrorCode.SANDBOX_LIMIT, "'large'");
	}

	@Test
	void directoriesMayNotLieTooDeep() throws Exception {
		HandoffMirror mirror = mirror();
		this.transport.guest(INSIDE + "mkdir -p " + "d/".repeat(32) + "; echo x >a");
		assertThat(mirror.pull().written()).containsExactly("a");
		this.transport.guest(INSIDE + "mkdir -p " + "d/".repeat(100) + "; echo y >a");
		refused(mirror, HandoffMirrorTests::pulled, ErrorCode.SANDBOX_LIMIT, "deep");
	}

	private static HandoffMirror pulled(HandoffMirror mirror) {
		mirror.pull();
		return mirror;
	}

	@Test
	@Tag("isolation")
	void aFileThatCannotBeReadIsAnErrorAndNothingIsCarried() throws Exception {
		HandoffMirror mirror = mirror();
		this.transport.guest(INSIDE + "echo a >a; mkdir d; echo x >d/x; chmod 000 d");
		if (!BackendExtension.isRoot()) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(mirror::pull);
			assertThat(hostFiles()).isEmpty();
		}
		this.transport.guest(INSIDE + "chmod 755 d");
		assertThat(mirror.pull().written()).containsExactly("a", "d/x");
	}

	@Test
	void entriesThatAreSwappedMeanwhileNeverLeadOut() throws Exception {
		HandoffMirror mirror = mirror();
		files().write("../secret/x", "secret\n");
		String secret = this.transport.root().resolve("secret").toString();
		Files.setPosixFilePermissions(Path.of(secret), PosixFilePermissions.fromString("rwxrwxrwx"));
		this.transport.guest(INSIDE + "mkdir d; echo mine >d/x; ln -s " + secret + " l; ln -s /etc/passwd m; mkfifo p");
		String swap = "cd .sandbox/handoff; while :; do mv d t; mv l d; mv d l; mv t d; mv d/x y; cp -P m d/x; mv y d/x; mkfifo d/p; rm d/p; done 2>/dev/null";
		try (SandboxProcess process = this.transport.sandbox()
			.session()
			.start(ExecSpec.shell("rm .sandbox/handoff/m; ln -s /etc/passwd /tmp/m; " + swap)
				.withTimeout(Duration.ofSeconds(60)))) {
			files().write("d/x", "from host\n");
			long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
			while (System.nanoTime() < end) {
				attempt(mirror::push);
				attempt(mirror::pull);
				assertThat(files().read("d/x")).isIn("mine\n", "from host\n");
			}
			process.cancel("enough").join();
		}
		assertThat(Files.readString(Path.of(secret, "x"))).isEqualTo("secret\n");
		assertThat(Path.of(secret).toFile().list()).containsExactly("x");
	}

	private static void attempt(Runnable call) {
		try {
			call.run();
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isIn(ErrorCode.SANDBOX_PATH, ErrorCode.SANDBOX_NOT_FOUND, ErrorCode.SANDBOX_BUSY,
					ErrorCode.SANDBOX_UNAVAILABLE);
		}
	}

	@Test
	void whatAKilledCallLeftBehindGoesWithTheNext() throws Exception {
		HandoffMirror mirror = mirror();
		files().sh("echo part >.sandbox4j-handoff-1; mkdir .sandbox4j-handoff-2");
		assertThat(mirror.push().written()).isEmpty();
		this.transport.guest(INSIDE + "echo a >a");
		mirror.pull();
		assertThat(outside().toFile().list()).containsExactly("a");
	}

	@Test
	void aReplacedFileOfTheHostKeepsItsPermissions() throws Exception {
		HandoffMirror mirror = mirror();
		files().sh("echo 1 >a; chmod 600 a; ln a ../other");
		this.transport.guest(INSIDE + "echo 2 >a; chmod 777 a; echo 3 >b; chmod 777 b");
		mirror.pull();
		assertThat(files().sh("stat -c %a a; test -x b || echo plain; cat ../other")).isEqualTo("600\nplain\n1\n");
	}

	@Test
	void aDirectoryBelowTheDefaultMayBeSet() throws Exception {
		HandoffMirror mirror = mirror().withDirectory(".sandbox/handoff/sessions/r1");
		files().write("a", "a\n");
		mirror.push();
		assertThat(this.transport.guest("cat .sandbox/handoff/sessions/r1/a")).isEqualTo("a");
		for (String elsewhere : new String[] { "src", ".sandbox", ".sandbox/handoff2", "/workspace" }) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> mirror.withDirectory(elsewhere))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
		}
	}

	@Test
	void theHostsDirectoryMustBeOutsideTheTree() throws Exception {
		WorkspaceTransport transport = this.transport.builder().build();
		Path root = this.transport.host().root();
		Files.createSymbolicLink(this.transport.root().resolve("alias"), root);
		try (Stream<Path> inside = Stream.of(root, root.resolve("src"), root.resolve("new/deep"),
				root.resolve(".git/x"), root.resolve(".."), this.transport.root().resolve("alias/new"),
				root.resolve("../transport/x"))) {
			assertThat(inside).allSatisfy((path) -> assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> HandoffMirror.between(transport, path))
				.withMessageContaining("'hostDirectory'"));
		}
	}

}
