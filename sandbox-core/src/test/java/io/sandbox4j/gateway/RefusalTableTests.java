package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the table of refusals in {@code docs/gateway.md}. To write it anew run this
 * test with {@code -Dsandbox.docs.update=true}.
 */
class RefusalTableTests {

	private static final String START = "<!-- refusals: made by RefusalTableTests -->\n";

	private static final String END = "<!-- end of refusals -->";

	@Test
	void theTableHasEveryRefusal() throws IOException {
		Path page = root().resolve("docs/gateway.md");
		String text = Files.readString(page);
		int start = text.indexOf(START) + START.length();
		int end = text.indexOf(END);
		assertThat(start).isGreaterThan(START.length());
		assertThat(end).isGreaterThanOrEqualTo(start);
		if (Boolean.getBoolean("sandbox.docs.update")) {
			Files.writeString(page, text.substring(0, start) + table() + text.substring(end));
			return;
		}
		assertThat(text.substring(start, end))
			.as("docs/gateway.md is out of date: run this test with -Dsandbox.docs.update=true")
			.isEqualTo(table());
	}

	private static String table() {
		return Arrays.stream(Refusal.values())
			.map((refusal) -> "| `%s` | %d | %s |\n".formatted(refusal.code(), refusal.status(), hint(refusal)))
			.collect(Collectors.joining("", "| Reason | Status | Hint |\n| --- | --- | --- |\n", ""));
	}

	private static String hint(Refusal refusal) {
		return refusal.body().lines().reduce((first, last) -> last).orElseThrow().substring("hint: ".length());
	}

	private static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.isDirectory(directory.resolve(".mvn"))) {
			directory = directory.getParent();
		}
		return directory;
	}

}
