package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata of the properties, and for the table in
 * {@code docs/configuration.md} that is made from it. To write the table anew run this
 * test with {@code -Dsandbox.docs.update=true}.
 */
class ConfigurationMetadataTests {

	private static final String START = "<!-- properties: made by ConfigurationMetadataTests -->\n";

	private static final String END = "<!-- end of properties -->";

	@Test
	void everyPropertyHasADescriptionThatFollowsTheRules() {
		List<JsonNode> properties = properties();
		assertThat(properties).hasSizeGreaterThan(20);
		assertThat(properties).allSatisfy((property) -> {
			String name = property.path("name").asString();
			String description = property.path("description").asString("");
			assertThat(description).as(name).isNotBlank().endsWith(".").doesNotMatch("(?s)(The|A|An) .*");
			assertThat(description).as(name).doesNotContain("{@").doesNotContain("\n").doesNotContain("<");
			if (property.path("type").asString().endsWith("Boolean")) {
				assertThat(description).as(name).matches("(Whether|Enable).*");
			}
		});
	}

	@Test
	void theTableIsWhatTheMetadataSays() throws IOException {
		Path page = Repository.root().resolve("docs/configuration.md");
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
			.as("docs/configuration.md is out of date: run this test with -Dsandbox.docs.update=true")
			.isEqualTo(table());
	}

	private String table() {
		StringBuilder table = new StringBuilder(
				"| Property | Type | Default | Description |\n| --- | --- | --- | --- |\n");
		for (JsonNode property : properties()) {
			JsonNode defaultValue = property.path("defaultValue");
			table.append("| `%s` | %s | %s | %s |%n".formatted(property.path("name").asString(),
					type(property.path("type").asString()),
					(!defaultValue.isMissingNode()) ? "`" + defaultValue.asString() + "`" : "",
					property.path("description").asString().replace("|", "\\|")));
		}
		return table.toString().replace(System.lineSeparator(), "\n");
	}

	private String type(String name) {
		return name.replaceAll("[\\w.]+[.$](\\w+)", "$1").replace("<", "&lt;").replace(",", ", ");
	}

	private List<JsonNode> properties() {
		// Many jars have such a file: take the one beside the class.
		URL location = SandboxProperties.class.getProtectionDomain().getCodeSource().getLocation();
		try (InputStream input = new URL(location, "META-INF/spring-configuration-metadata.json").openStream()) {
			List<JsonNode> properties = new ArrayList<>();
			JsonMapper.shared().readTree(input).path("properties").forEach(properties::add);
			return properties;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
