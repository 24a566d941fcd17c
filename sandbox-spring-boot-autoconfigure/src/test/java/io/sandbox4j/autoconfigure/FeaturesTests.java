package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code docs/features.md}: each test that it names exists.
 */
class FeaturesTests {

	private static final Pattern REFERENCE = Pattern.compile("`([A-Z]\\w*(?:Tests|Facts))(?:#(\\w+))?`");

	private static final Pattern LAST_CELL = Pattern.compile("(?m)^\\|.*\\| ([^|]*) \\|$");

	private final Map<String, List<Path>> sources = sources();

	@Test
	void everyTestThatIsNamedExists() throws IOException {
		List<MatchResult> references = REFERENCE.matcher(page()).results().toList();
		assertThat(references).hasSizeGreaterThan(100);
		assertThat(references)
			.allSatisfy((reference) -> assertThat(exists(reference.group(1), reference.group(2))).as(reference.group())
				.isTrue());
	}

	@Test
	void everyFeatureNamesItsTestsAndNothingElse() throws IOException {
		List<String> cells = LAST_CELL.matcher(page())
			.results()
			.map((row) -> row.group(1))
			.filter((cell) -> !cell.equals("Tests") && !cell.equals("---"))
			.toList();
		assertThat(cells).hasSizeGreaterThan(50);
		assertThat(cells).allSatisfy((cell) -> assertThat(cell.split(", "))
			.allSatisfy((reference) -> assertThat(reference).matches(REFERENCE)));
	}

	private static String page() throws IOException {
		return Files.readString(Repository.root().resolve("docs/features.md"));
	}

	private boolean exists(String className, String method) {
		List<Path> candidates = this.sources.getOrDefault(className + ".java", List.of());
		Pattern declaration = Pattern.compile("(?m)^\\t(?:default )?void " + method + "\\(");
		return candidates.stream().anyMatch((source) -> method == null || declaration.matcher(text(source)).find());
	}

	private static String text(Path source) {
		try {
			return Files.readString(source);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// Only the modules' own: a build directory may hold copies.
	private static Map<String, List<Path>> sources() {
		try (Stream<Path> modules = Files.list(Repository.root())) {
			return modules.map((module) -> module.resolve("src"))
				.filter(Files::isDirectory)
				.flatMap(FeaturesTests::files)
				.collect(Collectors.groupingBy((file) -> file.getFileName().toString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> files(Path source) {
		try (Stream<Path> files = Files.walk(source)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
