package io.sandbox4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.benchmarks.Figure.Limit;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.jspecify.annotations.Nullable;

/**
 * The workspace transport beside the commands of git that do as much without a sandbox,
 * for repositories of several sizes.
 */
final class GitBenchmark implements Benchmark {

	private static final Limit SEED = Limit.atMost(3);

	private static final Limit UNCHANGED = Limit.atMost(2);

	private static final int MEDIUM = 5_000;

	private static final int LARGE = 50_000;

	private static final int SEEDS = 3;

	private static final int SYNCS = 11;

	private static final int WARM_UP = 3;

	@Override
	public String name() {
		return "git";
	}

	@Override
	public void run(Scratch scratch, Report report) throws Exception {
		if (Scratch.program("git") == null) {
			report.missing("git", "the transport");
			return;
		}
		String load = Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
		List<String> spreads = new ArrayList<>();
		try (BubblewrapBackend backend = BubblewrapBackend.builder()
			.stateDirectory(scratch.makeDirectory("state"))
			.build()) {
			String template = backend.prewarm(SandboxTemplate.named("empty").build()).key();
			List<GitRounds> all = new ArrayList<>();
			for (GitRepository repository : repositories(scratch.makeDirectory("repositories"))) {
				GitRounds rounds = new GitRounds(backend, template, repository,
						scratch.makeDirectory(repository.root().getFileName() + "-work"));
				all.add(rounds);
				spreads.add(measure(rounds, repository.name(), report));
			}
			all.forEach(GitRounds::close);
		}
		report.note("Noise: the rounds of 'git status' are apart by " + String.join(", ", spreads)
				+ "; the load average was " + load + " before, on " + Runtime.getRuntime().availableProcessors()
				+ " processors.");
	}

	private static List<GitRepository> repositories(Path directory) throws Exception {
		return List.of(GitRepository.ofThisProject(directory.resolve("this")),
				GitRepository.ofFiles(directory.resolve("medium"), MEDIUM),
				GitRepository.ofFiles(directory.resolve("large"), LARGE));
	}

	private static String measure(GitRounds rounds, String size, Report report) throws Exception {
		compare(report, "seed, " + size + ", s, git clone", SEED, SEEDS, 1, rounds::seed, rounds::gitClone);
		rounds.open();
		Series status = compare(report, "reconcile unchanged, " + size + ", s, git status", UNCHANGED, SYNCS, WARM_UP,
				rounds::reconcileUnchanged, rounds::status);
		compare(report, "reconcile one file, " + size + ", s, git status", null, SYNCS, WARM_UP,
				rounds::reconcileOneFile, rounds::statusOfOneFile);
		compare(report, "extract one file, " + size + ", s, git status", null, SYNCS, WARM_UP, rounds::extractOneFile,
				rounds::statusOfOneFile);
		compare(report, "extract one file, " + size + ", s, git diff", null, SYNCS, WARM_UP, rounds::extractOneFile,
				rounds::diffOfOneFile);
		return String.format(Locale.ROOT, "%.0f %%", 100 * status.spread());
	}

	private static Series compare(Report report, String name, @Nullable Limit limit, int rounds, int warmUp,
			Callable<Double> ours, Callable<Double> theirs) throws Exception {
		List<Callable<Double>> competitors = List.of(ours, theirs);
		Rounds.run(warmUp, competitors, Callable::call);
		Rounds<Callable<Double>> measured = Rounds.run(rounds, competitors, Callable::call);
		report.add(Figure.of(name, measured.of(ours), measured.of(theirs), limit));
		report.add(Figure.late(name + ", p95", measured.of(ours), measured.of(theirs)));
		return measured.of(theirs);
	}

}
