package io.sandbox4j.bubblewrap;

import java.nio.file.Path;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.RestoreSpec;
import io.sandbox4j.checkpoint.Retention;

/**
 * An application that captures, restores or collects until it is killed.
 */
public final class CapturingOwner {

	private CapturingOwner() {
	}

	// Arguments: state directory, runtime directory, session, template, store, what to
	// do,
	// checkpoint.
	public static void main(String[] args) {
		BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build();
		SandboxHandle handle = backend.create(SandboxRequest.attach(new SandboxState("bubblewrap", args[2], args[3]))
			.network(NetworkPolicy.denyAll())
			.build());
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(Path.of(args[4]))).build();
		System.out.println("owned");
		switch (args[5]) {
			case "capture" -> checkpoints.capture(handle);
			case "restore" -> checkpoints.restore(RestoreSpec.of(args[6]).withReplace(true), handle);
			default -> {
				checkpoints.retain(args[2], Retention.keepLast(1));
				checkpoints.collect();
			}
		}
		System.out.println("done");
		handle.stop();
		backend.close();
	}

}
