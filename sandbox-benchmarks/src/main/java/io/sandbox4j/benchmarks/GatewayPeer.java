package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.gateway.GatewaySession;

/**
 * Our gateway, in a JVM of its own with the options that a JVM has by default.
 */
final class GatewayPeer {

	private static final String NAME = "gateway";

	private static final String LISTENERS = "listeners";

	private static final long LISTENERS_SECONDS = 60;

	private final Process process;

	private final Path directory;

	private GatewayPeer(Process process, Path directory) {
		this.process = process;
		this.directory = directory;
	}

	static GatewayPeer start(Scratch scratch, Upstream upstream) throws IOException {
		Path directory = scratch.makeDirectory(NAME);
		Process process = scratch.start(NAME, Scratch.java("-Djava.io.tmpdir=" + scratch.directory(),
				GatewayProcess.class.getName(), directory.toString(), upstream.origin()));
		GatewayPeer peer = new GatewayPeer(process, directory);
		scratch.await(NAME, process, () -> peer.redacting().listens() && peer.unredacted().listens());
		return peer;
	}

	// As it is unless a rule says otherwise.
	Target redacting() {
		return new Target(NAME, socket(GatewayProcess.REDACTING));
	}

	// With redaction switched off by the rule.
	Target unredacted() {
		return new Target("gateway without redaction", socket(GatewayProcess.UNREDACTED));
	}

	private Path socket(String session) {
		return this.directory.resolve(session).resolve(GatewaySession.SOCKET);
	}

	// Returns how much it has now.
	long resetPeakMemory() throws IOException {
		Memory.resetPeak(this.process.pid());
		return Memory.peakBytes(this.process.pid());
	}

	long peakMemory() throws IOException {
		return Memory.peakBytes(this.process.pid());
	}

	/**
	 * Measures what a session costs that nobody uses, in another JVM: small generations
	 * make garbage cost nothing, so that what stays is seen.
	 * @param scratch where the sockets are made
	 * @return the resident bytes
	 * @throws Exception if it cannot be measured
	 */
	static double bytesPerIdleListener(Scratch scratch) throws Exception {
		Path directory = scratch.makeDirectory(LISTENERS);
		Process process = scratch.start(LISTENERS,
				Scratch.java("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmn16m", "-Xms256m",
						"-Djava.io.tmpdir=" + scratch.directory(), IdleListeners.class.getName(),
						directory.toString()));
		if (!process.waitFor(LISTENERS_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
			throw new IOException("Idle listeners cannot be measured: " + scratch.log(LISTENERS));
		}
		return Double.parseDouble(Files.readString(directory.resolve(IdleListeners.RESULT)).strip());
	}

}
