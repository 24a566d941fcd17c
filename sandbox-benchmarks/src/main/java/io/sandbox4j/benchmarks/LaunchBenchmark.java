package io.sandbox4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.benchmarks.Figure.Limit;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.bubblewrap.WarmSettings;
import org.jspecify.annotations.Nullable;

/**
 * One command from its call to its result: in a sandbox that waited, in one built for it,
 * and beside the same program without a sandbox and in the same one started from
 * elsewhere.
 */
final class LaunchBenchmark implements Benchmark {

	private static final int ROUNDS = 101;

	private static final int WARM_UP = 40;

	private static final int AT_ONCE = 8;

	private static final int EACH = 40;

	private static final int ARRIVALS = 150;

	private static final double ARRIVALS_A_SECOND = 15;

	private static final String INSIDE = "/workspace";

	private static final Duration LONG = Duration.ofHours(1);

	@Override
	public String name() {
		return "launch";
	}

	@Override
	public void run(Scratch scratch, Report report) throws Exception {
		List<String> c = Spawner.inC(scratch);
		if (c == null) {
			report.missing("A C compiler", "launches");
			return;
		}
		String load = Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
		try (Sandboxes warm = new Sandboxes(scratch, "warm", new WarmSettings(1, 4, 64, LONG, LONG, true));
				Sandboxes cold = new Sandboxes(scratch, "cold", WarmSettings.off())) {
			BareBubblewrap bare = BareBubblewrap.of(cold.backend, cold.workspace, scratch);
			Peers peers = new Peers(bare, c, Spawner.inNode(scratch), cold.workspace);
			for (Map.Entry<String, List<String>> program : programs().entrySet()) {
				latency(program.getKey(), program.getValue(), warm, cold, peers, report);
			}
			arrivals(warm, cold, report);
			throughput(warm, peers, report);
			stop(warm, report);
		}
		report.note("The load average was " + load + " before, on " + Runtime.getRuntime().availableProcessors()
				+ " processors. Milliseconds, unless a figure says otherwise.");
	}

	private static Map<String, List<String>> programs() {
		Map<String, List<String>> programs = new LinkedHashMap<>();
		programs.put("true", List.of("/usr/bin/true"));
		if (Scratch.program("git") != null) {
			programs.put("git status",
					List.of("/usr/bin/git", "-C", INSIDE, "-c", "safe.directory=*", "status", "--short"));
		}
		programs.put("python3", List.of("/usr/bin/python3", "-c", "pass"));
		return programs;
	}

	private static void latency(String name, List<String> program, Sandboxes warm, Sandboxes cold, Peers peers,
			Report report) throws Exception {
		boolean simple = name.equals("true");
		try (Spawner plain = peers.plain(program); Spawner bare = peers.bare(program)) {
			Callable<Double> inWarm = () -> warm.runWarm(program);
			Callable<Double> inCold = () -> cold.run(program);
			Callable<Double> inPlain = () -> plain.run(1);
			Callable<Double> inBare = () -> bare.run(1);
			List<Callable<Double>> competitors = new ArrayList<>(List.of(inWarm, inCold, inPlain, inBare));
			Spawner node = simple ? peers.node(program) : null;
			Callable<Double> inNode = () -> (node != null) ? node.run(1) : 0;
			if (node != null) {
				competitors.add(inNode);
			}
			Rounds.run(WARM_UP, competitors, Callable::call);
			Rounds<Callable<Double>> rounds = Rounds.run(ROUNDS, competitors, Callable::call);
			Series ours = rounds.of(inWarm);
			report.add(Figure.of("warm " + name + ", C without a sandbox", ours, rounds.of(inPlain),
					Limit.atMost(simple ? 1.25 : 1.15)));
			report.add(Figure.late("warm " + name + ", C without a sandbox, p95", ours, rounds.of(inPlain)));
			report.add(Figure.of("warm " + name + ", bubblewrap from C", ours, rounds.of(inBare),
					simple ? Limit.atMost(0.25) : null));
			report.add(Figure.of("new " + name + ", bubblewrap from C", rounds.of(inCold), rounds.of(inBare),
					simple ? Limit.atMost(1.4) : null));
			report.add(Figure.late("new " + name + ", bubblewrap from C, p95", rounds.of(inCold), rounds.of(inBare)));
			if (node != null) {
				report.add(Figure.of("warm " + name + ", bubblewrap from Node", ours, rounds.of(inNode),
						Limit.atMost(0.18)));
				node.close();
			}
			else if (simple) {
				report.missing("Node", "its launches");
			}
			if (simple) {
				report.note(String.format(Locale.ROOT, "Noise: the rounds of C without a sandbox are apart by %.0f %%.",
						100 * rounds.of(inPlain).spread()));
			}
		}
	}

	// Both get the same arrivals, which wait for nobody, one after the other.
	private static void arrivals(Sandboxes warm, Sandboxes cold, Report report) throws Exception {
		List<Double> gaps = new Random(5).doubles(ARRIVALS)
			.map((value) -> -Math.log(1 - value) / ARRIVALS_A_SECOND)
			.boxed()
			.toList();
		Series inWarm = new Series();
		Series inCold = new Series();
		for (int part = 0; part < 2; part++) {
			arrive(gaps, warm, inWarm);
			arrive(gaps, cold, inCold);
		}
		double ratio = inWarm.late() / inCold.late();
		report.add(new Figure("warm true at 15 arrivals a second, p95, new", inWarm.late(), inCold.late(), ratio,
				Limit.atMost(0.35)));
	}

	private static void arrive(List<Double> gaps, Sandboxes sandboxes, Series series) throws Exception {
		ExecutorService executor = Executors.newCachedThreadPool();
		try {
			List<Future<Double>> latencies = new ArrayList<>();
			long next = System.nanoTime();
			for (double gap : gaps) {
				next += (long) (gap * 1e9);
				LockSupport.parkNanos(next - System.nanoTime());
				long due = next;
				latencies.add(executor.submit(() -> {
					sandboxes.run(List.of("/usr/bin/true"));
					return (System.nanoTime() - due) / 1e6;
				}));
			}
			for (Future<Double> latency : latencies) {
				series.add(latency.get());
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static void throughput(Sandboxes warm, Peers peers, Report report) throws Exception {
		List<String> program = List.of("/usr/bin/true");
		List<Spawner> spawners = new ArrayList<>();
		for (int i = 0; i < AT_ONCE; i++) {
			spawners.add(peers.bare(program));
		}
		Callable<Double> ours = () -> atOnce((i) -> {
			for (int round = 0; round < EACH; round++) {
				warm.run(program);
			}
		});
		Callable<Double> theirs = () -> atOnce((i) -> spawners.get(i).run(EACH));
		List<Callable<Double>> competitors = List.of(ours, theirs);
		Rounds.run(1, competitors, Callable::call);
		Rounds<Callable<Double>> rounds = Rounds.run(5, competitors, Callable::call);
		report.add(Figure.of("true, 8 at once, commands a second, bubblewrap from C", rounds.of(ours),
				rounds.of(theirs), Limit.atLeast(0.9)));
		for (Spawner spawner : spawners) {
			spawner.close();
		}
	}

	private static double atOnce(Work work) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE);
		try {
			long before = System.nanoTime();
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < AT_ONCE; i++) {
				int number = i;
				all.add(executor.submit(() -> {
					work.run(number);
					return null;
				}));
			}
			for (Future<?> one : all) {
				one.get();
			}
			return AT_ONCE * EACH / ((System.nanoTime() - before) / 1e9);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static void stop(Sandboxes warm, Report report) throws Exception {
		Series series = new Series();
		for (int i = 0; i < 21; i++) {
			SandboxHandle handle = warm.open();
			handle.session()
				.start(ExecSpec.shell("for i in 1 2 3 4 5 6 7 8; do setsid sleep 300 & done; echo up; sleep 300"))
				.stdout()
				.read();
			long before = System.nanoTime();
			handle.stop();
			series.add((System.nanoTime() - before) / 1e6);
			handle.delete();
		}
		report.add(Figure.alone("stop of a session with ten processes", series.median(), Limit.atMost(100)));
	}

	/**
	 * Something that each of several threads does.
	 */
	private interface Work {

		void run(int number) throws Exception;

	}

	/**
	 * The others.
	 */
	private record Peers(BareBubblewrap bubblewrap, List<String> c, @Nullable List<String> inNode, Path workspace) {

		Spawner plain(List<String> program) throws Exception {
			List<String> outside = program.stream()
				.map((word) -> word.equals(INSIDE) ? this.workspace.toString() : word)
				.toList();
			return Spawner.start(this.bubblewrap.user(), this.c, this.workspace, BareBubblewrap.none(outside));
		}

		Spawner bare(List<String> program) throws Exception {
			return Spawner.start(this.bubblewrap.user(), this.c, this.workspace, this.bubblewrap.command(program));
		}

		@Nullable Spawner node(List<String> program) throws Exception {
			return (this.inNode != null) ? Spawner.start(this.bubblewrap.user(), this.inNode, this.workspace,
					this.bubblewrap.command(program)) : null;
		}

	}

	/**
	 * A backend of ours with a session over a small repository.
	 */
	private static final class Sandboxes implements AutoCloseable {

		private final BubblewrapBackend backend;

		private final String template;

		private final SandboxHandle handle;

		private final SandboxSession session;

		private final Path workspace;

		Sandboxes(Scratch scratch, String name, WarmSettings settings) throws Exception {
			Path state = scratch.makeDirectory(name);
			this.backend = BubblewrapBackend.builder().stateDirectory(state).warm(settings).build();
			this.template = this.backend
				.prewarm(SandboxTemplate.named("small").file("README", "hello\n").file("src/a.txt", "a\n").build())
				.key();
			this.handle = open();
			this.session = this.handle.session();
			if (Scratch.program("git") != null) {
				require(this.session.run(ExecSpec
					.shell("git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first")));
			}
			try (var found = Files.find(state, 6, (path, attributes) -> path.endsWith("workspace"))) {
				this.workspace = found.findFirst().orElseThrow();
			}
		}

		SandboxHandle open() {
			return this.backend.create(SandboxRequest.from(this.template).network(NetworkPolicy.denyAll()).build());
		}

		double runWarm(List<String> program) {
			while (this.backend.warmStatus().ready() == 0) {
				Thread.onSpinWait();
			}
			return run(program);
		}

		double run(List<String> program) {
			ExecSpec command = ExecSpec.of(program.get(0), program.subList(1, program.size()).toArray(String[]::new));
			long before = System.nanoTime();
			ExecResult result = this.session.run(command);
			double milliseconds = (System.nanoTime() - before) / 1e6;
			require(result);
			return milliseconds;
		}

		private static void require(ExecResult result) {
			if (!result.succeeded()) {
				throw new IllegalStateException("A command ended with " + result);
			}
		}

		@Override
		public void close() {
			this.handle.delete();
			this.backend.close();
		}

	}

}
