package io.sandbox4j.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A program of another language that runs a program as often as it is told, and measures
 * that itself.
 */
final class Spawner implements AutoCloseable {

	private final Process process;

	private final Writer orders;

	private final BufferedReader answers;

	private Spawner(Process process) {
		this.process = process;
		this.orders = process.outputWriter(StandardCharsets.US_ASCII);
		this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
	}

	/**
	 * Compiles the one in C.
	 * @param scratch where to
	 * @return the program, or {@code null} if there is no compiler
	 * @throws IOException if it cannot be compiled
	 * @throws InterruptedException if the wait is interrupted
	 */
	static @Nullable List<String> inC(Scratch scratch) throws IOException, InterruptedException {
		String compiler = Scratch.program("cc");
		if (compiler == null) {
			return null;
		}
		Path program = scratch.directory().resolve("spawner");
		Process compilation = new ProcessBuilder(compiler, "-O2", "-o", program.toString(),
				extract(scratch, "spawner.c").toString())
			.inheritIO()
			.start();
		if (compilation.waitFor() != 0) {
			throw new IOException("spawner.c could not be compiled");
		}
		return List.of(program.toString());
	}

	static @Nullable List<String> inNode(Scratch scratch) throws IOException {
		String node = Scratch.program("node");
		return (node != null) ? List.of(node, extract(scratch, "spawner.js").toString()) : null;
	}

	private static Path extract(Scratch scratch, String name) throws IOException {
		Path file = scratch.directory().resolve(name);
		try (InputStream content = Objects.requireNonNull(Spawner.class.getResourceAsStream(name), name)) {
			Files.write(file, content.readAllBytes());
		}
		return file;
	}

	/**
	 * Starts one.
	 * @param before what stands before it on the command line: another user
	 * @param spawner the program
	 * @param directory where its own programs run
	 * @param command the two files and the program that it runs
	 * @return the spawner
	 * @throws IOException if it cannot be started
	 */
	static Spawner start(List<String> before, List<String> spawner, Path directory, List<String> command)
			throws IOException {
		List<String> line = new ArrayList<>(before);
		line.addAll(spawner);
		line.addAll(command);
		return new Spawner(new ProcessBuilder(line).directory(directory.toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start());
	}

	/**
	 * Runs the program.
	 * @param times how often, one after the other
	 * @return the milliseconds that took together
	 * @throws IOException if the program failed
	 */
	double run(int times) throws IOException {
		this.orders.write(times + "\n");
		this.orders.flush();
		String answer = this.answers.readLine();
		if (answer == null) {
			throw new IOException("A program of the spawner failed.");
		}
		return Long.parseLong(answer) / 1e6;
	}

	@Override
	public void close() throws IOException {
		this.orders.close();
		this.process.onExit().join();
	}

}
