package io.sandbox4j.bubblewrap;

import java.nio.file.Path;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.git.WorkspaceTransport;

/**
 * An application that seeds or syncs a workspace until it is killed.
 */
public final class SyncingOwner {

	private SyncingOwner() {
	}

	// Arguments: state directory, runtime directory, session, template, tree, transport,
	// what to do.
	public static void main(String[] args) {
		BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build();
		SandboxHandle handle = backend.create(SandboxRequest.attach(new SandboxState("bubblewrap", args[2], args[3]))
			.network(NetworkPolicy.denyAll())
			.build());
		WorkspaceTransport transport = WorkspaceTransport.builder(handle.session(), Path.of(args[4]), Path.of(args[5]))
			.build();
		System.out.println("owned");
		switch (args[6]) {
			case "seed" -> transport.seed();
			case "reconcile" -> transport.reconcile();
			default -> transport.extract();
		}
		handle.stop();
		backend.close();
	}

}
