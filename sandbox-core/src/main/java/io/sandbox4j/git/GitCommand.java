package io.sandbox4j.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * One call of the host's git. Every call of this package goes through here, so that none
 * runs a hook, a file system monitor or a filter, takes an optional lock, or follows what
 * the application's environment or the user's configuration say (a {@code GIT_DIR} there
 * would win over every argument).
 */
final class GitCommand {

	private static final List<String> CONFIGURATION_PLACES = List.of("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL",
			"GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM");

	private static final long PATIENCE_MINUTES = 10;

	private static final int SHOWN = 500;

	private static final String[][] CONFIGURATION = { { "core.fsmonitor", "false" }, { "core.hooksPath", "/dev/null" },
			{ "core.autocrlf", "false" }, { "core.safecrlf", "false" }, { "core.quotePath", "false" },
			{ "core.fileMode", "true" }, { "core.symlinks", "true" }, { "core.ignoreCase", "false" },
			{ "core.protectHFS", "true" }, { "core.protectNTFS", "true" }, { "core.untrackedCache", "false" },
			{ "core.splitIndex", "false" }, { "core.looseCompression", "1" }, { "gc.auto", "0" },
			{ "maintenance.auto", "false" }, { "core.attributesFile", "/dev/null" },
			{ "core.excludesFile", "/dev/null" }, { "user.name", "sandbox" }, { "user.email", "sandbox@localhost" } };

	// A stream that nobody reads would hold a program up, so no pool is waited for.
	static final Executor STREAMS = (task) -> {
		Thread thread = new Thread(task, "sandbox-git-stream");
		thread.setDaemon(true);
		thread.start();
	};

	private final List<String> words;

	private final Map<String, String> environment = new LinkedHashMap<>();

	private @Nullable Path directory;

	private @Nullable Map<String, String> configuration;

	private byte[] input = new byte[0];

	private @Nullable Path inputFile;

	private GitCommand(List<String> words) {
		this.words = words;
	}

	static GitCommand git(String... args) {
		List<String> words = new ArrayList<>(List.of("git"));
		words.addAll(List.of(args));
		return new GitCommand(words);
	}

	// The same settings hold for git inside, where the guest's own would otherwise.
	static Map<String, String> settings(String... more) {
		Map<String, String> environment = new LinkedHashMap<>();
		environment.put("LC_ALL", "C");
		environment.put("GIT_CONFIG_NOSYSTEM", "1");
		environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
		environment.put("GIT_TERMINAL_PROMPT", "0");
		environment.put("GIT_OPTIONAL_LOCKS", "0");
		environment.put("GIT_NO_REPLACE_OBJECTS", "1");
		environment.put("GIT_LITERAL_PATHSPECS", "1");
		int count = 0;
		for (String[] entry : CONFIGURATION) {
			environment.put("GIT_CONFIG_KEY_" + count, entry[0]);
			environment.put("GIT_CONFIG_VALUE_" + count, entry[1]);
			count++;
		}
		for (int i = 0; i < more.length; i += 2) {
			environment.put("GIT_CONFIG_KEY_" + count, more[i]);
			environment.put("GIT_CONFIG_VALUE_" + count, more[i + 1]);
			count++;
		}
		environment.put("GIT_CONFIG_COUNT", String.valueOf(count));
		return environment;
	}

	// Whether a process of this user runs that was given the variable, such as a command
	// whose application was killed: it outlives that.
	static boolean runsWith(String variable, Path value) {
		byte[] entry = (variable + "=" + value).getBytes(StandardCharsets.UTF_8);
		return ProcessHandle.allProcesses().anyMatch((process) -> hasVariable(process.pid(), entry));
	}

	// proc_pid_environ(5)
	private static boolean hasVariable(long pid, byte[] entry) {
		try {
			byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ"));
			int start = 0;
			for (int end = 0; end < environment.length; end++) {
				if (environment[end] == 0) {
					if (Arrays.equals(environment, start, end, entry, 0, entry.length)) {
						return true;
					}
					start = end + 1;
				}
			}
			return false;
		}
		catch (IOException ex) {
			// It ended, or is another user's and none of ours.
			return false;
		}
	}

	GitCommand in(Path directory) {
		this.directory = directory;
		return this;
	}

	GitCommand with(String variable, Object value) {
		this.environment.put(variable, value.toString());
		return this;
	}

	/**
	 * Has it read the configuration that the user's own calls read. For the lookup of a
	 * value alone: what is configured may be a program.
	 * @param environment the environment that says where it is
	 * @return this call
	 */
	GitCommand asConfigured(Map<String, String> environment) {
		this.configuration = environment;
		return this;
	}

	GitCommand input(byte[] input) {
		this.input = input;
		return this;
	}

	GitCommand inputFile(Path inputFile) {
		this.inputFile = inputFile;
		return this;
	}

	// For a call that reads: whoever starts it may fail, and leave it to itself.
	static <T> CompletableFuture<T> meanwhile(Supplier<T> call) {
		return CompletableFuture.supplyAsync(call, STREAMS);
	}

	static <T> T joined(CompletableFuture<T> call) {
		try {
			return call.get();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof SandboxException cause) {
				throw cause;
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The call was interrupted while git ran on the host.",
					ex);
		}
	}

	byte[] bytes() {
		return required(this::readAll);
	}

	String line() {
		return new String(bytes(), StandardCharsets.UTF_8).strip();
	}

	void run() {
		bytes();
	}

	/**
	 * Runs it and gives its output to a reader.
	 * @param <T> the type of what the reader makes of it
	 * @param reader reads the output, to its end
	 * @return what the reader returns
	 */
	<T> T required(Reader<T> reader) {
		Outcome<T> outcome = outcome(reader);
		if (outcome.exit() != 0) {
			throw failure(outcome.errors());
		}
		return outcome.value();
	}

	SandboxException failure(String errors) {
		String shown = (errors.length() > SHOWN) ? errors.substring(0, SHOWN) + "..." : errors;
		return new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
				"'git " + this.words.get(1) + "' failed on the host: " + shown.strip());
	}

	Outcome<byte[]> outcome() {
		return outcome(this::readAll);
	}

	private byte[] readAll(InputStream output) throws IOException {
		return output.readAllBytes();
	}

	private <T> Outcome<T> outcome(Reader<T> reader) {
		try {
			ProcessBuilder builder = new ProcessBuilder(this.words);
			builder.environment().keySet().retainAll(List.of("PATH"));
			builder.environment().putAll(variables());
			if (this.directory != null) {
				builder.directory(this.directory.toFile());
			}
			if (this.inputFile != null) {
				builder.redirectInput(this.inputFile.toFile());
			}
			return await(builder.start(), reader);
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"git could not be run on the host. Install it, and see that the file system has room.", ex);
		}
	}

	private Map<String, String> variables() {
		Map<String, String> variables = settings("safe.directory",
				(this.directory != null) ? this.directory.toString() : "/");
		variables.putAll(this.environment);
		Map<String, String> configured = this.configuration;
		if (configured != null) {
			variables.keySet().removeIf((name) -> name.startsWith("GIT_CONFIG"));
			CONFIGURATION_PLACES.stream()
				.filter(configured::containsKey)
				.forEach((name) -> variables.put(name, configured.get(name)));
		}
		return variables;
	}

	// Nothing goes through a file: an application that is killed would leave it behind.
	private <T> Outcome<T> await(Process process, Reader<T> reader) throws IOException {
		boolean done = false;
		process.onExit().orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES).exceptionally((ex) -> process.destroyForcibly());
		CompletableFuture<String> errors = CompletableFuture.supplyAsync(() -> text(process), STREAMS);
		STREAMS.execute(() -> feed(process));
		try (InputStream output = process.getInputStream()) {
			T value = reader.read(output);
			int exit = process.waitFor();
			done = true;
			return new Outcome<>(exit, value, errors.join());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The call was interrupted while git ran on the host.",
					ex);
		}
		finally {
			if (!done) {
				process.destroyForcibly();
			}
		}
	}

	// A program that ends early says why by its status, not by a broken pipe.
	private void feed(Process process) {
		try (OutputStream stdin = process.getOutputStream()) {
			stdin.write(this.input);
		}
		catch (IOException ex) {
			return;
		}
	}

	private static String text(Process process) {
		try (InputStream stream = process.getErrorStream()) {
			return new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "its messages could not be read";
		}
	}

	/**
	 * Reads a program's output.
	 *
	 * @param <T> what it makes of it
	 */
	interface Reader<T> {

		T read(InputStream output) throws IOException;

	}

	/**
	 * What a call came to.
	 *
	 * @param exit the exit status
	 * @param value what its output became
	 * @param errors what it said on standard error
	 * @param <T> the type of the value
	 */
	record Outcome<T>(int exit, T value, String errors) {

	}

}
