package io.sandbox4j;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Where the gateway gets a credential, for every request anew: so a rotation needs no
 * change of a policy. Called on the thread of a request, by many at once; a source that
 * fetches keeps what it fetched.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CredentialSource {

	/**
	 * Returns the credential for one request.
	 * @param use what it is for
	 * @return the credential; one that has expired is not sent
	 * @throws CredentialUnavailableException if there is none, or none before some time
	 */
	Credential get(Use use);

	/**
	 * Told that the upstream answered 401 or 429 to a credential. A source that has
	 * another one puts this one aside.
	 * @param use what it was for
	 * @param refused the credential that was sent
	 * @param status 401 or 429
	 * @param retryAfter what the answer said of a time to wait, if it did
	 * @return whether {@link #get} gives another one now; then the gateway tries once
	 * more
	 */
	default boolean refused(Use use, Credential refused, int status, @Nullable Duration retryAfter) {
		return false;
	}

	/**
	 * What a credential is for.
	 *
	 * @param sessionId the session whose guest asks
	 * @param origin the origin that it is sent to
	 */
	record Use(String sessionId, Origin origin) {

	}

}
