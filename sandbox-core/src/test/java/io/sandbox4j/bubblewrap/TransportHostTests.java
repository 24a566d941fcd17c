package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import io.sandbox4j.git.AgentCommit;
import io.sandbox4j.git.HandoffMirror;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the user of the host has configured, owns and does meanwhile.
 */
class TransportHostTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	@Test
	void noConfigurationOfTheUserChangesAPatch() throws Exception {
		this.transport.host().sh("""
				git config diff.noprefix true; git config diff.mnemonicPrefix true; git config color.ui always
				git config diff.renames copies; git config diff.external false; git config diff.submodule log
				git config core.abbrev 4; git config core.quotePath true; git config diff.context 0
				echo '*.txt' >order; git config diff.orderFile order; rm order
				""");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("cp a.txt copy.txt; mv src/Main.java src/Other.java; echo x >>a.txt; echo u >ü");
		String patch = new String(transport.patch(transport.preview()), StandardCharsets.UTF_8);
		assertThat(patch).startsWith("diff --git a/a.txt b/a.txt\nindex ")
			.contains("\n seven\n eight\n nine\n+x\n", "deleted file mode", "new file mode", "b/ü")
			.doesNotContain("\033", "rename ", "copy from");
	}

	@Test
	void aLockOfOurIndexThatAKilledGitLeftHoldsNobodyUp() throws Exception {
		Path own = Files.createDirectories(this.transport.root().resolve("transport"));
		Files.createFile(own.resolve("host-index.lock"));
		this.transport.seeded();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@Test
	void aGitThatItsKilledApplicationLeftIsWaitedForAndKeepsItsLock() throws Exception {
		Path own = Files.createDirectories(this.transport.root().resolve("transport"));
		Path lock = Files.createFile(own.resolve("host-index.lock"));
		ProcessBuilder builder = new ProcessBuilder("sleep", "60");
		builder.environment().put("GIT_INDEX_FILE", own.resolve("host-index").toString());
		Process left = builder.start();
		try {
			WorkspaceTransport transport = this.transport.builder().gitLockPatience(Duration.ofMillis(100)).build();
			assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::seed)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
			assertThat(lock).exists();
			left.destroyForcibly().waitFor();
			transport.seed();
			assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
		}
		finally {
			left.destroyForcibly().waitFor();
		}
	}

	@Test
	void theUsersIndexIsNotRewritten() throws Exception {
		String look = "stat -c '%i %Y %Z %s' .git/index";
		this.transport.host().sh("touch -d '2001-01-01' a.txt");
		String before = this.transport.host().sh(look);
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >x");
		transport.extract();
		this.transport.host().sh("touch src/Main.java; echo y >y");
		transport.reconcile();
		assertThat(this.transport.host().sh(look)).isEqualTo(before);
	}

	@Test
	void variablesOfTheApplicationLeadToNoOtherRepository() throws Exception {
		HostRepository victim = HostRepository.create(this.transport.root().resolve("victim"));
		Map<String, String> repository = victim.repositoryFiles();
		Map<String, String> files = victim.files();
		String git = victim.root().resolve(".git").toString();
		SandboxState state = this.transport.sandbox().captureState();
		this.transport.sandbox().stop();
		Process owner = ChildJvm.start(SyncingOwner.class, List.of(),
				Map.of("GIT_DIR", git, "GIT_INDEX_FILE", git + "/index", "GIT_WORK_TREE", victim.root().toString(),
						"GIT_OBJECT_DIRECTORY", git + "/objects", "GIT_COMMON_DIR", git, "GIT_CONFIG_COUNT", "1",
						"GIT_CONFIG_KEY_0", "core.worktree", "GIT_CONFIG_VALUE_0", victim.root().toString()),
				this.transport.sandboxes().stateDirectory().toString(),
				this.transport.sandboxes().runtimeDirectory().toString(), state.sessionId(), state.templateKey(),
				this.transport.host().write("own", "own\n").root().toString(),
				this.transport.root().resolve("transport").toString(), "seed");
		owner.getInputStream().readAllBytes();
		assertThat(owner.waitFor()).isZero();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files()).containsKey("own");
		assertThat(victim.repositoryFiles()).isEqualTo(repository);
		assertThat(victim.files()).isEqualTo(files);
	}

	@Test
	void bothHistoriesStayWhenBothSidesCommit() {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest(
				"echo s >s; git add s; git -c user.name=A -c user.email=a@b commit -qm sandbox; sed -i s/eight/S/ a.txt");
		this.transport.host().sh("echo h >h; sed -i s/two/H/ a.txt; git add .; git commit -qm host");
		assertThat(transport.reconcile().conflicts()).isEmpty();
		assertThat(transport.commits()).extracting(AgentCommit::subject).containsExactly("sandbox");
		assertThat(transport.extract().conflicts()).isEmpty();
		assertThat(this.transport.host().sh("git log --format=%s; git fsck; git status --porcelain"))
			.isEqualTo("host\nfirst\n M a.txt\n?? s\n");
		assertThat(this.transport.guest("git log --format=%s -1; git fsck 2>&1; cat a.txt | head -2"))
			.isEqualTo("sandbox\none\nH");
	}

	@Test
	void whatRootWritesBelongsToTheOwnerOfTheTree() throws Exception {
		if (BackendExtension.isRoot()) {
			this.transport.host().sh("chown -R 1234:1234 .");
		}
		Object owner = Files.getOwner(this.transport.host().root());
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >>a.txt; mkdir d; echo y >d/y; ln -s a.txt link");
		transport.extract();
		for (String path : List.of("a.txt", "d", "d/y")) {
			assertThat(Files.getOwner(this.transport.host().root().resolve(path))).as(path).isEqualTo(owner);
		}
		assertThat(this.transport.host().files()).isEqualTo(this.transport.inside());
	}

	@Test
	void anExtractOfNothingStillLeavesTheHandoffToBePulled() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		Path outside = this.transport.root().resolve("handoff");
		this.transport.guest("mkdir -p .sandbox/handoff; echo done >.sandbox/handoff/report");
		Map<String, String> before = this.transport.host().files();
		assertThat(transport.extract().changes()).isEmpty();
		assertThat(HandoffMirror.between(transport, outside).pull().written()).containsExactly("report");
		assertThat(this.transport.host().files()).isEqualTo(before);
	}

}
