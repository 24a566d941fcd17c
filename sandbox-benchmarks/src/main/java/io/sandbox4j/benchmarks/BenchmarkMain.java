package io.sandbox4j.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs benchmarks by name: {@code ./sandbox bench}.
 * <p>
 * The exit code is 0, 1 for a figure that misses its limit with {@code --check} or for a
 * benchmark that could not be run, 64 for a wrong command line.
 */
public final class BenchmarkMain {

	static final int FAILED = 1;

	static final int USAGE = 64;

	private final List<Benchmark> benchmarks;

	private final Path json;

	private final PrintStream out;

	private final PrintStream err;

	BenchmarkMain(List<Benchmark> benchmarks, Path json, PrintStream out, PrintStream err) {
		this.benchmarks = benchmarks;
		this.json = json;
		this.out = out;
		this.err = err;
	}

	/**
	 * Runs the command line and exits.
	 * @param args the file for the figures, the benchmark's name, {@code --check}
	 */
	public static void main(String[] args) {
		Path json = Path.of((args.length > 0) ? args[0] : "bench.json");
		List<String> rest = List.of(args).subList(Math.min(1, args.length), args.length);
		List<Benchmark> benchmarks = List.of(new GatewayBenchmark(), new ToolsBenchmark(), new GitBenchmark(),
				new StoreBenchmark(), new CheckpointsBenchmark(), new LaunchBenchmark());
		System.exit(new BenchmarkMain(benchmarks, json, System.out, System.err).run(rest));
	}

	int run(List<String> args) {
		List<String> names = new ArrayList<>(args);
		boolean check = names.removeIf("--check"::equals);
		for (Benchmark benchmark : this.benchmarks) {
			if (names.equals(List.of(benchmark.name()))) {
				return run(benchmark, check);
			}
		}
		this.err.println("Usage: ./sandbox bench NAME [--check]");
		this.err
			.println("NAME is one of: " + String.join(", ", this.benchmarks.stream().map(Benchmark::name).toList()));
		return USAGE;
	}

	private int run(Benchmark benchmark, boolean check) {
		Report report = new Report();
		try (Scratch scratch = Scratch.create()) {
			try {
				benchmark.run(scratch, report);
			}
			catch (Exception ex) {
				// Whoever interrupts a run knows why it ended.
				if (!scratch.isInterrupted()) {
					this.err.println("sandbox: bench " + benchmark.name() + " failed: " + ex.getMessage());
					ex.printStackTrace(this.err);
				}
				return FAILED;
			}
			report.write(this.json);
		}
		catch (Exception ex) {
			this.err.println("sandbox: bench " + benchmark.name() + " failed: " + ex);
			return FAILED;
		}
		this.out.print(report.text());
		this.out.println("The figures are in " + this.json);
		List<String> failures = check ? report.failures() : List.of();
		failures.forEach((failure) -> this.err.println("sandbox: bench " + benchmark.name() + ": " + failure));
		return failures.isEmpty() ? 0 : FAILED;
	}

}
