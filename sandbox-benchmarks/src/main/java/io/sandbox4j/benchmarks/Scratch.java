package io.sandbox4j.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A temporary directory and the processes that work in it. Both go when it is closed, or
 * when the JVM is told to end before that.
 */
final class Scratch implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(20);

	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final Duration PAUSE = Duration.ofMillis(20);

	private static final int REMOVALS = 10;

	private final Path directory;

	private final Deque<Process> processes = new ArrayDeque<>();

	private final Thread hook = new Thread(this::interrupt, "sandbox-bench-shutdown");

	private boolean closed;

	private volatile boolean interrupted;

	private Scratch(Path directory) {
		this.directory = directory;
	}

	static Scratch create() throws IOException {
		Scratch scratch = new Scratch(Files.createTempDirectory("sandbox4j-bench-"));
		Runtime.getRuntime().addShutdownHook(scratch.hook);
		// Servers that root starts serve as another user.
		Files.setPosixFilePermissions(scratch.directory, PosixFilePermissions.fromString("rwx--x--x"));
		return scratch;
	}

	Path directory() {
		return this.directory;
	}

	Path makeDirectory(String name) throws IOException {
		return Files.createDirectory(this.directory.resolve(name));
	}

	/**
	 * Starts a process that is ended with this. What it prints goes to {@code name.log}.
	 * @param name what messages call it
	 * @param command the program, found by {@link #program}, and its arguments
	 * @return the process
	 * @throws IOException if it cannot be started
	 */
	synchronized Process start(String name, List<String> command) throws IOException {
		if (this.closed) {
			throw new IOException("The benchmark ends.");
		}
		Path log = this.directory.resolve(name + ".log");
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		this.processes.push(process);
		return process;
	}

	/**
	 * Waits until a process does what it is for.
	 * @param name what {@link #start} was told
	 * @param process the process
	 * @param ready whether it does
	 * @throws IOException if it ends, or takes too long
	 */
	void await(String name, Process process, BooleanSupplier ready) throws IOException {
		long deadline = System.nanoTime() + START.toNanos();
		while (!ready.getAsBoolean()) {
			if (!process.isAlive() || System.nanoTime() > deadline) {
				String how = process.isAlive() ? "is not ready after " + START.toSeconds() + " s"
						: "ended at its start";
				throw new IOException(name + " " + how + ": " + log(name));
			}
			LockSupport.parkNanos(PAUSE.toNanos());
		}
	}

	String log(String name) throws IOException {
		return Files.readString(this.directory.resolve(name + ".log")).strip();
	}

	/**
	 * Finds a program on the search path, or where Debian puts servers, which the search
	 * path of an ordinary user lacks.
	 * @param name its file name
	 * @return its path, or {@code null} if it is not installed
	 */
	static @Nullable String program(String name) {
		String path = System.getenv().getOrDefault("PATH", "/usr/bin") + ":/usr/sbin";
		for (String entry : path.split(":")) {
			Path program = Path.of(entry).resolve(name);
			if (program.isAbsolute() && Files.isExecutable(program) && Files.isRegularFile(program)) {
				return program.toString();
			}
		}
		return null;
	}

	static List<String> java(String... arguments) {
		return Stream.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path")), Stream.of(arguments))
			.toList();
	}

	/**
	 * Whether the JVM was told to end before this was closed.
	 * @return {@code true} if so
	 */
	boolean isInterrupted() {
		return this.interrupted;
	}

	private void interrupt() {
		this.interrupted = true;
		clear();
	}

	@Override
	public void close() {
		if (!this.interrupted) {
			try {
				Runtime.getRuntime().removeShutdownHook(this.hook);
			}
			catch (IllegalStateException ex) {
				// The JVM ends: the hook does it all.
				return;
			}
			clear();
		}
	}

	private synchronized void clear() {
		this.closed = true;
		this.processes.forEach(Process::destroy);
		this.processes.forEach(Scratch::end);
		for (int attempt = 1; !isRemoved(); attempt++) {
			if (attempt == REMOVALS) {
				throw new IllegalStateException("Cannot remove " + this.directory);
			}
		}
	}

	// Fails if another thread still makes files, as one does that a signal surprised.
	private boolean isRemoved() {
		try (Stream<Path> files = Files.walk(this.directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
			return true;
		}
		catch (IOException | UncheckedIOException ex) {
			LockSupport.parkNanos(PAUSE.toNanos());
			return false;
		}
	}

	private static void end(Process process) {
		try {
			if (process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
	}

}
