package io.sandbox4j.bubblewrap;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.CheckpointEvent;
import io.sandbox4j.checkpoint.CheckpointEvent.Action;
import io.sandbox4j.checkpoint.CheckpointListener;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.CollectionResult;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a {@link CheckpointListener} hears of checkpoints of real sandboxes.
 */
@Tag("isolation")
class CheckpointListenerTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path directory;

	private final List<CheckpointEvent> events = new ArrayList<>();

	@Test
	void whatSucceedsIsToldOnceWithItsTime() {
		Checkpoints checkpoints = checkpoints(this.events::add);
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Checkpoint captured = checkpoints.capture(sandbox);
		Checkpoint forked = checkpoints.fork(captured.id(), "other");
		checkpoints.restore(RestoreSpec.of(captured.id()).withReplace(true), sandbox);
		CollectionResult collected = checkpoints.collect();
		assertThat(this.events).extracting(CheckpointEvent::action)
			.containsExactly(Action.CAPTURE, Action.FORK, Action.RESTORE, Action.COLLECT);
		assertThat(this.events).allSatisfy((event) -> assertThat(event.duration()).isPositive());
		assertThat(this.events.get(0)).isInstanceOfSatisfying(CheckpointEvent.Published.class,
				(event) -> assertThat(event.checkpoint()).isEqualTo(captured));
		assertThat(this.events.get(1)).isInstanceOfSatisfying(CheckpointEvent.Published.class,
				(event) -> assertThat(event.checkpoint()).isEqualTo(forked));
		assertThat(this.events.get(2)).isInstanceOfSatisfying(CheckpointEvent.Restored.class, (event) -> {
			assertThat(event.checkpoint()).isEqualTo(captured);
			assertThat(event.sessionId()).isEqualTo(sandbox.session().id());
		});
		assertThat(this.events.get(3)).isInstanceOfSatisfying(CheckpointEvent.Collected.class,
				(event) -> assertThat(event.result()).isEqualTo(collected));
	}

	@Test
	void whatFailsIsToldOnceAsTheCallerIs() {
		Checkpoints checkpoints = checkpoints(this.events::add);
		SandboxHandle sandbox = this.sandboxes.sandbox();
		BackendExtension.sh(sandbox, "echo x >f; chmod 0 f");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.backUp(sandbox))
			.satisfies((ex) -> assertFailed(Action.CAPTURE, sandbox.session().id(), ex));
		String absent = "0".repeat(64);
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> checkpoints.restore(RestoreSpec.of(absent), sandbox))
			.satisfies((ex) -> assertFailed(Action.RESTORE, absent, ex));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.fork(absent, "other"))
			.satisfies((ex) -> assertFailed(Action.FORK, "other", ex));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> checkpoints.importFrom(new ByteArrayInputStream(new byte[1]), "imported"))
			.satisfies((ex) -> assertFailed(Action.IMPORT, "imported", ex));
		BackendExtension.sh(sandbox, "chmod 600 f");
	}

	private void assertFailed(Action action, String subject, SandboxException failure) {
		assertThat(this.events).singleElement().isInstanceOfSatisfying(CheckpointEvent.Failed.class, (event) -> {
			assertThat(event.action()).isEqualTo(action);
			assertThat(event.subject()).isEqualTo(subject);
			assertThat(event.failure()).isSameAs(failure);
		});
		this.events.clear();
	}

	@Test
	void itsOwnFailureReachesNobody() {
		Checkpoints checkpoints = checkpoints((event) -> {
			throw new IllegalStateException("failed");
		});
		SandboxHandle sandbox = this.sandboxes.sandbox();
		Checkpoint checkpoint = checkpoints.capture(sandbox);
		assertThat(checkpoints.latest(sandbox.session().id())).isEqualTo(checkpoint);
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> checkpoints.restore(RestoreSpec.of(checkpoint.id()), sandbox))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STATE_MISMATCH));
	}

	@Test
	void theNewestAreListedWithoutTheOthers() {
		Checkpoints checkpoints = checkpoints(this.events::add);
		SandboxHandle sandbox = this.sandboxes.sandbox();
		List<Checkpoint> all = List.of(checkpoints.capture(sandbox), checkpoints.capture(sandbox),
				checkpoints.capture(sandbox));
		String lineage = sandbox.session().id();
		assertThat(checkpoints.list(lineage)).isEqualTo(all);
		assertThat(checkpoints.list(lineage, 2)).isEqualTo(all.subList(1, 3));
		assertThat(checkpoints.list(lineage, 4)).isEqualTo(all);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> checkpoints.list(lineage, 0));
	}

	private Checkpoints checkpoints(CheckpointListener listener) {
		return Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).listener(listener).build();
	}

}
