package io.sandbox4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.bubblewrap.BubblewrapBackend;

/**
 * Attaches to a session with many files and to one with few, in turns, runs a command in
 * each, and prints the medians and their ratio: near 1, because nothing walks a
 * workspace.
 */
public final class WorkspaceSizeComparison {

	private static final int FEW = 10;

	private static final int ROUNDS = 40;

	private WorkspaceSizeComparison() {
	}

	/**
	 * Runs the comparison.
	 * @param args how many files the large workspace has, 100,000 unless given
	 * @throws Exception if it cannot be run
	 */
	public static void main(String[] args) throws Exception {
		int many = (args.length > 0) ? Integer.parseInt(args[0]) : 100_000;
		Path directory = Files.createTempDirectory("sandbox4j-benchmark");
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(directory.resolve("state"))
			.build()) {
			SandboxState small = session(backend, FEW);
			SandboxState large = session(backend, many);
			List<Long> smallTimes = new ArrayList<>();
			List<Long> largeTimes = new ArrayList<>();
			for (int round = 0; round < ROUNDS; round++) {
				smallTimes.add(attachAndRun(backend, small));
				largeTimes.add(attachAndRun(backend, large));
			}
			System.out.printf(
					"attach and run, median of %d interleaved rounds: %d files %.1f ms, %d files %.1f ms, ratio %.2f%n",
					ROUNDS, FEW, median(smallTimes), many, median(largeTimes), median(largeTimes) / median(smallTimes));
			backend.delete(small.sessionId());
			backend.delete(large.sessionId());
		}
		new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
	}

	private static SandboxState session(BubblewrapBackend backend, int files) {
		SandboxTemplate template = SandboxTemplate.named("empty").build();
		try (SandboxHandle handle = backend
			.create(SandboxRequest.from(backend.prewarm(template)).network(NetworkPolicy.denyAll()).build())) {
			handle.session()
				.run(ExecSpec.shell("i=0; while [ $i -lt " + files + " ]; do : > f$i; i=$((i+1)); done")
					.withTimeout(Duration.ofMinutes(10)));
			return handle.captureState();
		}
	}

	private static long attachAndRun(BubblewrapBackend backend, SandboxState state) {
		long before = System.nanoTime();
		try (SandboxHandle handle = backend
			.create(SandboxRequest.attach(state).network(NetworkPolicy.denyAll()).build())) {
			handle.session().run(ExecSpec.of("true"));
		}
		return System.nanoTime() - before;
	}

	private static double median(List<Long> nanos) {
		List<Long> sorted = new ArrayList<>(nanos);
		Collections.sort(sorted);
		return sorted.get(sorted.size() / 2) / 1e6;
	}

}
