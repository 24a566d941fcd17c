package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.benchmarks.Figure.Limit;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.checkpoint.Checkpoint;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;

/**
 * Captures of a workspace beside the programs that copy one.
 */
final class CheckpointsBenchmark implements Benchmark {

	private static final int FILES = 20_000;

	private static final int BYTES = 10_240;

	private static final int CHANGED = 10;

	private static final int ROUNDS = 15;

	private static final int FIRST_ROUNDS = 5;

	private static final int WARM_UP = 3;

	private int trials;

	// None is removed before the end: files are made slowly where many were removed.
	private int copies;

	@Override
	public String name() {
		return "checkpoints";
	}

	@Override
	public void run(Scratch scratch, Report report) throws Exception {
		Path state = scratch.makeDirectory("state");
		try (BubblewrapBackend backend = BubblewrapBackend.builder().stateDirectory(state).build()) {
			String template = backend.prewarm(SandboxTemplate.named("empty").build()).key();
			SandboxRequest request = SandboxRequest.from(template).network(NetworkPolicy.denyAll()).build();
			try (SandboxHandle handle = backend.create(request)) {
				sh(handle, "for d in $(seq 100); do mkdir d$d; (cd d$d; head -c " + FILES / 100 * BYTES
						+ " /dev/urandom | split -b " + BYTES + " -a 3 - f); done");
				Path workspace = workspace(state, handle.session().id());
				first(scratch, handle, workspace, report);
				next(scratch, handle, workspace, report);
				handle.delete();
			}
		}
		report.note(FILES + " files of " + BYTES + " bytes, in the page cache, on "
				+ Runtime.getRuntime().availableProcessors() + " processors.");
	}

	private void first(Scratch scratch, SandboxHandle handle, Path workspace, Report report) throws Exception {
		Callable<Double> ours = () -> {
			Path store = scratch.directory().resolve("first" + this.copies++);
			Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(store)).build();
			long before = System.nanoTime();
			Checkpoint checkpoint = checkpoints.capture(handle);
			double seconds = seconds(before);
			require(checkpoint.newBytes() >= (long) FILES * BYTES, "All must be new");
			return seconds;
		};
		Callable<Double> theirs = () -> {
			String copy = scratch.directory().resolve("copy" + this.copies++).toString();
			long before = System.nanoTime();
			program("cp", "-a", workspace.toString(), copy);
			return seconds(before);
		};
		compare(report, "first capture, s, cp -a", Limit.atMost(2), FIRST_ROUNDS, ours, theirs);
	}

	private void next(Scratch scratch, SandboxHandle handle, Path workspace, Report report) throws Exception {
		if (Scratch.program("rsync") == null) {
			report.missing("rsync", "captures after a change");
			return;
		}
		Path store = scratch.directory().resolve("store");
		String mirror = scratch.directory().resolve("mirror").toString();
		Checkpoints checkpoints = Checkpoints.builder(FileSnapshotStore.open(store)).build();
		checkpoints.capture(handle);
		program("rsync", "-a", workspace + "/", mirror + "/");
		Series disk = new Series();
		Series changed = new Series();
		Callable<Double> ours = () -> {
			change(handle);
			long size = size(store);
			long before = System.nanoTime();
			Checkpoint checkpoint = checkpoints.capture(handle);
			double seconds = seconds(before);
			require(checkpoint.newBytes() > (long) CHANGED * BYTES && checkpoint.newBytes() < 50L * CHANGED * BYTES,
					"What changed must be new");
			disk.add(size(store) - size);
			changed.add(CHANGED * BYTES);
			return seconds;
		};
		Callable<Double> theirs = () -> {
			change(handle);
			long before = System.nanoTime();
			program("rsync", "-a", workspace + "/", mirror + "/");
			return seconds(before);
		};
		compare(report, "capture after a change, s, rsync -a", Limit.atMost(3), ROUNDS, ours, theirs);
		report.add(Figure.of("new on disk, bytes, changed", disk, changed, Limit.atMost(2)));
	}

	// A round has one trial of each, and one change for both.
	private void change(SandboxHandle handle) {
		if (this.trials++ % 2 == 0) {
			sh(handle, "for d in $(seq 10 10 100); do cd d$d; f=$(ls | shuf -n 1); head -c " + BYTES
					+ " /dev/urandom >$f; cd ..; done");
		}
	}

	private static void compare(Report report, String name, Limit limit, int rounds, Callable<Double> ours,
			Callable<Double> theirs) throws Exception {
		List<Callable<Double>> competitors = List.of(ours, theirs);
		Rounds.run(WARM_UP, competitors, Callable::call);
		Rounds<Callable<Double>> measured = Rounds.run(rounds, competitors, Callable::call);
		report.add(Figure.of(name, measured.of(ours), measured.of(theirs), limit));
	}

	private static double seconds(long before) {
		return (System.nanoTime() - before) / 1e9;
	}

	private static void sh(SandboxHandle handle, String script) {
		handle.session().run(ExecSpec.shell(script).withTimeout(Duration.ofMinutes(5))).orThrow();
	}

	private static Path workspace(Path state, String session) throws IOException {
		try (Stream<Path> found = Files.find(state, 5,
				(path, attributes) -> attributes.isDirectory() && path.endsWith(Path.of(session, "workspace")))) {
			return found.findFirst().orElseThrow();
		}
	}

	// As blocks, not as lengths.
	private static long size(Path directory) throws IOException, InterruptedException {
		String said = program("du", "-s", "--block-size=1", directory.toString());
		return Long.parseLong(said.substring(0, said.indexOf('\t')));
	}

	private static String program(String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		process.getOutputStream().close();
		String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		require(process.waitFor() == 0, command[0] + " failed");
		return said;
	}

	private static void require(boolean holds, String what) {
		if (!holds) {
			throw new IllegalStateException(what);
		}
	}

}
