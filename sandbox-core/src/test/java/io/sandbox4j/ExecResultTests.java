package io.sandbox4j;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ExecResultTests {

	@Test
	void onlyAnExitWithZeroIsSuccess() {
		assertThat(result(ExecStatus.EXITED, 0).succeeded()).isTrue();
		assertThat(result(ExecStatus.EXITED, 1).succeeded()).isFalse();
		for (ExecStatus status : ExecStatus.values()) {
			assertThat(result(status, 0).succeeded()).isEqualTo(status == ExecStatus.EXITED);
		}
	}

	@Test
	void anEndOfItsOwnIsNoException() {
		ExecResult exited = result(ExecStatus.EXITED, 3);
		ExecResult signalled = result(ExecStatus.SIGNALLED, 139);
		assertThat(exited.orThrow()).isSameAs(exited);
		assertThat(signalled.orThrow()).isSameAs(signalled);
	}

	@ParameterizedTest
	@CsvSource({ "TIMED_OUT,SANDBOX_LIMIT", "OUTPUT_LIMIT,SANDBOX_LIMIT", "RESOURCE_LIMIT,SANDBOX_LIMIT",
			"STOPPED,SANDBOX_STOPPED", "CANCELLED,SANDBOX_STOPPED", "LAUNCH_FAILED,SANDBOX_NOT_FOUND" })
	void anotherEndIsAnExceptionOnDemand(ExecStatus status, ErrorCode code) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> result(status, 137).orThrow())
			.withMessage("a reason")
			.extracting(SandboxException::code)
			.isEqualTo(code);
	}

	@Test
	void textIsUtf8AndNeverFails() {
		ExecResult result = new ExecResult(ExecStatus.EXITED, 0, "\u20ac".getBytes(StandardCharsets.UTF_8),
				new byte[] { 'a', (byte) 0xff }, 0, 0, Duration.ZERO, "");
		assertThat(result.stdoutText()).isEqualTo("\u20ac");
		assertThat(result.stderrText()).isEqualTo("a\ufffd");
	}

	@Test
	void isTruncatedWhenEitherStreamIs() {
		assertThat(omitted(0, 0).truncated()).isFalse();
		assertThat(omitted(1, 0).truncated()).isTrue();
		assertThat(omitted(0, 1).truncated()).isTrue();
	}

	@Test
	void itsTextHidesTheOutput() {
		ExecResult result = new ExecResult(ExecStatus.EXITED, 0, "secret".getBytes(StandardCharsets.UTF_8),
				"secret".getBytes(StandardCharsets.UTF_8), 2, 3, Duration.ZERO, "");
		assertThat(result.toString()).contains("EXITED", "stdout=6 bytes", "omitted=5 bytes").doesNotContain("secret");
	}

	private static ExecResult omitted(long stdout, long stderr) {
		return new ExecResult(ExecStatus.EXITED, 0, new byte[0], new byte[0], stdout, stderr, Duration.ZERO, "");
	}

	private static ExecResult result(ExecStatus status, int exitCode) {
		return new ExecResult(status, exitCode, new byte[0], new byte[0], 0, 0, Duration.ofMillis(1), "a reason");
	}

}
