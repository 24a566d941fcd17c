package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.git.FileChange;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of contents, names, modes and what a Git tree cannot hold.
 */
class TransportContentTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private void bothSidesAreEqual() throws Exception {
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@Test
	void untrackedFilesOfTheHostOutliveAnExtractOfNothing() throws Exception {
		this.transport.host().write("note.txt", "mine\n");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("true");
		assertThat(transport.extract().changes()).isEmpty();
		bothSidesAreEqual();
	}

	@Test
	void anyNameArrivesChangesAndGoes() throws Exception {
		String make = "for n in ä.txt 日本.md 'q\"q' 't\tt' ' lead' 'trail ' 'x -> y' -rf 'a\\b' 'app[id].tsx' appi.tsx ':(top)x' '*' ':!y' \"$(printf 'a\\nb')\" \"$(printf 'l\\351')\"; do %s; done";
		this.transport.host().sh(make.formatted("printf 1 >\"./$n\""));
		WorkspaceTransport transport = this.transport.seeded();
		bothSidesAreEqual();
		this.transport.guest(make.formatted("printf 2 >>\"./$n\"; mkdir -p \"sub/$n\"; echo 3 >\"sub/$n/$n\""));
		assertThat(transport.extract().changes()).hasSize(32);
		bothSidesAreEqual();
		this.transport.host().sh(make.formatted("rm -f -- \"$n\""));
		assertThat(transport.reconcile().changes()).hasSize(16);
		bothSidesAreEqual();
		this.transport.guest("rm -r sub");
		transport.extract();
		bothSidesAreEqual();
	}

	@Test
	void bytesAreNotConvertedWhateverAttributesSay() throws Exception {
		this.transport.host()
			.write(".gitattributes",
					"*.txt eol=crlf\n*.id ident\n*.w working-tree-encoding=UTF-16\nv export-subst\nt export-ignore\n*.f filter=x\n")
			.write("b.txt", "lf\n")
			.write("k.id", "$Id$\n")
			.write("v", "$Format:%H$\n")
			.write("t", "test\n")
			.write("c.bat", "one\r\ntwo\r\n")
			.write("n.f", "plain\n")
			.write("l1", "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
		this.transport.host()
			.sh("git config core.autocrlf true; git config filter.x.clean 'touch /tmp/sandbox4j-filter; cat'; git config filter.x.smudge 'touch /tmp/sandbox4j-filter; cat'");
		WorkspaceTransport transport = this.transport.seeded();
		bothSidesAreEqual();
		this.transport.guest(
				"printf 'x\\ny\\r\\n' >mixed.txt; sed -i 's/two/TWO/' c.bat; echo '* text eol=crlf' >>.gitattributes; printf 'From x\\n-- \\n \\t\\n' >mail");
		transport.extract();
		bothSidesAreEqual();
		assertThat(this.transport.host().read("c.bat")).isEqualTo("one\r\nTWO\r\n");
		assertThat(new java.io.File("/tmp/sandbox4j-filter")).doesNotExist();
	}

	@Test
	void directoriesByTheNamesOfGitsOwnFilesAreAsOthers() throws Exception {
		this.transport.host().write(".gitattributes/a", "a\n");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo b >>.gitattributes/a; mkdir -p .gitmodules sub/.gitignore; "
				+ "echo c >.gitmodules/c; echo d >sub/.gitignore/d");
		transport.extract();
		bothSidesAreEqual();
		assertThat(this.transport.host().read(".gitattributes/a")).isEqualTo("a\nb\n");
		assertThat(this.transport.host().read(".gitmodules/c")).isEqualTo("c\n");
	}

	@Test
	void aFileReplacesADirectoryThatHasEmptyOnesInIt() throws Exception {
		this.transport.host().write("d/f", "f\n").sh("mkdir -p d/empty/more");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("rm -r d; echo d >d");
		transport.extract();
		bothSidesAreEqual();
	}

	@Test
	void aDirectoryReplacesALinkToOneWithTheSameNamesInIt() throws Exception {
		this.transport.host().write("d/in", "host\n").sh("ln -s d l");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("rm l; mkdir l; echo guest >l/in");
		transport.extract();
		bothSidesAreEqual();
		assertThat(this.transport.host().read("d/in")).isEqualTo("host\n");
	}

	@Test
	void onlyTheExecutePermissionOfAModeIsCarried() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("chmod 755 a.txt; printf '#!/bin/sh\\n' >run.sh; chmod 700 run.sh");
		transport.extract();
		bothSidesAreEqual();
		this.transport.guest("chmod 644 a.txt");
		assertThat(transport.extract().changes()).extracting(FileChange::path).containsExactly("a.txt");
		bothSidesAreEqual();
	}

	@Test
	void whatTheSandboxCannotReadIsNotTakenForDeleted() throws Exception {
		this.transport.host().write("d/secret.cfg", "s\n");
		WorkspaceTransport transport = this.transport.seeded();
		Map<String, String> before = this.transport.host().files();
		for (String hidden : new String[] { "d/secret.cfg", "d" }) {
			this.transport.guest("chmod 000 " + hidden + "; echo x >>a.txt");
			assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract);
			assertThat(this.transport.host().files()).isEqualTo(before);
			this.transport.guest("chmod 755 " + hidden);
		}
	}

	@Test
	void aFileInPlaceOfWhichIsAPipeIsNamed() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		Map<String, String> before = this.transport.host().files();
		this.transport.guest("rm a.txt; mkfifo a.txt; mkfifo other");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract).withMessageContaining("a.txt");
		assertThat(this.transport.host().files()).isEqualTo(before);
	}

	@Test
	void stagedPartsAndTheIndexStayAsTheyAre() throws Exception {
		this.transport.host().write("f", "1\n").commit("f").write("f", "2\n").sh("git add f");
		this.transport.host().write("f", "3\n");
		Map<String, String> before = this.transport.host().repositoryFiles();
		WorkspaceTransport transport = this.transport.seeded();
		assertThat(this.transport.guest("cat f")).isEqualTo("3");
		this.transport.guest("echo 4 >>f");
		transport.extract();
		assertThat(this.transport.host().repositoryFiles()).isEqualTo(before);
		assertThat(this.transport.host().sh("git show :f; cat f")).isEqualTo("2\n3\n4\n");
	}

	@Test
	void editsThatTheIndexHidesAreCarriedAndKept() throws Exception {
		this.transport.host()
			.write("b", "b\n")
			.commit("b")
			.sh("git update-index --assume-unchanged a.txt; git update-index --skip-worktree b; echo new >a.txt; echo local >b");
		WorkspaceTransport transport = this.transport.seeded();
		bothSidesAreEqual();
		this.transport.guest("echo x >x");
		transport.extract();
		assertThat(this.transport.host().read("b")).isEqualTo("local\n");
		bothSidesAreEqual();
	}

	@Test
	void ignoredFilesStayOnTheirSideUnlessIncluded() throws Exception {
		this.transport.host()
			.write(".gitignore", "build/\n.env\n")
			.write("build/out", "1\n")
			.write(".env", "K=1\n")
			.commit("ignore");
		this.transport.host().sh("echo .tool >>.git/info/exclude; mkdir .tool; echo t >.tool/t; mkdir logs");
		WorkspaceTransport transport = this.transport.builder().include(".env").build();
		SyncResult seed = transport.seed();
		assertThat(seed.leftOut()).containsExactly(".tool/", "build/", "logs/");
		assertThat(this.transport.guest("ls -A; cat .env")).isEqualTo(".env\n.git\n.gitignore\na.txt\nsrc\nK=1");
		this.transport.guest("mkdir build .tool; echo 2 >build/out; echo t >.tool/u; echo K=2 >.env");
		assertThat(transport.extract().changes()).extracting(FileChange::path).containsExactly(".env");
		assertThat(this.transport.host().read("build/out")).isEqualTo("1\n");
		this.transport.host().write("c", "c\n");
		transport.reconcile();
		assertThat(this.transport.guest("cat build/out")).isEqualTo("2");
	}

	@Test
	void nothingIgnoredOnTheHostIsOverwritten() throws Exception {
		this.transport.host().write(".gitignore", "out\n").commit("ignore").write("out", "hours of work\n");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest(": >.gitignore; echo mine >out");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.withMessageContaining("'out'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_PATH));
		assertThat(this.transport.host().read("out")).isEqualTo("hours of work\n");
		assertThat(this.transport.host().read(".gitignore")).isEqualTo("out\n");
	}

	@Test
	void nothingIgnoredInTheSandboxIsOverwritten() throws Exception {
		this.transport.host().write(".gitignore", "out*\n").commit("ignore");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("mkdir out; echo mine >out/x; ln -s src outside");
		this.transport.host().write("outside/y", "y\n").sh("git add -f outside");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::reconcile)
			.withMessageContaining("outside");
		this.transport.host().sh("git rm -rqf outside; echo y >out; git add -f out");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::reconcile).withMessageContaining("out");
		assertThat(this.transport.guest("cat out/x; ls src; ls -A")).doesNotContain("y", "git~1");
		this.transport.guest("rm out/x; mkdir out/empty");
		transport.reconcile();
		assertThat(this.transport.guest("cat out")).isEqualTo("y");
	}

	@Test
	void nestedRepositoriesAndSubmodulesAreNamedAndLeftWhereTheyAre() throws Exception {
		this.transport.host()
			.sh("git init -q sub; echo x >sub/x; mkdir deep; git init -q deep/er; git clone -q . ../other; git -c protocol.file.allow=always submodule --quiet add ../other mod 2>/dev/null; git commit -qm mod");
		SyncResult seed = this.transport.builder().build().seed();
		assertThat(seed.leftOut()).contains("mod", "sub/", "deep/er/");
		this.transport.guest("git init -q agent; echo y >agent/y; echo z >z");
		SyncResult result = this.transport.builder().build().extract();
		assertThat(result.changes()).extracting(FileChange::path).containsExactly("z");
		assertThat(result.leftOut()).contains("agent/");
		assertThat(this.transport.host()
			.sh("cat sub/x mod/a.txt | head -1; git -C sub status -s; git status --porcelain mod"))
			.isEqualTo("x\n?? x\n");
	}

	@Test
	void aTreeWithoutACommitIsSeeded() throws Exception {
		HostRepository young = HostRepository.withoutCommit(this.transport.root().resolve("young"));
		young.sh("echo 1 >a; git add a; echo 2 >>a; echo u >u");
		WorkspaceTransport transport = this.transport.builder(young.root()).build();
		transport.seed();
		this.transport.guest("echo 3 >>a");
		transport.extract();
		assertThat(young.read("a")).isEqualTo("1\n2\n3\n");
		assertThat(young.files()).isEqualTo(this.transport.inside());
	}

	@Test
	void aLinkedWorktreeIsATreeOfItsOwn() throws Exception {
		this.transport.host().sh("git worktree add -q ../wt; echo staged >s; git add s; echo in >../wt/in");
		HostRepository linked = HostRepository.at(this.transport.root().resolve("wt"));
		Map<String, String> main = this.transport.host().files();
		WorkspaceTransport transport = this.transport.builder(linked.root()).build();
		transport.seed();
		this.transport.guest("echo out >out; git status --porcelain");
		transport.extract();
		assertThat(linked.sh("git status --porcelain")).isEqualTo("?? in\n?? out\n");
		assertThat(this.transport.host().files()).isEqualTo(main);
	}

	@Test
	void aShallowCloneIsSeededWhole() throws Exception {
		this.transport.host()
			.write("b", "b\n")
			.commit("second")
			.sh("git clone -q --depth 1 \"file://$PWD\" ../shallow");
		HostRepository shallow = HostRepository.at(this.transport.root().resolve("shallow"));
		this.transport.builder(shallow.root()).build().seed();
		assertThat(this.transport.inside()).isEqualTo(shallow.files());
	}

	@Test
	void aRepositoryOfSha256IsCarried() throws Exception {
		HostRepository modern = HostRepository.at(this.transport.root().resolve("modern"));
		this.transport.host().sh("git init -q --object-format=sha256 ../modern; echo 1 >../modern/a");
		WorkspaceTransport transport = this.transport.builder(modern.root()).build();
		transport.seed();
		this.transport.guest("echo 2 >>a");
		transport.extract();
		assertThat(modern.read("a")).isEqualTo("1\n2\n");
	}

}
