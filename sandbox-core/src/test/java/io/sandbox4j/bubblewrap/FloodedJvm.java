package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;

/**
 * Runs commands that print without end.
 */
public final class FloodedJvm {

	private FloodedJvm() {
	}

	public static void main(String[] args) {
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(Path.of(args[0]))
			.runtimeDirectory(Path.of(args[1]))
			.build()) {
			SandboxHandle sandbox = backend
				.create(SandboxRequest.from(backend.prewarm(SandboxTemplate.named("flood").build()))
					.network(NetworkPolicy.denyAll())
					.build());
			ExecResult gigabyte = sandbox.session()
				.run(ExecSpec.of("head", "-c", "1000000000", "/dev/zero")
					.withMaxOutput(1024 * 1024, OutputOverflow.DISCARD));
			System.out.println(
					"gigabyte " + gigabyte.status() + " " + gigabyte.stdout().length + " " + gigabyte.omittedStdout());
			ExecSpec endless = ExecSpec.of("yes")
				.withTimeout(Duration.ofSeconds(3))
				.withMaxOutput(1000, OutputOverflow.DISCARD);
			ExecResult yes = sandbox.session().run(endless);
			System.out
				.println("yes " + yes.status() + " " + yes.stdout().length + " " + (yes.omittedStdout() > 1_000_000));
			System.out.println(
					"four " + Stream.generate(() -> CompletableFuture.supplyAsync(() -> sandbox.session().run(endless)))
						.limit(4)
						.toList()
						.stream()
						.map(CompletableFuture::join)
						.map(ExecResult::status)
						.toList());
			sandbox.delete();
		}
	}

}
