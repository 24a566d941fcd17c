package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.CheckpointsBuilder;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Captures and restores that are refused, and what is there afterwards.
 */
@Tag("isolation")
class CheckpointRefusalTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path directory;

	@Test
	void nothingIsCapturedOrRestoredWhileACommandRuns() {
		Checkpoints checkpoints = checkpoints();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Checkpoint first = checkpoints.capture(sandbox);
		try (SandboxProcess running = sandbox.session().start(ExecSpec.of("sleep", "60"))) {
			refused(ErrorCode.SANDBOX_BUSY, () -> checkpoints.capture(sandbox));
			refused(ErrorCode.SANDBOX_BUSY,
					() -> checkpoints.restore(RestoreSpec.of(first.id()).withReplace(true), sandbox));
			assertThat(running.onExit()).isNotDone();
		}
		assertThat(checkpoints.list(sandbox.session().id())).containsExactly(first);
		assertThat(checkpoints.latest(sandbox.session().id())).isEqualTo(first);
	}

	@Test
	void aCommandThatBeginsAmidACaptureMakesItFail() {
		Checkpoints checkpoints = checkpoints();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "head -c 400000000 /dev/zero | tr '\\0' x >large");
		CompletableFuture<Checkpoint> capture = CompletableFuture.supplyAsync(() -> checkpoints.capture(sandbox));
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> sandbox.session().admission().active() > 0);
		// One that ended before the files were listed would be part of what is captured.
		try (SandboxProcess writer = sandbox.session()
			.start(ExecSpec.shell("i=0; while :; do echo $((i += 1)) >README; done"))) {
			assertThatExceptionOfType(CompletionException.class).isThrownBy(capture::join)
				.satisfies((ex) -> assertThat(((SandboxException) ex.getCause()).code())
					.isEqualTo(ErrorCode.SANDBOX_BUSY));
			assertThat(writer.onExit()).isNotDone();
		}
		assertThat(checkpoints.list(sandbox.session().id())).isEmpty();
	}

	@Test
	void aStopAmidACaptureEndsItAndLatestRefuses() {
		Checkpoints checkpoints = checkpoints();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String lineage = sandbox.session().id();
		Checkpoint first = checkpoints.capture(sandbox);
		BackendExtension.sh(sandbox, "head -c 400000000 /dev/zero | tr '\\0' x >large");
		CompletableFuture<Checkpoint> capture = CompletableFuture.supplyAsync(() -> checkpoints.capture(sandbox));
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> sandbox.session().admission().active() > 0);
		sandbox.stop();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(capture::join)
			.satisfies(
					(ex) -> assertThat(((SandboxException) ex.getCause()).code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		assertThat(checkpoints.list(lineage)).containsExactly(first);
		refused(ErrorCode.SANDBOX_STATE_MISMATCH, () -> checkpoints.latest(lineage));
	}

	@Test
	void aFailedCaptureBeforeAStopStopsAndLatestRefuses() {
		Checkpoints checkpoints = checkpoints();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		String lineage = sandbox.session().id();
		checkpoints.capture(sandbox);
		sandbox.session().start(ExecSpec.of("sleep", "60"));
		refused(ErrorCode.SANDBOX_BUSY, () -> checkpoints.stop(sandbox));
		refused(ErrorCode.SANDBOX_STOPPED, () -> BackendExtension.sh(sandbox, "true"));
		refused(ErrorCode.SANDBOX_STATE_MISMATCH, () -> checkpoints.latest(lineage));
	}

	@Test
	void theNextCaptureMendsTheLineage() {
		Checkpoints checkpoints = checkpoints();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		checkpoints.capture(sandbox);
		BackendExtension.sh(sandbox, "echo >x; chmod 0 x");
		refused(ErrorCode.SANDBOX_STATE_MISMATCH, () -> checkpoints.capture(sandbox));
		BackendExtension.sh(sandbox, "chmod 600 x");
		Checkpoint second = checkpoints.capture(sandbox);
		assertThat(checkpoints.latest(sandbox.session().id())).isEqualTo(second);
	}

	@Test
	void aFileThatItsOwnerMayNotReadIsNamed() {
		Checkpoints checkpoints = checkpoints();
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo secret >closed; chmod 0 closed");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.capture(sandbox))
			.withMessageContaining("closed")
			.withMessageContaining("chmod u+rX");
		BackendExtension.sh(sandbox, "rm -f closed; mkdir shut; chmod 0 shut");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.capture(sandbox))
			.withMessageContaining("shut");
		BackendExtension.sh(sandbox, "chmod 700 shut");
	}

	@Test
	void asManyFilesAsTheLimitSaysAreTakenAndNoMore() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "touch 1 2 3 4");
		assertThat(checkpoints((builder) -> builder.maxFiles(5)).capture(sandbox).files()).isEqualTo(5);
		refused(ErrorCode.SANDBOX_LIMIT, () -> checkpoints((builder) -> builder.maxFiles(4)).capture(sandbox));
	}

	@Test
	void asManyBytesAsTheLimitSaysAreTakenAndNoMore() {
		SandboxHandle sandbox = this.sandboxes.emptySandbox();
		BackendExtension.sh(sandbox, "head -c 100000 /dev/urandom >f; truncate -s 500M hole");
		assertThat(checkpoints((builder) -> builder.maxBytes(100_000)).capture(sandbox).bytes()).isEqualTo(100_000);
		refused(ErrorCode.SANDBOX_LIMIT, () -> checkpoints((builder) -> builder.maxBytes(99_999)).capture(sandbox));
	}

	@Test
	void aCaptureThatTakesTooLongIsRefused() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		refused(ErrorCode.SANDBOX_LIMIT,
				() -> checkpoints((builder) -> builder.timeout(Duration.ofMillis(1))).capture(sandbox));
	}

	@Test
	void aRestoreThatTakesTooLongLeavesTheOldWorkspace() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Checkpoint checkpoint = checkpoints().capture(sandbox);
		BackendExtension.sh(sandbox, "echo kept >more");
		refused(ErrorCode.SANDBOX_LIMIT, () -> checkpoints((builder) -> builder.timeout(Duration.ofMillis(1)))
			.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox));
		checkpoints().recover(sandbox.session());
		assertThat(BackendExtension.out(sandbox, "ls -A; cat more")).isEqualTo("README\nmore\nkept");
	}

	@Test
	void aLineageHasASimpleName() {
		SandboxHandle sandbox = this.sandboxes.sandbox();
		refused(ErrorCode.SANDBOX_INVALID, () -> checkpoints().capture(sandbox.session(), "../x", "key"));
		refused(ErrorCode.SANDBOX_INVALID, () -> checkpoints().latest("A"));
	}

	@Test
	void anIdThatIsNoneIsNotFound() {
		refused(ErrorCode.SANDBOX_NOT_FOUND, () -> checkpoints().get("../../lock"));
		refused(ErrorCode.SANDBOX_NOT_FOUND, () -> checkpoints().verify("f".repeat(64)));
	}

	private Checkpoints checkpoints() {
		return checkpoints(UnaryOperator.identity());
	}

	private Checkpoints checkpoints(UnaryOperator<CheckpointsBuilder> customizer) {
		return customizer.apply(Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store")))).build();
	}

	private static void refused(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).as(ex.getMessage()).isEqualTo(code));
	}

}
