package io.sandbox4j;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/**
 * What a command did. Output that came before a limit, a deadline or a stop is always
 * here.
 *
 * @param status how the command ended
 * @param exitCode the program's exit code; 128 plus the signal's number when a signal
 * ended it, 137 when the sandbox killed it, 127 when it could not be started
 * @param stdout the kept bytes of standard output
 * @param stderr the kept bytes of standard error
 * @param omittedStdout how many bytes of standard output were read and not kept
 * @param omittedStderr how many bytes of standard error were read and not kept
 * @param duration from the admission of the command to the end of its processes
 * @param reason a sentence for a person; empty when the program exited by itself
 * @since 0.1.0
 */
public record ExecResult(ExecStatus status, int exitCode, byte[] stdout, byte[] stderr, long omittedStdout,
		long omittedStderr, Duration duration, String reason) {

	/**
	 * Validates the components.
	 */
	public ExecResult {
		Objects.requireNonNull(status, "'status' must not be null");
		Objects.requireNonNull(stdout, "'stdout' must not be null");
		Objects.requireNonNull(stderr, "'stderr' must not be null");
		Objects.requireNonNull(duration, "'duration' must not be null");
		Objects.requireNonNull(reason, "'reason' must not be null");
	}

	/**
	 * Whether the program ran to its end and returned 0.
	 * @return {@code true} on success
	 */
	public boolean succeeded() {
		return this.status == ExecStatus.EXITED && this.exitCode == 0;
	}

	/**
	 * Whether some output was not kept.
	 * @return {@code true} if bytes were left out
	 */
	public boolean truncated() {
		return this.omittedStdout > 0 || this.omittedStderr > 0;
	}

	/**
	 * Returns standard output as UTF-8; malformed bytes become U+FFFD.
	 * @return the text
	 */
	public String stdoutText() {
		return new String(this.stdout, StandardCharsets.UTF_8);
	}

	/**
	 * Returns standard error as UTF-8; malformed bytes become U+FFFD.
	 * @return the text
	 */
	public String stderrText() {
		return new String(this.stderr, StandardCharsets.UTF_8);
	}

	/**
	 * Returns this result if the program ended by itself or by a signal of its own, and
	 * throws otherwise.
	 * @return this result
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} for a deadline, output or
	 * resource limit, {@link ErrorCode#SANDBOX_STOPPED} for a stopped or cancelled
	 * command, {@link ErrorCode#SANDBOX_NOT_FOUND} for a program that could not be
	 * started
	 */
	public ExecResult orThrow() {
		return switch (this.status) {
			case EXITED, SIGNALLED -> this;
			case TIMED_OUT, OUTPUT_LIMIT, RESOURCE_LIMIT ->
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, this.reason);
			case STOPPED, CANCELLED -> throw new SandboxException(ErrorCode.SANDBOX_STOPPED, this.reason);
			case LAUNCH_FAILED -> throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND, this.reason);
		};
	}

	/**
	 * Describes the outcome without the output.
	 */
	@Override
	public String toString() {
		return "ExecResult[status=" + this.status + ", exitCode=" + this.exitCode + ", stdout=" + this.stdout.length
				+ " bytes, stderr=" + this.stderr.length + " bytes, omitted="
				+ (this.omittedStdout + this.omittedStderr) + " bytes, duration=" + this.duration + ", reason="
				+ this.reason + "]";
	}

}
