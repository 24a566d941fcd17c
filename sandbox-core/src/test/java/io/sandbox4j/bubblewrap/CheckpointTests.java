package io.sandbox4j.bubblewrap;

import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Checkpoints of real sandboxes.
 */
@Tag("isolation")
class CheckpointTests {

	private static final String SHOW = "find . ! -type p -printf '%P|%y|%m|%T@|%l\\n' | sort; "
			+ "find . -type f -exec sha256sum {} + | sort";

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path directory;

	@Test
	void aRestoredWorkspaceEqualsTheCapturedOne() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension
			.sh(sandbox, "mkdir -p d/empty; echo a >d/a; ln d/a d/b; ln -s /etc/passwd link; printf x >-dash; "
					+ "printf y >\"$(printf 'new\\nline\\377\\\\n')\"; truncate -s 300M sparse; echo end >>sparse; mkfifo p; "
					+ "touch -d '1971-01-01 00:00:00.5' old; chmod 4751 d/a; chmod 555 d");
		String before = BackendExtension.out(sandbox, SHOW.replace("-type f", "-type f -size -1G"));
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		assertThat(checkpoint.leftOut()).containsExactly("p");
		assertThat(checkpoints.capture(sandbox).newBytes()).isLessThan(20_000);
		BackendExtension.sh(sandbox, "rm -rf link; mkdir link; echo changed >README; echo >more");
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, SHOW.replace("-type f", "-type f -size -1G"))).isEqualTo(before);
		assertThat(checkpoints.recover(sandbox.session())).isFalse();
		BackendExtension.sh(sandbox, "chmod 755 d");
	}

	@Test
	void aTimeBefore1970KeepsItsFraction() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "touch -d '1969-12-31 23:59:58.75 UTC' quarter; "
				+ "touch -d '1969-12-31 23:59:59.5 UTC' half; touch -d '1950-01-01 00:00:00 UTC' whole");
		String before = BackendExtension.out(sandbox, SHOW);
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, SHOW)).isEqualTo(before);
	}

	@Test
	void aWorkspaceThatIsNotEmptyIsLeftAlone() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		BackendExtension.sh(sandbox, "echo kept >more");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> checkpoints.restore(RestoreSpec.of(checkpoint.id()), sandbox))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH));
		assertThat(BackendExtension.out(sandbox, "cat more")).isEqualToIgnoringNewLines("kept");
	}

	@Test
	void aCaptureBeyondALimitCountsNotAndLatestRefuses() {
		FileSnapshotStore store = FileSnapshotStore.open(this.directory.resolve("store"));
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String lineage = sandbox.session().id();
		Checkpoints checkpoints = Checkpoints.builder(store).build();
		Checkpoint first = checkpoints.capture(sandbox);
		BackendExtension.sh(sandbox, "head -c 100000 /dev/urandom >large");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> Checkpoints.builder(store).maxBytes(50_000).build().capture(sandbox))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
		assertThat(checkpoints.list(lineage)).containsExactly(first);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.latest(lineage))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH));
	}

	@Test
	void anUnknownIdIsNotFound() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.get("0".repeat(64)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_NOT_FOUND));
	}

	@Test
	void onlyWhatChangedIsNew() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "head -c 3000000 /dev/urandom >large; echo a >small");
		assertThat(checkpoints.capture(sandbox).newBytes()).isGreaterThan(3_000_000);
		BackendExtension.sh(sandbox, "head -c 5000 /dev/urandom >small; cp large copy");
		assertThat(checkpoints.capture(sandbox).newBytes()).isBetween(5_000L, 30_000L);
	}

	@Test
	void aHoleStaysAHole() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox,
				"truncate -s 30M f; echo middle | dd of=f bs=1M seek=10 conv=notrunc; truncate -s 5M all");
		String before = BackendExtension.out(sandbox, SHOW);
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		assertThat(checkpoint.bytes()).isLessThan(2_000_000);
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, SHOW)).isEqualTo(before);
		assertThat(BackendExtension.out(sandbox, "du -sm .").split("\\s")[0]).isIn("0", "1", "2");
	}

	@Test
	void anotherSessionTakesIt() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo moved >file");
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		SandboxHandle other = this.sandboxes.emptySandbox();
		RestoreSpec spec = RestoreSpec.of(checkpoint.id());
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> checkpoints.restore(spec, other.session(), "x"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH));
		checkpoints.restore(spec.withAnyKey(true), other);
		assertThat(BackendExtension.out(other, "cat file")).isEqualToIgnoringNewLines("moved");
	}

	@Test
	void aDirectoryThatItsOwnerMayNotWriteIsReplacedAndRestored() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox,
				"mkdir -p closed/deep; echo a >closed/a; chmod 500 closed/deep; chmod 555 closed; chmod 2555 .; touch -d @5.25 .");
		String before = BackendExtension.out(sandbox, SHOW);
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		BackendExtension.sh(sandbox,
				"chmod 755 . closed; echo b >closed/a; mkdir other; echo >other/x; chmod 555 other .");
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, SHOW)).isEqualTo(before);
		assertThat(BackendExtension.out(sandbox, "ls -A")).isEqualTo("README\nclosed");
		BackendExtension.sh(sandbox, "chmod -R u+w .");
	}

	@Test
	void hardLinksOfOneFileAreOneAgain() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo one >a; mkdir d; ln a d/b; ln a z; chmod 640 z");
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, "stat -c '%h %a' a d/b z; echo two >>z; cat d/b"))
			.isEqualTo("3 640\n3 640\n3 640\none\ntwo");
	}

	@Test
	void whatIsNeitherFileNorDirectoryNorLinkIsNamedAndLeftOut() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "mkfifo pipe; perl -MIO::Socket::UNIX -e "
				+ "'IO::Socket::UNIX->new(Local=>\"socket\",Listen=>1)'; ln -s . loop; ln -s nowhere broken");
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		assertThat(checkpoint.leftOut()).containsExactly("pipe", "socket");
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, "ls -A; readlink loop broken"))
			.isEqualTo("README\nbroken\nloop\n.\nnowhere");
	}

	@Test
	void aFileThatWasTouchedButNotChangedIsReadAgain() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo aaaa >f; touch -d @1000000000 f");
		checkpoints.capture(sandbox);
		BackendExtension.sh(sandbox, "echo bbbb >f; touch -d @1000000000 f");
		Checkpoint second = checkpoints.capture(sandbox);
		checkpoints.restore(RestoreSpec.of(second.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, "cat f")).isEqualTo("bbbb");
	}

	@Test
	void aPathAsLongAsTheKernelTakesIsKept() {
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		// A name of 255 bytes has one more for its slash; 15 of them and 250 are 4090.
		BackendExtension.sh(sandbox, "n=$(printf %255s | tr ' ' n); for i in $(seq 15); do mkdir $n; cd $n; done; "
				+ "echo deep >$(printf %250s | tr ' ' f)");
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		assertThat(checkpoint.files()).isEqualTo(17);
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		assertThat(BackendExtension.out(sandbox, "find . -type f -name 'f*' -execdir cat {} +")).isEqualTo("deep");
	}

}
