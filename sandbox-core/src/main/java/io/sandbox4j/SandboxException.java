package io.sandbox4j;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The one exception of this library. Its message is a sentence and what to do next; it
 * never holds environment values, header values, file content or command output.
 *
 * @since 0.1.0
 */
public class SandboxException extends RuntimeException {

	private final ErrorCode code;

	/**
	 * Creates an exception.
	 * @param code what went wrong
	 * @param message a sentence that says it, and the remedy
	 */
	public SandboxException(ErrorCode code, String message) {
		this(code, message, null);
	}

	/**
	 * Creates an exception with its cause.
	 * @param code what went wrong
	 * @param message a sentence that says it, and the remedy
	 * @param cause the cause, for logs
	 */
	public SandboxException(ErrorCode code, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.code = Objects.requireNonNull(code, "'code' must not be null");
	}

	/**
	 * Returns what went wrong.
	 * @return the code
	 */
	public final ErrorCode code() {
		return this.code;
	}

	/**
	 * Whether the same call can succeed later without a change by the caller.
	 * @return {@code true} if a retry makes sense
	 */
	public final boolean retryable() {
		return this.code.retryable();
	}

}
