package io.sandbox4j;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A {@link CredentialSource} has no credential. The guest's request is answered without
 * anything being sent upstream: with 429 and the time to wait if there is one, else with
 * 500.
 *
 * @since 0.1.0
 */
public class CredentialUnavailableException extends SandboxException {

	private final @Nullable Duration retryAfter;

	/**
	 * Creates an exception.
	 * @param message a sentence for the host's operator, without the secret
	 * @param retryAfter when to ask again, or {@code null} if that is not known
	 */
	public CredentialUnavailableException(String message, @Nullable Duration retryAfter) {
		super(ErrorCode.SANDBOX_NETWORK_DENIED, message);
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns when to ask again.
	 * @return the time, or {@code null}
	 */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
