package io.sandbox4j.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.cli.RunOptions.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RunOptions}.
 */
class RunOptionsTests {

	@Test
	void theNetworkMayBeAListOfOrigins() {
		RunOptions options = parse("--network", "https://a.example, http://b.example:8080", "--", "make");
		assertThat(((NetworkPolicy.AllowList) options.network()).rules()).extracting((rule) -> rule.origin().toString())
			.containsExactly("https://a.example", "http://b.example:8080");
	}

	@Test
	void defaultsToACopyOfTheCurrentDirectoryWithoutNetwork() {
		RunOptions options = parse("--", "make");
		assertThat(options).isEqualTo(new RunOptions(Path.of("").toAbsolutePath(), Source.COPY, NetworkPolicy.denyAll(),
				RunOptions.NO_TIMEOUT, false, List.of("make")));
	}

	@Test
	void takesEveryOption() {
		RunOptions options = parse("--dir", "/srv/project", "--in-place", "--network", "host", "--timeout", "1.5",
				"--report", "--", "make", "-j", "--", "--dir=x", "");
		assertThat(options).isEqualTo(new RunOptions(Path.of("/srv/project"), Source.IN_PLACE, NetworkPolicy.allowAll(),
				Duration.ofMillis(1500), true, List.of("make", "-j", "--", "--dir=x", "")));
	}

	@Test
	void aRepositoryIsShownOrApplied() {
		assertThat(parse("--git", "--", "make").source()).isEqualTo(Source.GIT);
		assertThat(parse("--apply", "--git", "--", "make").source()).isEqualTo(Source.GIT_APPLY);
	}

	@Test
	void takesValuesAfterAnEqualsSign() {
		RunOptions options = parse("--dir=/srv/a=b", "--network=deny", "--timeout=3", "--", "make");
		assertThat(options.directory()).isEqualTo(Path.of("/srv/a=b"));
		assertThat(options.network()).isEqualTo(NetworkPolicy.denyAll());
		assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void takesADirectoryRelativeToTheCurrentOne() {
		assertThat(parse("--dir", "../x", "--", "make").directory())
			.isEqualTo(Path.of("").toAbsolutePath().resolveSibling("x"));
	}

	@Test
	void takesTheLongestTimeout() {
		assertThat(parse("--timeout", "2147483.647", "--", "make").timeout()).isEqualTo(RunOptions.NO_TIMEOUT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "0.0001", "-1", "+1", "", "1s", "1e9", "NaN", "2147483.648", "99999999999999999999",
			"1.2.3", ".", "\u0663" })
	void refusesAMalformedTimeout(String timeout) {
		refused("'--timeout' must be a number of seconds", "--timeout", timeout, "--", "make");
	}

	@Test
	void refusesAnotherNetwork() {
		refused("'--network' must be 'deny', 'host' or origins", "--network", "bridge", "--", "make");
		refused("'--network' has an origin that cannot be used: 'network.allow.origin' must start with http",
				"--network", "ftp://example.com", "--", "make");
		refused("names 'a.example' twice", "--network", "https://a.example,http://a.example", "--", "make");
	}

	@Test
	void refusesAnUnknownOption() {
		refused("Unknown option '--verbose'", "--verbose", "--", "make");
		refused("Unknown option '-v'", "-v", "--", "make");
		refused("Unknown option '--in-place-too'", "--in-place-too", "--", "make");
	}

	@Test
	void refusesAnOptionThatStandsTwice() {
		refused("'--dir' stands twice", "--dir", "a", "--dir=b", "--", "make");
		refused("'--report' stands twice", "--report", "--report", "--", "make");
	}

	@Test
	void refusesAValueForAFlag() {
		refused("'--in-place' takes no value", "--in-place=yes", "--", "make");
	}

	@Test
	void refusesOptionsThatDoNotGoTogether() {
		refused("'--in-place' and '--git' exclude each other", "--git", "--in-place", "--", "make");
		refused("'--apply' needs '--git'", "--apply", "--", "make");
		refused("'--apply' needs '--git'", "--apply", "--in-place", "--", "make");
	}

	@Test
	void refusesAnOptionWithoutItsValue() {
		refused("'--dir' needs a value", "--dir");
	}

	@Test
	void refusesACommandWithoutTheSeparator() {
		refused("Write '--' before the command", "make");
		refused("Write '--' before the command", "--report", "make");
	}

	@Test
	void refusesAMissingCommand() {
		refused("The command is missing");
		refused("The command is missing", "--report");
		refused("The command is missing", "--");
		refused("must not be empty", "--", " ");
	}

	private static RunOptions parse(String... args) {
		return RunOptions.parse(List.of(args));
	}

	private static void refused(String message, String... args) {
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> parse(args)).withMessageContaining(message);
	}

}
