package io.sandbox4j.gateway;

import java.io.IOException;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A request is not served, or no longer. Its message is for the host only and holds no
 * secret. An {@code IOException}, because streams throw it too.
 */
final class RefusedException extends IOException {

	private final Refusal refusal;

	private final @Nullable Duration retryAfter;

	RefusedException(Refusal refusal, String message) {
		this(refusal, message, null, null);
	}

	RefusedException(Refusal refusal, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
		super(message, cause);
		this.refusal = refusal;
		this.retryAfter = retryAfter;
	}

	Refusal refusal() {
		return this.refusal;
	}

	/**
	 * Returns when the guest may ask again.
	 * @return the time, or {@code null}
	 */
	@Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
