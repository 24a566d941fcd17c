package io.sandbox4j.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the command line in a JVM of its own, as a shell does.
 */
final class Cli {

	private final Path temporary;

	private final Path logs;

	private int runs;

	Cli(Path temporary, Path logs) {
		this.temporary = temporary;
		this.logs = logs;
	}

	Result run(String... args) throws Exception {
		return run(new byte[0], args);
	}

	Result run(byte[] stdin, String... args) throws Exception {
		Started started = start(args);
		try (var stream = started.process().getOutputStream()) {
			stream.write(stdin);
		}
		catch (IOException ex) {
			// The program ended without reading it all: its exit code says more.
		}
		return started.await();
	}

	Started start(String... args) throws IOException {
		this.runs++;
		Path out = this.logs.resolve(this.runs + ".out");
		Path err = this.logs.resolve(this.runs + ".err");
		return new Started(builder(args).redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
	}

	Process startPiped(String... args) throws IOException {
		return builder(args).redirectError(ProcessBuilder.Redirect.DISCARD).start();
	}

	private ProcessBuilder builder(String... args) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
						"-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + this.temporary, "-cp",
						System.getProperty("java.class.path"), SandboxCommand.class.getName()));
		command.addAll(Arrays.asList(args));
		ProcessBuilder builder = new ProcessBuilder(command);
		builder.environment().put("LC_ALL", "C.UTF-8");
		return builder;
	}

	/**
	 * A run that may still go on.
	 *
	 * @param process the JVM
	 * @param out where its output goes
	 * @param err where its errors go
	 */
	record Started(Process process, Path out, Path err) {

		Result await() throws Exception {
			if (!process().waitFor(60, TimeUnit.SECONDS)) {
				process().destroyForcibly();
				throw new AssertionError("The command line did not end: " + Files.readString(err()));
			}
			return new Result(process().exitValue(), Files.readAllBytes(out()), Files.readString(err()));
		}

	}

	/**
	 * How a run ended.
	 *
	 * @param exitCode its exit code
	 * @param out its output
	 * @param err its errors
	 */
	record Result(int exitCode, byte[] out, String err) {

		String text() {
			return new String(out(), StandardCharsets.UTF_8);
		}

	}

}
