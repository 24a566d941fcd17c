package io.sandbox4j.bubblewrap;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that are killed amid a capture, a restore or a collection: the checkpoint
 * before is there, byte for byte. {@code sandbox.test.kills} sets how many.
 */
@Tag("isolation")
class CheckpointCrashTests {

	private static final int KILLS = Math.max(2, Integer.getInteger("sandbox.test.kills", 10) / 3);

	private static final String SHOW = "find . -printf '%P|%y|%m|%T@|%l\\n' | sort; "
			+ "find . -type f -exec sha256sum {} + | sort";

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path directory;

	private final Random random = new Random(17);

	@Test
	void theCheckpointBeforeIsThereAfterAKillAtAnyMoment() throws Exception {
		BubblewrapBackend backend = this.sandboxes.backend();
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(this.directory.resolve("store"))).build();
		BackendExtension.sh(sandbox, "mkdir d e; for i in $(seq 150); do head -c 20000 /dev/urandom >d/$i; done; "
				+ "ln -s d link; chmod 555 e; truncate -s 50M hole");
		Checkpoint before = checkpoints.capture(sandbox);
		String content = BackendExtension.out(sandbox, SHOW);
		for (int kill = 0; kill < KILLS; kill++) {
			String what = List.of("capture", "restore", "collect").get(kill % 3);
			BackendExtension.sh(sandbox,
					"chmod 755 .; for i in $(seq 1 3 150); do head -c 20000 /dev/urandom >d/$i; done; " + "echo " + kill
							+ " >new");
			String changed = BackendExtension.out(sandbox, SHOW);
			SandboxState state = sandbox.captureState();
			sandbox.stop();
			killAmid(what, state, before.id());
			// As an application that starts again, which sweeps what was left.
			sandbox = this.sandboxes.backend()
				.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build());
			checkpoints.recover(sandbox.session());
			String at = "kill " + kill + " amid " + what;
			assertThat(BackendExtension.out(sandbox, SHOW)).as(at)
				.isIn(what.equals("restore") ? List.of(changed, content) : List.of(changed));
			List<Checkpoint> listed = checkpoints.list(state.sessionId());
			int index = listed.indexOf(before);
			assertThat(index).as(at).isBetween(listed.size() - 2, listed.size() - 1).isNotNegative();
			if (index == listed.size() - 2) {
				assertThat(restored(checkpoints, listed.get(index + 1), sandbox)).as(at).isEqualTo(changed);
			}
			assertThat(restored(checkpoints, before, sandbox)).as(at).isEqualTo(content);
			BackendExtension.sh(sandbox, "chmod 755 .; echo after " + kill + " >new");
			before = checkpoints.capture(sandbox);
			content = BackendExtension.out(sandbox, SHOW);
			assertThat(checkpoints.latest(state.sessionId())).isEqualTo(before);
			checkpoints.list(state.sessionId()).forEach((checkpoint) -> checkpoints.verify(checkpoint.id()));
		}
	}

	private static String restored(Checkpoints checkpoints, Checkpoint checkpoint, SandboxHandle sandbox) {
		checkpoints.restore(RestoreSpec.of(checkpoint.id()).withReplace(true), sandbox);
		return BackendExtension.out(sandbox, SHOW);
	}

	private void killAmid(String what, SandboxState state, String checkpoint) throws Exception {
		Process owner = ChildJvm.start(CapturingOwner.class, List.of(), Map.of(),
				this.sandboxes.stateDirectory().toString(), this.sandboxes.runtimeDirectory().toString(),
				state.sessionId(), state.templateKey(), this.directory.resolve("store").toString(), what, checkpoint);
		try {
			BufferedReader said = owner.inputReader(StandardCharsets.UTF_8);
			String line = said.readLine();
			while (line != null && !line.equals("owned")) {
				line = said.readLine();
			}
			assertThat(line).isEqualTo("owned");
			owner.waitFor(this.random.nextInt(900), TimeUnit.MILLISECONDS);
		}
		finally {
			owner.destroyForcibly().waitFor();
		}
	}

}
