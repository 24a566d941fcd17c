package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Hosts with another locale or a full disk.
 */
@Timeout(60)
class WorkspaceFilesHostTests {

	@TempDir
	Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "C", "C.UTF-8" })
	void namesAreTheSameBytesUnderEveryLocale(String locale) throws Exception {
		Path workspace = Files.createDirectory(this.directory.resolve("workspace"));
		Path staging = Files.createDirectory(this.directory.resolve("staging"));
		Files.createFile(workspace.resolve(FileNames.toPath("guest-\u2713")));

		String output = run(locale, java("names", workspace, staging));

		assertThat(output).endsWith("done\n").doesNotContain("wrong");
		if (locale.equals("C")) {
			assertThat(output).startsWith("encoding ANSI_X3.4-1968");
		}
		try (Stream<Path> entries = Files.list(workspace)) {
			assertThat(entries.map(FileNames::toText)).containsExactlyInAnyOrder("guest-\u2713", "\u00fc", "plain");
		}
		assertThat(Files.readString(workspace.resolve(FileNames.pathOf("\u00fc/\u00df")))).isEqualTo("na\u00efve.txt");
	}

	@Test
	void aFullDiskIsALimitAndLeavesNothing() throws Exception {
		assumeTrue(run("C.UTF-8", List.of("unshare", "-rm", "echo", "usable")).equals("usable\n"));
		List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", """
				mount -t tmpfs -o size=1m none "$0" && mkdir "$0/workspace" "$0/staging" && "$@" && ls -A "$0/staging"
				""", this.directory.toString()));
		command.addAll(java("fill", this.directory.resolve("workspace"), this.directory.resolve("staging")));

		assertThat(run("C.UTF-8", command)).endsWith(
				"SANDBOX_LIMIT There is no space left for '/workspace/large'. Remove what is not needed.\ndone\n");
	}

	private static List<String> java(String what, Path workspace, Path staging) {
		return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), ForeignHost.class.getName(),
				what, workspace.toString(), staging.toString());
	}

	private static String run(String locale, List<String> command) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().put("LC_ALL", locale);
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		// The logging library's own lines are not the program's.
		return output.lines()
			.filter((line) -> line.matches("(encoding|wrong|done|usable|SANDBOX_|Exception|[.]sandbox4j).*"))
			.map((line) -> line + "\n")
			.reduce("", String::concat);
	}

}
