package io.sandbox4j.storage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A second JVM that runs {@link StorageChild}.
 */
final class ChildJvm implements AutoCloseable {

	// Nobody reads the logs of a child, and to set them up is a third of its start.
	private static final String CLASS_PATH = System.getProperty("java.class.path")
		.replaceAll("[^:]*/logback-[^/:]*\\.jar:?", "");

	private final Process process;

	private final BufferedReader out;

	private ChildJvm(Process process) {
		this.process = process;
		this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	static ChildJvm start(String... args) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xmx128m", "-Dslf4j.internal.verbosity=ERROR", "-cp", CLASS_PATH,
						StorageChild.class.getName()));
		command.addAll(Arrays.asList(args));
		return new ChildJvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
	}

	String line() throws IOException {
		return this.out.readLine();
	}

	void proceed() throws IOException {
		this.process.getOutputStream().write('\n');
		this.process.getOutputStream().flush();
	}

	void kill() throws InterruptedException {
		this.process.toHandle().destroyForcibly();
		this.process.waitFor(10, TimeUnit.SECONDS);
	}

	@Override
	public void close() {
		this.process.toHandle().destroyForcibly();
	}

}
