package io.sandbox4j.bubblewrap;

import java.io.File;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.git.FileChange;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Agents that turn their repository against the host, and what the host must not do.
 */
class TransportHostileTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private void bothSidesAreEqual() throws Exception {
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@ParameterizedTest
	@ValueSource(strings = { "git commit -qam own", "git commit -qam own; git reset -q --hard HEAD~1; echo x >>a.txt",
			"echo y >y; git add y; git stash -q; git stash pop -q", "git switch -qc other; git commit -qam own",
			"git commit -qam own; git commit -q --amend -m again; git gc -q --prune=now", "rm -rf .git",
			"rm -rf .git; git init -q; git commit -q --allow-empty -m x", "rm -rf .git; echo no >.git",
			"git checkout -q --orphan fresh; git commit -qam fresh", "git update-index --assume-unchanged a.txt",
			"git update-index --skip-worktree a.txt", "echo garbage >.git/index", "echo 'ref: refs/x' >.git/HEAD" })
	void whatAnAgentDoesToItsRepositoryLosesNothing(String script) throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("git config user.name A; git config user.email a@example.org; echo work >>a.txt; " + script
				+ "; grep -q work a.txt || echo work >>a.txt");
		transport.extract();
		assertThat(this.transport.host().read("a.txt")).contains("work");
		bothSidesAreEqual();
		this.transport.host().write("next", "n\n");
		transport.reconcile();
		bothSidesAreEqual();
	}

	@Test
	void noConfigurationOfTheAgentRunsOrChangesABytes() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport
			.guest("""
					printf '#!/bin/sh\\necho pwned >>/workspace/pwned\\ncat\\n' >m.sh; chmod 755 m.sh
					for k in core.fsmonitor filter.x.clean filter.x.smudge diff.external merge.x.driver core.sshCommand; do git config $k /workspace/m.sh; done
					git config core.hooksPath /workspace/h; git config core.autocrlf true; git config core.worktree /tmp
					mkdir h; for n in post-checkout post-index-change reference-transaction pre-commit; do cp m.sh h/$n; done
					echo '* filter=x merge=x text eol=crlf ident' >.gitattributes; printf '$Id$\\n' >id
					mkdir -p .git/objects/info .git/info; echo /etc >.git/objects/info/alternates; echo '*' >.git/info/exclude
					""");
		transport.extract();
		bothSidesAreEqual();
		this.transport.host().write("next", "n\n");
		transport.reconcile();
		bothSidesAreEqual();
		assertThat(this.transport.host().has("pwned")).isFalse();
		assertThat(this.transport.guest("cat .gitattributes")).contains("filter=x");
	}

	@Test
	void theHostsOwnMonitorAndHooksAreNotRun() throws Exception {
		this.transport.host()
			.sh("printf '#!/bin/sh\\necho F >>../F\\n' >m.sh; chmod 755 m.sh; git add .; git commit -qm m; mkdir h; for n in pre-commit post-checkout post-index-change reference-transaction; do cp m.sh h/$n; done; git config core.fsmonitor ./m.sh; git config core.hooksPath ./h; git config diff.external ./m.sh; touch a.txt");
		Map<String, String> before = this.transport.host().repositoryFiles();
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >x");
		transport.extract();
		this.transport.host().write("y", "y\n");
		transport.reconcile();
		assertThat(new File(this.transport.root().toFile(), "F")).doesNotExist();
		assertThat(this.transport.host().repositoryFiles()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ln -s /etc/passwd link", "ln -s ../../etc/passwd link", "mkdir d; ln -s ../../x d/link",
			"ln -s .git/config link", "ln -s src/../../x link" })
	void aLinkThatLeadsOutIsRefusedByName(String script) throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		Map<String, String> before = this.transport.host().files();
		this.transport.guest("echo x >>a.txt; " + script);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.withMessageContaining("link'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_PATH));
		assertThat(this.transport.host().files()).isEqualTo(before);
	}

	@Test
	void aLinkOfTheHostsOwnStaysWhereverItLeads() throws Exception {
		this.transport.host().sh("ln -s /usr/share usr; ln -s ../.. up");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >x");
		assertThat(transport.extract().changes()).extracting(FileChange::path).containsExactly("x");
		bothSidesAreEqual();
	}

	@ParameterizedTest
	@ValueSource(strings = { ".GIT/config", "GIT~1/x", "sub/.Git/hooks/x", ".g\u200cit/config" })
	void aNameThatMeansTheRepositoryIsRefused(String name) throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		Map<String, String> before = this.transport.host().files();
		this.transport.guest("mkdir -p \"$(dirname '" + name + "')\"; echo x >'" + name + "'; echo y >y");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract);
		assertThat(this.transport.host().files()).isEqualTo(before);
	}

	@Test
	void aRepositoryKeptInTheTreeIsNeitherCarriedNorWritten() throws Exception {
		HostRepository separate = HostRepository.at(this.transport.root().resolve("separate"));
		this.transport.host().sh("mkdir ../separate; cd ../separate; git init -q --separate-git-dir=meta .; echo 1 >a");
		WorkspaceTransport transport = this.transport.builder(separate.root()).build();
		transport.seed();
		assertThat(this.transport.guest("ls")).isEqualTo("a");
		this.transport.guest("mkdir -p meta/hooks; echo x >meta/hooks/pre-commit");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.withMessageContaining("meta/hooks/pre-commit");
		assertThat(separate.has("meta/hooks/pre-commit")).isFalse();
	}

	@Test
	void aDirectoryOfTheHostThatIsAnIgnoredLinkIsNotFollowed() throws Exception {
		this.transport.host().sh("mkdir ../outside; echo d >.gitignore; ln -s ../outside d");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("rm .gitignore; mkdir d; echo x >d/x");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_PATH));
		assertThat(new File(this.transport.root().toFile(), "outside/x")).doesNotExist();
	}

	@Test
	void aLockOfTheUsersGitIsWaitedForAndStays() throws Exception {
		WorkspaceTransport transport = this.transport.builder()
			.gitLockPatience(java.time.Duration.ofMillis(50))
			.build();
		this.transport.host().write(".git/index.lock", "");
		transport.seed();
		this.transport.guest("echo x >x");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.withMessageContaining("'index.lock'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
		assertThat(this.transport.host().has(".git/index.lock")).isTrue();
		assertThat(this.transport.host().has("x")).isFalse();
		this.transport.host().sh("rm .git/index.lock");
		assertThat(transport.extract().changes()).hasSize(1);
	}

}
