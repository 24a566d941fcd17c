package io.sandbox4j.bubblewrap;

import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;

/**
 * Owns a session and works in it until it is killed.
 */
public final class CrashingOwner {

	private CrashingOwner() {
	}

	public static void main(String[] args) {
		BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build();
		try {
			SandboxHandle handle = backend
				.create(SandboxRequest.attach(new SandboxState("bubblewrap", args[2], args[3]))
					.network(NetworkPolicy.denyAll())
					.build());
			System.out.println("owned");
			handle.session().start(ExecSpec.shell("setsid sleep 300 & sleep 300"));
			System.out.println("busy");
			while (true) {
				handle.session().run(ExecSpec.shell("echo x >> log"));
				handle.session().files().writeText("file", "content".repeat(1000));
			}
		}
		catch (SandboxException ex) {
			System.out.println((ex.code() == ErrorCode.SANDBOX_BUSY) ? "SANDBOX_BUSY" : ex.code() + ": " + ex);
		}
	}

}
