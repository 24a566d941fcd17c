package io.sandbox4j.session;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SessionLimitsTests {

	@Test
	void hasDefaults() {
		assertThat(SessionLimits.defaults()).isEqualTo(new SessionLimits(8, 1 << 20, 1 << 20, 1L << 30, 100_000));
	}

	@Test
	void namesWhatIsOutOfItsRange() {
		assertInvalid("'maxConcurrentCommands'", () -> new SessionLimits(0, 1, 1, 1, 1));
		assertInvalid("'maxConcurrentCommands'", () -> new SessionLimits(1025, 1, 1, 1, 1));
		assertInvalid("'maxReadBytes'", () -> new SessionLimits(1, 0, 1, 1, 1));
		assertInvalid("'maxWriteBytes'", () -> new SessionLimits(1, 1, 0, 1, 1));
		assertInvalid("'maxStreamBytes'", () -> new SessionLimits(1, 1, 1, 0, 1));
		assertInvalid("'maxEntries'", () -> new SessionLimits(1, 1, 1, 1, 0));
		assertThat(new SessionLimits(1024, 1, 1, 1, 1).maxConcurrentCommands()).isEqualTo(1024);
	}

	private static void assertInvalid(String what, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call)
			.withMessageContaining(what)
			.extracting(SandboxException::code)
			.isEqualTo(ErrorCode.SANDBOX_INVALID);
	}

}
