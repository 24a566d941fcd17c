package io.sandbox4j.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the command line of {@code doctor}.
 */
class DoctorCommandTests {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@ParameterizedTest
	@ValueSource(strings = { "doctor --jsn", "doctor --json --json", "doctor x", "doctor --json=true", "doctor --" })
	void refusesWhatItDoesNotKnow(String line) {
		assertThat(execute(line)).isEqualTo(64);
		assertThat(this.err.toString(StandardCharsets.UTF_8)).contains("'doctor' takes --json")
			.contains("sandbox doctor --help");
		assertThat(this.out.size()).isZero();
	}

	@Test
	void hasAHelpOfItsOwn() {
		assertThat(execute("doctor --help")).isZero();
		assertThat(this.out.toString(StandardCharsets.UTF_8)).startsWith("Usage: sandbox doctor");
	}

	private int execute(String line) {
		return SandboxCommand.execute(List.of(line.split(" ")), new PrintStream(this.out), new PrintStream(this.err));
	}

}
