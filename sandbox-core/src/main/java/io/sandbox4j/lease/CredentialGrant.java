package io.sandbox4j.lease;

import java.util.List;
import java.util.Map;

import io.sandbox4j.OriginRule;

/**
 * What a broker issued for one lease. Thread-safe. Its {@code toString} shows no value.
 *
 * @since 0.1.0
 */
public interface CredentialGrant {

	/**
	 * Returns what each command of the lease gets as environment. The guest can read it.
	 * @return names and values; empty once revoked
	 */
	Map<String, String> environment();

	/**
	 * Returns what is added to the lease's network policy. The guest never sees the
	 * credentials of these rules.
	 * @return the rules
	 */
	default List<OriginRule> rules() {
		return List.of();
	}

	/**
	 * Told the session that the grant is for, before any command of it runs.
	 * @param sessionId the session's id
	 */
	default void bind(String sessionId) {
	}

	/**
	 * Says what was issued: names and their count, never a value.
	 * @return a sentence
	 */
	String describe();

	/**
	 * Takes back what can be taken back. Idempotent.
	 */
	void revoke();

}
