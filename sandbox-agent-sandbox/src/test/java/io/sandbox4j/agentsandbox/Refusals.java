package io.sandbox4j.agentsandbox;

import io.sandbox4j.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springaicommunity.sandbox.SandboxException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a refusal looks like to callers of Agent Sandbox.
 */
final class Refusals {

	private Refusals() {
	}

	static void assertRefused(ErrorCode code, ThrowingCallable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call).satisfies((ex) -> assertCode(ex, code));
	}

	static void assertCode(SandboxException failure, ErrorCode code) {
		assertThat(failure.getCause()).isInstanceOfSatisfying(io.sandbox4j.SandboxException.class,
				(ex) -> assertThat(ex.code()).isEqualTo(code));
	}

}
