package io.sandbox4j.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.CredentialUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * A fixed list of secrets for one purpose. All requests use the same one until an
 * upstream refuses it; then the next takes its place. After 401 a secret is never used
 * again, after 429 not before the time that the upstream names, or {@link #DEFAULT_WAIT}
 * without one. A secret that is back waits until the one in use is refused. What is put
 * aside is known to this object only: a new pool begins with all. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CredentialPool implements CredentialSource {

	/**
	 * How long a secret rests after a 429 that names no time.
	 */
	public static final Duration DEFAULT_WAIT = Duration.ofSeconds(60);

	/**
	 * An upstream that says "now" must not get the same secret at once.
	 */
	private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

	/**
	 * Beyond this a time is taken for a mistake of the upstream.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofDays(31);

	private final String name;

	private final InstantSource clock;

	private final List<Credential> credentials;

	/**
	 * Until when each is aside; {@code null} entries are free.
	 */
	private final @Nullable Instant[] aside;

	private int current;

	private CredentialPool(String name, List<Credential> credentials, InstantSource clock) {
		this.name = name;
		this.credentials = credentials;
		this.aside = new Instant[credentials.size()];
		this.clock = clock;
	}

	/**
	 * Creates a pool.
	 * @param name how messages call it; not secret
	 * @param values the secrets, the first to be used first; one that stands twice counts
	 * once. An empty list makes a pool that never has one.
	 * @param clock tells when a secret is back
	 * @return the pool
	 * @throws IllegalArgumentException if a value is empty
	 */
	public static CredentialPool of(String name, List<String> values, InstantSource clock) {
		if (values.contains("")) {
			throw new IllegalArgumentException(
					"The values of credential pool '" + name + "' must not be empty. Remove the empty one.");
		}
		return new CredentialPool(name, new LinkedHashSet<>(values).stream().map(Credential::of).toList(), clock);
	}

	/**
	 * Returns the secret in use.
	 * @param use what it is for; does not matter
	 * @return the credential, which does not expire
	 * @throws CredentialUnavailableException if all are aside, with the time until the
	 * first is back if one comes back; or if there are none
	 */
	@Override
	public synchronized Credential get(Use use) {
		if (this.credentials.isEmpty()) {
			throw new CredentialUnavailableException("Credential pool '" + this.name + "' is empty. Add a value.",
					null);
		}
		Instant now = this.clock.instant();
		for (int i = 0; i < this.aside.length; i++) {
			int index = (this.current + i) % this.aside.length;
			if (isFree(index, now)) {
				this.current = index;
				return this.credentials.get(index);
			}
		}
		throw unavailable(now);
	}

	private CredentialUnavailableException unavailable(Instant now) {
		Instant first = Instant.MAX;
		for (Instant until : this.aside) {
			first = (until != null && until.isBefore(first)) ? until : first;
		}
		if (first.equals(Instant.MAX)) {
			return new CredentialUnavailableException("Every value of credential pool '" + this.name
					+ "' was refused with 401. Replace them, and the pool.", null);
		}
		return new CredentialUnavailableException(
				"Every value of credential pool '" + this.name + "' is aside. Wait, or add a value.",
				Duration.between(now, first));
	}

	/**
	 * Puts a secret aside. One that is aside already, because another request was refused
	 * with it too, makes no second one go.
	 * @param use what it was for; does not matter
	 * @param refused the credential that was sent
	 * @param status 401 or 429; others change nothing
	 * @param retryAfter how long to rest after 429, or {@code null}
	 * @return whether another one is free now
	 */
	@Override
	public synchronized boolean refused(Use use, Credential refused, int status, @Nullable Duration retryAfter) {
		if (status != 401 && status != 429) {
			return false;
		}
		Instant now = this.clock.instant();
		boolean another = false;
		for (int i = 0; i < this.aside.length; i++) {
			if (this.credentials.get(i).value().equals(refused.value())) {
				Instant until = (status != 401) ? now.plus(wait(retryAfter)) : Instant.MAX;
				Instant before = this.aside[i];
				this.aside[i] = (before != null && before.isAfter(until)) ? before : until;
			}
			else {
				another |= isFree(i, now);
			}
		}
		return another;
	}

	private static Duration wait(@Nullable Duration retryAfter) {
		Duration wait = (retryAfter != null) ? retryAfter : DEFAULT_WAIT;
		if (wait.compareTo(SHORTEST_WAIT) < 0) {
			return SHORTEST_WAIT;
		}
		return (wait.compareTo(LONGEST_WAIT) > 0) ? LONGEST_WAIT : wait;
	}

	private boolean isFree(int index, Instant now) {
		Instant until = this.aside[index];
		return until == null || !now.isBefore(until);
	}

	/**
	 * Names no value.
	 */
	@Override
	public String toString() {
		return "CredentialPool[name=" + this.name + ", size=" + this.credentials.size() + "]";
	}

}
