package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.UUID;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.gateway.GatewayLimits;
import io.sandbox4j.gateway.GatewaySession;
import io.sandbox4j.gateway.SandboxGateway;

/**
 * Serves the gateway that is measured, so that its memory is its own. It is started by
 * the benchmark, and ended by it.
 */
public final class GatewayProcess {

	static final String REDACTING = "redacting";

	static final String UNREDACTED = "unredacted";

	private GatewayProcess() {
	}

	/**
	 * Serves until its input ends.
	 * @param args the directory for the sockets, and the origin
	 * @throws Exception if it cannot serve
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Path.of(args[0]);
		SandboxGateway gateway = SandboxGateway.builder().limits(patient()).build();
		open(gateway, directory.resolve(REDACTING), rule(args[1]).build());
		open(gateway, directory.resolve(UNREDACTED), rule(args[1]).redact(false).build());
		// The end of the benchmark ends its input, even if it was killed.
		System.in.transferTo(OutputStream.nullOutputStream());
		System.exit(0);
	}

	// The client's connections wait while the peers are measured, as they do at nginx.
	private static GatewayLimits patient() {
		GatewayLimits limits = GatewayLimits.DEFAULT;
		return new GatewayLimits(limits.requests(), limits.connections(), limits.headBytes(), limits.requestBytes(),
				limits.responseBytes(), limits.headTimeout(), limits.connectTimeout(), limits.idleTimeout(),
				Duration.ofMinutes(10), limits.requestTimeout());
	}

	static OriginRule.Builder rule(String origin) {
		return OriginRule.builder(origin)
			.allowPrivate(true)
			.allowPlaintext(true)
			.header("authorization", Upstream.CREDENTIAL)
			.maxResponseBytes(Upstream.Body.HUGE.bytes());
	}

	static GatewaySession open(SandboxGateway gateway, Path directory, OriginRule rule) throws IOException {
		Files.createDirectory(directory,
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		return gateway.open(UUID.randomUUID().toString(), directory, NetworkPolicy.allow(rule), (pid) -> null,
				(event) -> {
				});
	}

}
