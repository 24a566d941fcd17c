package io.sandbox4j.git;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;

/**
 * A setup command failed after a seed. The workspace counts as not seeded: the next seed
 * empties it and begins anew. The message names the program and how it ended; what it
 * printed may hold anything, so it stands apart.
 *
 * @since 0.1.0
 */
public final class SetupFailedException extends SandboxException {

	private final String program;

	private final ExecStatus status;

	private final int exitCode;

	private final String output;

	SetupFailedException(String program, ExecResult result, String output) {
		super(code(result.status()), "The setup command '" + program + "' failed, " + result.status() + " with code "
				+ result.exitCode() + ". See its output, then call 'seed' again: it begins anew.");
		this.program = program;
		this.status = result.status();
		this.exitCode = result.exitCode();
		this.output = output;
	}

	private static ErrorCode code(ExecStatus status) {
		return switch (status) {
			case EXITED, SIGNALLED -> ErrorCode.SANDBOX_STATE_MISMATCH;
			case TIMED_OUT, OUTPUT_LIMIT, RESOURCE_LIMIT -> ErrorCode.SANDBOX_LIMIT;
			case STOPPED, CANCELLED -> ErrorCode.SANDBOX_STOPPED;
			case LAUNCH_FAILED -> ErrorCode.SANDBOX_NOT_FOUND;
		};
	}

	/**
	 * Returns the program, without its arguments, which may hold secrets.
	 * @return the program
	 */
	public String program() {
		return this.program;
	}

	/**
	 * Returns how it ended.
	 * @return the status
	 */
	public ExecStatus status() {
		return this.status;
	}

	/**
	 * Returns the exit code, as {@link ExecResult#exitCode()} has it.
	 * @return the code
	 */
	public int exitCode() {
		return this.exitCode;
	}

	/**
	 * Returns the end of what it printed on both streams, 4 KiB at most, as UTF-8 without
	 * control characters.
	 * @return the text
	 */
	public String output() {
		return this.output;
	}

}
