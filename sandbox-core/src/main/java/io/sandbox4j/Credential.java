package io.sandbox4j;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A secret that the gateway puts into a header.
 *
 * @param value the secret; never shown, logged or stored
 * @param expiresAt from when it is not to be used, or {@code null}
 * @since 0.1.0
 */
public record Credential(String value, @Nullable Instant expiresAt) {

	/**
	 * Refuses an empty value.
	 * @param value the secret
	 * @param expiresAt from when it is not to be used, or {@code null}
	 */
	public Credential {
		Objects.requireNonNull(value, "'value' must not be null");
		if (value.isEmpty()) {
			throw new IllegalArgumentException("'value' must not be empty");
		}
	}

	/**
	 * Returns a credential that does not expire.
	 * @param value the secret
	 * @return the credential
	 */
	public static Credential of(String value) {
		return new Credential(value, null);
	}

	/**
	 * Says nothing of the value.
	 */
	@Override
	public String toString() {
		return "Credential[expiresAt=" + this.expiresAt + "]";
	}

}
