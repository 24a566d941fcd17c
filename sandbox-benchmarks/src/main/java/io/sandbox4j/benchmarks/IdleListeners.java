package io.sandbox4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.OriginRule;
import io.sandbox4j.gateway.GatewaySession;
import io.sandbox4j.gateway.SandboxGateway;

/**
 * Opens sessions of a gateway that nobody uses and measures what one of them takes. It is
 * started by the benchmark.
 */
public final class IdleListeners {

	static final String RESULT = "bytes";

	private static final int STEP = 400;

	private static final int STEPS = 5;

	private static final int GARBAGE = 64;

	private IdleListeners() {
	}

	/**
	 * Measures, and leaves the bytes for one listener in a file.
	 * @param args the directory for the sockets
	 * @throws Exception if it cannot be measured
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Path.of(args[0]);
		// The application has the rule, with a listener or without.
		OriginRule rule = GatewayProcess.rule("http://127.0.0.1:8080").build();
		Series perListener = new Series();
		List<GatewaySession> sessions = new ArrayList<>();
		try (SandboxGateway gateway = SandboxGateway.builder().build()) {
			open(gateway, directory, rule, sessions);
			long before = settled();
			for (int step = 0; step < STEPS; step++) {
				open(gateway, directory, rule, sessions);
				long after = settled();
				perListener.add((double) (after - before) / STEP);
				before = after;
			}
		}
		// The median: now and then the JVM grows for a reason of its own.
		Files.writeString(directory.resolve(RESULT), String.valueOf(perListener.median()));
	}

	private static void open(SandboxGateway gateway, Path directory, OriginRule rule, List<GatewaySession> sessions)
			throws Exception {
		for (int i = 0; i < STEP; i++) {
			sessions.add(GatewayProcess.open(gateway, directory.resolve(String.valueOf(sessions.size())), rule));
		}
	}

	private static long settled() throws Exception {
		// Every page of the young generation is in use before the first look already.
		for (int i = 0; i < GARBAGE; i++) {
			Objects.requireNonNull(new byte[1024 * 1024]);
		}
		System.gc();
		return Memory.residentBytes(ProcessHandle.current().pid());
	}

}
