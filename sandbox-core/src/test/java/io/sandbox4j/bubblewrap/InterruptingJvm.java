package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.Signal;

/**
 * Interrupts a command that traps it.
 */
public final class InterruptingJvm {

	private InterruptingJvm() {
	}

	public static void main(String[] args) throws Exception {
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build()) {
			SandboxTemplate template = SandboxTemplate.named("signals").file("README", "x").build();
			SandboxHandle sandbox = backend
				.create(SandboxRequest.from(backend.prewarm(template)).network(NetworkPolicy.denyAll()).build());
			SandboxProcess process = sandbox.session()
				.start(ExecSpec.shell("trap 'exit 3' INT; echo up; while :; do sleep 0.05; done")
					.withTimeout(Duration.ofSeconds(10)));
			process.stdout().read();
			process.signal(Signal.INT);
			ExecResult result = process.onExit().get();
			System.out.println("exit " + result.exitCode());
			sandbox.delete();
		}
	}

}
