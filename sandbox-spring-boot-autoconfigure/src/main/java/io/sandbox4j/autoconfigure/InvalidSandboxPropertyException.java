package io.sandbox4j.autoconfigure;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A {@code sandbox.*} property has a value that cannot work. When the start fails of it,
 * the failure analysis adds the value and where it was set.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class InvalidSandboxPropertyException extends SandboxException {

	private final String property;

	private final String reason;

	/**
	 * Creates an exception.
	 * @param property the property's full name
	 * @param reason what is wrong and what to do, in sentences
	 */
	public InvalidSandboxPropertyException(String property, String reason) {
		this(property, reason, null);
	}

	InvalidSandboxPropertyException(String property, String reason, @Nullable Throwable cause) {
		super(ErrorCode.SANDBOX_INVALID, "'" + property + "' is invalid: " + reason, cause);
		this.property = property;
		this.reason = reason;
	}

	String property() {
		return this.property;
	}

	String reason() {
		return this.reason;
	}

}
