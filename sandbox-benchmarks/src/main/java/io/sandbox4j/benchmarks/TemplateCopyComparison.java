package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.storage.FileOwner;
import io.sandbox4j.storage.StateDirectory;
import io.sandbox4j.storage.StorageSettings;
import io.sandbox4j.storage.StoredSession;

/**
 * Compares a new session from a template of 10,000 small files with {@code cp -a} of the
 * same files, run in turns. Prints medians and the ratio of each turn.
 * <p>
 * {@code java -cp … io.sandbox4j.benchmarks.TemplateCopyComparison [directory] [turns] [files]}
 */
public final class TemplateCopyComparison {

	private static final int FILES_IN_DIRECTORY = 50;

	private static final int WARMUP = 3;

	private TemplateCopyComparison() {
	}

	/**
	 * Runs the comparison.
	 * @param args the directory to work in, which should be on the disk that matters; the
	 * number of turns; the number of files
	 * @throws Exception if something fails
	 */
	public static void main(String[] args) throws Exception {
		Path parent = Path.of((args.length > 0) ? args[0] : System.getProperty("java.io.tmpdir")).toAbsolutePath();
		int turns = (args.length > 1) ? Integer.parseInt(args[1]) : 11;
		int files = (args.length > 2) ? Integer.parseInt(args[2]) : 10_000;
		Path directory = Files.createTempDirectory(parent, "template-copy-");
		directory.toFile().setExecutable(true, false);
		try {
			compare(directory, turns, files);
		}
		finally {
			run("rm", "-rf", directory.toString());
		}
	}

	private static void compare(Path directory, int turns, int files) throws Exception {
		Path tree = directory.resolve("tree");
		writeTree(tree, files);
		boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
		StorageSettings defaults = StorageSettings.defaults();
		StorageSettings settings = new StorageSettings(defaults.durability(), root ? new FileOwner(65532, 65532) : null,
				defaults.maxTemplateBytes(), defaults.maxTemplateFiles());
		try (StateDirectory state = StateDirectory.open(directory.resolve("state"), "benchmark", settings)) {
			String key = state.templates().prewarm(SandboxTemplate.named("tree").directory(tree).build()).key();
			List<Double> sessions = new ArrayList<>();
			List<Double> copies = new ArrayList<>();
			List<Double> ratios = new ArrayList<>();
			for (int turn = -WARMUP; turn < turns; turn++) {
				boolean sessionFirst = turn % 2 == 0;
				double session = sessionFirst ? session(state, key) : 0;
				double copy = copy(tree, directory.resolve("copy" + turn));
				session = sessionFirst ? session : session(state, key);
				if (turn >= 0) {
					sessions.add(session);
					copies.add(copy);
					ratios.add(session / copy);
				}
			}
			System.out.printf("%d files, %d turns, owner %s%n", files, turns, settings.owner());
			System.out.printf("new session  median %7.1f ms%n", median(sessions));
			System.out.printf("cp -a        median %7.1f ms%n", median(copies));
			System.out.printf("ratio        median %7.3f of cp -a (min %.3f, max %.3f)%n", median(ratios),
					Collections.min(ratios), Collections.max(ratios));
		}
	}

	private static double session(StateDirectory state, String key) {
		long start = System.nanoTime();
		StoredSession session = state.sessions().create(key);
		double millis = (System.nanoTime() - start) / 1e6;
		session.release();
		return millis;
	}

	private static double copy(Path tree, Path target) throws Exception {
		long start = System.nanoTime();
		run("cp", "-a", tree.toString(), target.toString());
		return (System.nanoTime() - start) / 1e6;
	}

	private static void run(String... command) throws IOException, InterruptedException {
		int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
		if (exit != 0) {
			throw new IOException(String.join(" ", command) + " failed with " + exit);
		}
	}

	private static void writeTree(Path tree, int files) throws IOException {
		Random random = new Random(1);
		for (int i = 0; i < files; i++) {
			Path file = tree.resolve("directory-" + i / FILES_IN_DIRECTORY).resolve("file-" + i + ".txt");
			if (i % FILES_IN_DIRECTORY == 0) {
				Files.createDirectories(file.getParent());
			}
			byte[] content = new byte[random.nextInt(4_000)];
			random.nextBytes(content);
			Files.write(file, content);
		}
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
	}

}
