package io.sandbox4j.bubblewrap;

import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.git.FileChange;
import io.sandbox4j.git.FileChange.Kind;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Seed, reconcile and extract over a real sandbox.
 */
@Tag("isolation")
class WorkspaceTransportTests {

	@RegisterExtension
	final TransportExtension transport = new TransportExtension();

	@Test
	void aSeedBringsWhatIsOnTheDisk() throws Exception {
		this.transport.host().write("a.txt", "changed\n").write("new.bin", new byte[] { 0, 1, -1, 13, 10 });
		this.transport.host().sh("rm src/Main.java; printf x >run.sh; chmod 755 run.sh; ln -s a.txt link");
		SyncResult result = this.transport.builder().build().seed();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
		assertThat(result.changes()).extracting(FileChange::path).containsExactly("a.txt", "link", "new.bin", "run.sh");
	}

	@Test
	void aSeededWorkspaceIsARepositoryOfWhatTheHostHas() {
		this.transport.host().sh("echo dirty >>a.txt");
		this.transport.seeded();
		assertThat(this.transport.guest("git status --porcelain; git branch --show-current; git log --format=%s"))
			.startsWith("main\nWhat the host has not committed\nThe host's ");
	}

	@Test
	void anExtractBringsWhatTheSandboxChanged() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest(
				"echo x >>a.txt; rm src/Main.java; mkdir -p d/e; echo n >d/e/n; chmod 755 d/e/n; ln -s ../a.txt d/l");
		SyncResult result = transport.extract();
		assertThat(result.changes()).containsExactly(new FileChange("a.txt", Kind.MODIFIED),
				new FileChange("d/e/n", Kind.ADDED), new FileChange("d/l", Kind.ADDED),
				new FileChange("src/Main.java", Kind.DELETED));
		assertThat(this.transport.host().files()).isEqualTo(this.transport.inside());
		assertThat(this.transport.host().has("src")).isFalse();
	}

	@Test
	void aReconcileBringsWhatTheHostChanged() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.host().write("b.txt", "b\n").commit("second").write("a.txt", "dirty\n").sh("rm src/Main.java");
		assertThat(transport.reconcile().changes()).hasSize(3);
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
		assertThat(transport.extract().changes()).isEmpty();
	}

	@Test
	void anUnchangedReconcileRunsNoCommand() {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >>a.txt");
		String before = this.transport.guest("ls -la --time-style=full-iso a.txt src .git");
		assertThat(transport.reconcile().changes()).isEmpty();
		assertThat(this.transport.guest("ls -la --time-style=full-iso a.txt src .git")).isEqualTo(before);
	}

	@Test
	void anExtractAfterAnExtractBringsTheRestOnly() {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >x");
		transport.extract();
		this.transport.guest("echo y >y");
		assertThat(transport.extract().changes()).containsExactly(new FileChange("y", Kind.ADDED));
		assertThat(transport.extract().changes()).isEmpty();
	}

	@Test
	void aPreviewChangesNothingAndItsPatchApplies() throws Exception {
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("echo x >>a.txt; head -c 256 /dev/urandom >logo.png; : >empty; chmod 755 src/Main.java");
		var before = this.transport.host().files();
		SyncResult preview = transport.preview();
		assertThat(this.transport.host().files()).isEqualTo(before);
		this.transport.host().write("../p.patch", transport.patch(preview)).sh("git apply ../p.patch");
		assertThat(this.transport.host().files()).isEqualTo(this.transport.inside());
	}

	@Test
	void aDeletedAndAReplacedEntryOfAnotherTypeArriveOnBothSides() throws Exception {
		this.transport.host().sh("mkdir d e; echo 1 >d/x; echo 2 >e/y; echo 3 >f; ln -s f g");
		WorkspaceTransport transport = this.transport.seeded();
		this.transport.guest("rm -r d; echo file >d; rm f; mkdir f; echo deep >f/z; rm g; echo plain >g");
		transport.extract();
		assertThat(this.transport.host().files()).isEqualTo(this.transport.inside());
		this.transport.host().sh("rm -r f d; mkdir d; echo again >d/x; ln -s d f; rm -r e; ln -s f e");
		transport.reconcile();
		assertThat(this.transport.inside()).isEqualTo(this.transport.host().files());
	}

	@Test
	void aSessionAttachedToLaterGoesOnWithItsTransport() throws Exception {
		this.transport.seeded();
		this.transport.guest("echo x >>a.txt");
		assertThat(this.transport.builder().build().extract().changes()).hasSize(1);
	}

	@Test
	void aSeededWorkspaceIsNotSeededAgain() {
		WorkspaceTransport transport = this.transport.seeded();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::seed)
			.withMessageContaining("'reconcile'");
	}

	@Test
	void aWorkspaceWithFilesIsNotSeeded() {
		this.transport.guest("echo mine >f");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.transport.builder().build().seed())
			.withMessageContaining("not empty")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH));
		assertThat(this.transport.guest("ls -A; cat f")).isEqualTo("f\nmine");
	}

	@Test
	void nothingIsSyncedBeforeTheSeed() {
		WorkspaceTransport transport = this.transport.builder().build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.withMessageContaining("'seed'");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::reconcile)
			.withMessageContaining("'seed'");
	}

	@Test
	void nothingIsSyncedWhileACommandRuns() {
		WorkspaceTransport transport = this.transport.seeded();
		try (SandboxProcess process = this.transport.sandbox().session().start(ExecSpec.shell("sleep 60"))) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
			process.cancel("enough").join();
		}
		assertThat(transport.extract().changes()).isEmpty();
	}

	@Test
	void aRootThatIsNoRepositoryIsRefusedByName() throws Exception {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.transport.builder(this.transport.host().root().resolve("src")).build())
			.withMessageContaining("'root'");
	}

	@Test
	void limitsAreLoudAndNothingMoves() throws Exception {
		WorkspaceTransport transport = this.transport.builder().maxTransfer(1000).build();
		transport.seed();
		var before = this.transport.host().files();
		this.transport.guest("head -c 1001 /dev/urandom >big");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::extract)
			.withMessageContaining("1001 bytes")
			.withMessageContaining("'maxTransfer'");
		assertThat(this.transport.host().files()).isEqualTo(before);
		this.transport.guest("rm big; echo small >small");
		assertThat(transport.extract().changes()).hasSize(1);
		this.transport.host().write("large", "y".repeat(1001));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(transport::reconcile)
			.withMessageContaining("'maxTransfer'");
		assertThat(this.transport.guest("ls")).isEqualTo("a.txt\nsmall\nsrc");
	}

	@Test
	void aSeedBeyondItsLimitLeavesAnEmptyWorkspace() {
		this.transport.host().sh("head -c 5000 /dev/urandom >big");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.transport.builder().maxSeed(4000).build().seed())
			.withMessageContaining("'maxSeed'");
		assertThat(this.transport.guest("ls -A")).isEmpty();
		assertThat(this.transport.builder().build().seed().changes()).hasSize(3);
	}

	@Test
	void twoTransportsOfOneTreeBringTheirChangesTogether() throws Exception {
		WorkspaceTransport one = this.transport.seeded();
		this.transport.guest("echo one >one");
		this.transport.host().write("two", "two\n");
		one.extract();
		assertThat(this.transport.host().files()).isEqualTo(this.transport.inside());
		assertThat(List.of(this.transport.host().root().resolve(".git").toFile().list()))
			.doesNotContain("sandbox4j.lock");
	}

}
