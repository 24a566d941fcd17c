package io.sandbox4j.store.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A main class of the tests in a JVM of its own, with what it says line by line. It has a
 * directory for temporary files that the test deletes: SQLite's driver leaves its library
 * there if it is killed.
 */
final class ChildJvm implements AutoCloseable {

	// Nobody reads the logs of a child, and to set them up is a third of its start.
	private static final String CLASS_PATH = System.getProperty("java.class.path")
		.replaceAll("[^:]*/logback-[^/:]*\\.jar:?", "");

	private final Process process;

	private final Path errors;

	private final Thread reader;

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();

	private ChildJvm(Process process, Path errors) {
		this.process = process;
		this.errors = errors;
		this.reader = new Thread(this::read, "child-reader");
		this.reader.start();
	}

	static ChildJvm start(Path temporary, Class<?> main, List<String> database, String... args) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m",
				"-Djava.io.tmpdir=" + Files.createDirectories(temporary)));
		command.addAll(List.of("-cp", CLASS_PATH, main.getName()));
		command.addAll(List.of(args));
		command.addAll(database);
		Path errors = temporary.resolve("errors");
		return new ChildJvm(new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
	}

	// A line that the kill cut has no end, and was not said.
	private void read() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			StringBuilder line = new StringBuilder();
			for (int next = output.read(); next >= 0; next = output.read()) {
				if (next == '\n') {
					this.lines.add(line.toString());
					this.unread.add(line.toString());
					line.setLength(0);
				}
				else {
					line.append((char) next);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String awaitLine() throws InterruptedException {
		String line = this.unread.poll(60, TimeUnit.SECONDS);
		assertThat(line).as("what the child says").isNotNull();
		return line;
	}

	void tell(String line) throws IOException {
		this.process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
	}

	/**
	 * Why it ended by itself, if it did.
	 * @return what it wrote to standard error
	 * @throws IOException if that cannot be read
	 */
	String errors() throws IOException {
		return Files.readString(this.errors);
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Kills it.
	 * @return all it said
	 * @throws InterruptedException if the thread is interrupted
	 */
	List<String> kill() throws InterruptedException {
		// The process would close what it said with its end.
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
		this.reader.join();
		return this.lines;
	}

	/**
	 * Waits for its end.
	 * @return all it said
	 * @throws InterruptedException if the thread is interrupted
	 */
	List<String> awaitEnd() throws InterruptedException {
		assertThat(this.process.waitFor(120, TimeUnit.SECONDS)).as("the child ended").isTrue();
		this.reader.join();
		assertThat(this.process.exitValue()).isZero();
		return this.lines;
	}

	@Override
	public void close() {
		this.process.toHandle().destroyForcibly();
		this.process.onExit().join();
	}

}
