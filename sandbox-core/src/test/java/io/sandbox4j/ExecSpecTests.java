package io.sandbox4j;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ExecSpecTests {

	private static final int MOST = 131_071;

	private final ExecSpec command = ExecSpec.of("/usr/bin/tool", "a", "b");

	@Test
	void hasSafeDefaults() {
		assertThat(this.command.executable()).isEqualTo("/usr/bin/tool");
		assertThat(this.command.args()).containsExactly("a", "b");
		assertThat(this.command.cwd().isRoot()).isTrue();
		assertThat(this.command.environment()).isEmpty();
		assertThat(this.command.timeout()).isEqualTo(Duration.ofSeconds(30));
		assertThat(this.command.maxOutputBytes()).isEqualTo(1024 * 1024);
		assertThat(this.command.overflow()).isEqualTo(OutputOverflow.STOP);
		assertThat(this.command.stdin()).isEmpty();
	}

	@Test
	void everyChangeIsACopyThatKeepsTheRest() {
		ExecSpec changed = this.command.withCwd("src")
			.withEnvironment(Map.of("A", "1"))
			.withTimeout(Duration.ofSeconds(1))
			.withMaxOutput(10, OutputOverflow.DISCARD)
			.withStdin(new byte[] { 1 });
		assertThat(changed.args()).containsExactly("a", "b");
		assertThat(changed.cwd().relative()).isEqualTo("src");
		assertThat(changed.environment()).containsExactly(Map.entry("A", "1"));
		assertThat(changed.timeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(changed.maxOutputBytes()).isEqualTo(10);
		assertThat(changed.overflow()).isEqualTo(OutputOverflow.DISCARD);
		assertThat(changed.stdin()).containsExactly(1);
		assertThat(this.command.environment()).isEmpty();
		assertThat(this.command.cwd().isRoot()).isTrue();
	}

	@Test
	void aShellTextIsOneArgument() {
		assertThat(ExecSpec.shell("echo $HOME").executable()).isEqualTo("/bin/sh");
		assertThat(ExecSpec.shell("echo $HOME").args()).containsExactly("-c", "echo $HOME");
	}

	@Test
	void whatTheCallerChangesLaterIsNotSeen() {
		byte[] stdin = { 1 };
		Map<String, String> environment = new HashMap<>(Map.of("A", "1"));
		ExecSpec copied = this.command.withStdin(stdin).withEnvironment(environment);
		stdin[0] = 2;
		environment.put("B", "2");
		copied.stdin()[0] = 3;
		assertThat(copied.stdin()).containsExactly(1);
		assertThat(copied.environment()).containsOnlyKeys("A");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> copied.environment().put("B", "2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "a\0b", "\ud800" })
	void refusesAnExecutableThatIsNone(String executable) {
		assertInvalid("'executable'", () -> ExecSpec.of(executable));
	}

	@Test
	void namesTheArgumentThatItRefuses() {
		assertInvalid("'args[1]'", () -> ExecSpec.of("tool", "fine", "a\0b"));
		assertInvalid("'args[0]'", () -> ExecSpec.of("tool", "\ud83d"));
		assertInvalid("'args[2]'", () -> ExecSpec.of("tool", "", "\n", "x".repeat(MOST + 1)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "A=B", "A B", "1A", "A-B", "A\0", "\u00c4", "A\n" })
	void refusesAVariableNameThatNoShellWouldExport(String name) {
		assertInvalid("'environment'", () -> this.command.withEnvironment(Map.of(name, "x")));
	}

	@Test
	void namesTheVariableThatItRefuses() {
		assertInvalid("'environment.TOKEN'", () -> this.command.withEnvironment(Map.of("TOKEN", "a\0b")));
		assertInvalid("'environment.TOKEN'", () -> this.command.withEnvironment(Map.of("TOKEN", "\udc00")));
		assertInvalid("'environment.TOKEN'", () -> this.command.withEnvironment(Map.of("TOKEN", "x".repeat(MOST + 1))));
	}

	@Test
	void acceptsWhatTheKernelJustAccepts() {
		assertThat(ExecSpec.of("tool", "x".repeat(MOST)).args()).hasSize(1);
		// NAME=value has one limit for both.
		Map<String, String> largest = Map.of("NAME", "x".repeat(MOST - "NAME=".length()));
		assertThat(this.command.withEnvironment(largest).environment()).hasSize(1);
		Map<String, String> larger = Map.of("NAME", "x".repeat(MOST - "NAME=".length() + 1));
		assertInvalid("'environment.NAME'", () -> this.command.withEnvironment(larger));
	}

	@Test
	void bytesCountAndNotCharacters() {
		assertInvalid("'args[0]'", () -> ExecSpec.of("tool", "\u20ac".repeat(MOST / 3 + 1)));
		assertInvalid("'environment.A'",
				() -> this.command.withEnvironment(Map.of("A", "\u20ac".repeat(MOST / 3 + 1))));
	}

	@Test
	void argumentsAndEnvironmentTogetherHaveALimit() {
		List<String> half = Collections.nCopies(10, "x".repeat(100_000));
		ExecSpec large = ExecSpec.of("tool", half);
		assertInvalid("together", () -> ExecSpec.of("tool", Collections.nCopies(20, "x".repeat(100_000))));
		Map<String, String> environment = new HashMap<>();
		for (int i = 0; i < 10; i++) {
			environment.put("V" + i, "x".repeat(100_000));
		}
		assertInvalid("together", () -> large.withEnvironment(environment));
		environment.remove("V0");
		assertThat(large.withEnvironment(environment).environment()).hasSize(9);
	}

	@Test
	void aDeadlineIsMoreThanZeroAndFitsTheTimer() {
		assertInvalid("'timeout'", () -> this.command.withTimeout(Duration.ZERO));
		assertInvalid("'timeout'", () -> this.command.withTimeout(Duration.ofMillis(-1)));
		assertInvalid("'timeout'", () -> this.command.withTimeout(Duration.ofMillis(Integer.MAX_VALUE + 1L)));
		assertThat(this.command.withTimeout(Duration.ofMillis(Integer.MAX_VALUE)).timeout())
			.hasMillis(Integer.MAX_VALUE);
	}

	@Test
	void anOutputLimitIsMoreThanZeroAndFitsAnArray() {
		assertInvalid("'maxOutputBytes'", () -> this.command.withMaxOutput(0, OutputOverflow.STOP));
		assertInvalid("'maxOutputBytes'", () -> this.command.withMaxOutput(-1, OutputOverflow.STOP));
		assertInvalid("'maxOutputBytes'", () -> this.command.withMaxOutput(1L << 31, OutputOverflow.DISCARD));
		assertThat(this.command.withMaxOutput(1, OutputOverflow.STOP).maxOutputBytes()).isEqualTo(1);
	}

	@Test
	void aWorkingDirectoryIsAWorkspacePath() {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.command.withCwd("/etc"))
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_PATH);
	}

	@Test
	void itsTextHidesWhatMayBeSecret() {
		ExecSpec secret = ExecSpec.of("tool", "arg-secret")
			.withEnvironment(Map.of("TOKEN", "env-secret"))
			.withStdin("stdin-secret".getBytes());
		assertThat(secret.toString()).contains("tool", "1 args").doesNotContain("secret");
	}

	@Test
	void aRefusalHidesTheValue() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.command.withEnvironment(Map.of("TOKEN", "secret\0")))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("secret"));
	}

	private static void assertInvalid(String what, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.withMessageContaining(what)
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_INVALID);
	}

}
