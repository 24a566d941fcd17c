package io.sandbox4j.bubblewrap;

import java.util.Map;

import io.sandbox4j.git.AgentCommit;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the agent committed, told to the host as data.
 */
class TransportCommitTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	private WorkspaceTransport committed(String script) {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("git config user.name Agent; git config user.email a@example.org; " + script);
		return transport;
	}

	@Test
	void commitsOfTheAgentAreToldNewestFirst() {
		WorkspaceTransport transport = committed(
				"echo 1 >>a.txt; git commit -qam one; echo 2 >>a.txt; git commit -qam 'two\n\nwhy'");
		assertThat(transport.commits()).extracting(AgentCommit::subject).containsExactly("two", "one");
		AgentCommit newest = transport.commits().get(0);
		assertThat(newest.author()).isEqualTo("Agent <a@example.org>");
		assertThat(newest.body()).isEqualTo("why");
		assertThat(newest.time().getEpochSecond()).isGreaterThan(1_700_000_000);
		assertThat(this.transport.guest("git rev-parse HEAD")).isEqualTo(newest.id());
	}

	@Test
	void aSeedHasNoneAndAnExtractEndsThem() {
		WorkspaceTransport transport = committed("");
		assertThat(transport.commits()).isEmpty();
		this.transport.guest("echo 1 >>a.txt; git commit -qam one");
		transport.preview();
		transport.reconcile();
		assertThat(transport.commits()).hasSize(1);
		transport.extract();
		assertThat(transport.commits()).isEmpty();
		this.transport.guest("echo 2 >>a.txt; git commit -qam two; git pack-refs --all; git gc -q");
		assertThat(transport.commits()).extracting(AgentCommit::subject).containsExactly("two");
		assertThat(this.transport.builder().build().commits()).hasSize(1);
	}

	@Test
	void aConflictEndsNone() {
		WorkspaceTransport transport = committed("sed -i s/five/S/ a.txt; git commit -qam sandbox");
		this.transport.host().sh("sed -i s/five/H/ a.txt");
		assertThat(transport.extract().conflicted()).isTrue();
		assertThat(transport.commits()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "git checkout -q --detach; git commit -qam work",
			"git switch -qc other; git commit -qam work", "git checkout -q --orphan fresh; git commit -qam work",
			"git commit -qam first; git commit -q --amend -m work; git gc -q --prune=now",
			"rm -rf .git; git init -q; git -c user.name=A -c user.email=a@b commit -q --allow-empty -m work" })
	void whatLeadsToTheHeadIsToldWhateverTheHistory(String script) {
		WorkspaceTransport transport = committed("echo work >>a.txt; " + script);
		assertThat(transport.commits()).extracting(AgentCommit::subject).containsExactly("work");
		transport.extract();
		assertThat(transport.commits()).isEmpty();
	}

	@Test
	void aRebaseIsToldAsItIsNow() {
		WorkspaceTransport transport = committed(
				"for i in 1 2 3; do echo $i >f$i; git add .; git commit -qm c$i; done; git rebase -q --onto HEAD~2 HEAD~1");
		assertThat(transport.commits()).extracting(AgentCommit::subject).containsExactly("c3", "c1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rm -rf .git", "rm -rf .git; echo no >.git", "mv .git /tmp; ln -s /tmp/.git .git",
			"echo 'ref: refs/x' >.git/HEAD", "echo 'ref: refs/../../x' >.git/HEAD", ": >.git/HEAD",
			"rm .git/HEAD; mkfifo .git/HEAD", "rm .git/HEAD; ln -s /etc/passwd .git/HEAD",
			"head -c 8000000 /dev/zero >.git/HEAD", "echo 'ref: HEAD' >.git/HEAD",
			"echo 'ref: refs/heads/a' >.git/HEAD; echo 'ref: refs/heads/a' >.git/refs/heads/a",
			"printf '%040d\\n' 0 >.git/HEAD", "git rev-parse 'HEAD^{tree}' >.git/HEAD", "rm -rf .git/objects/*",
			"chmod 000 .git", "echo '--output=/workspace/x' >.git/HEAD" })
	void aRepositoryThatTellsNothingIsNoError(String script) {
		WorkspaceTransport transport = committed("echo x >>a.txt; git commit -qam x; " + script);
		assertThat(transport.commits()).isEmpty();
		this.transport.guest("chmod 755 .git 2>/dev/null; test -p .git/HEAD && rm .git/HEAD");
		transport.extract();
		assertThat(transport.commits()).isEmpty();
	}

	@Test
	void aBrokenHistoryIsToldUpToItsBreak() {
		WorkspaceTransport transport = committed(
				"for i in 1 2 3; do git commit -q --allow-empty -m c$i; done; o=$(git rev-parse HEAD~1); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)");
		assertThat(transport.commits()).extracting(AgentCommit::subject).doesNotContain("c2", "c1");
	}

	@Test
	void noConfigurationOfTheAgentRunsOrIsFollowed() throws Exception {
		WorkspaceTransport transport = committed("echo x >>a.txt; git commit -qam real; real=$(git rev-parse HEAD)\n"
				+ "fake=$(git commit-tree -m fake -p HEAD~1 HEAD^{tree}); git replace $real $fake\n"
				+ "printf '#!/bin/sh\\necho pwned >>/workspace/pwned\\ncat\\n' >m.sh; chmod 755 m.sh\n"
				+ "for k in core.fsmonitor core.pager pager.log pager.rev-list gpg.program core.sshCommand diff.external; do git config $k /workspace/m.sh; done\n"
				+ "git config alias.rev-list '!/workspace/m.sh'; git config log.showSignature true\n"
				+ "git config core.hooksPath /workspace; for n in post-index-change reference-transaction; do cp m.sh $n; done\n"
				+ "mkdir -p .git/info; echo $real >.git/info/grafts; echo $real >.git/shallow");
		Map<String, String> before = HostRepository.content(this.transport.workspace(), "");
		assertThat(transport.commits()).extracting(AgentCommit::subject).containsExactly("real");
		assertThat(HostRepository.content(this.transport.workspace(), "")).isEqualTo(before).doesNotContainKey("pwned");
	}

	@Test
	void nothingOfAMessageReachesATerminal() {
		WorkspaceTransport transport = committed(
				"git commit -q --allow-empty --cleanup=verbatim -m \"$(printf 's\\033[2J\\n\\nb\\033]0;t\\007')\"");
		assertThat(transport.commits()).singleElement().satisfies((commit) -> {
			assertThat(commit.subject()).isEqualTo("s\uFFFD[2J");
			assertThat(commit.body()).isEqualTo("b\uFFFD]0;t\uFFFD");
		});
	}

	@Test
	void numberAndLengthAreLimited() {
		WorkspaceTransport transport = committed(
				"for i in $(seq 120); do git commit -q --allow-empty -m c$i; done; head -c 3000000 /dev/zero | tr '\\0' m | git commit -q --allow-empty -F -; git commit -q --allow-empty -m last");
		assertThat(transport.commits()).hasSize(100);
		assertThat(transport.commits().get(0).subject()).isEqualTo("last");
		assertThat(transport.commits().get(1).subject()).hasSizeBetween(15_000, 16_384);
		assertThat(transport.commits().get(2).subject()).isEqualTo("c120");
	}

}
