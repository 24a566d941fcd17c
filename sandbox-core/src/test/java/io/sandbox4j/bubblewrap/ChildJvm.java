package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts a main class of the tests in a JVM of its own.
 */
final class ChildJvm {

	// Nobody reads the logs of a child, and to set them up is a third of its start.
	private static final String CLASS_PATH = System.getProperty("java.class.path")
		.replaceAll("[^:]*/logback-[^/:]*\\.jar:?", "");

	private ChildJvm() {
	}

	static Process start(Class<?> main, List<String> options, Map<String, String> environment, String... args)
			throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
		command.addAll(options);
		command.addAll(List.of("-cp", CLASS_PATH, main.getName()));
		command.addAll(List.of(args));
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
		builder.environment().putAll(environment);
		return builder.start();
	}

}
