package io.sandbox4j.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of a lease: ids and times, never a policy, a variable or a value.
 *
 * @param key the key's text
 * @param run the run, for whoever reads the file
 * @param backend the backend's name
 * @param sessionId the session's id
 * @param templateKey the key of its template
 * @param createdMillis when it was made
 * @param maxLifetimeMillis how old it may become
 * @param ready whether its setup was done
 */
record LeaseRecord(String key, @Nullable String run, String backend, String sessionId, String templateKey,
		long createdMillis, long maxLifetimeMillis, boolean ready) {

	LeaseRecord {
		Objects.requireNonNull(key, "'key' must not be null");
		if (maxLifetimeMillis <= 0 || maxLifetimeMillis > LeaseSpec.LONGEST.toMillis()) {
			throw new IllegalArgumentException("'maxLifetimeMillis' must be positive and not too long");
		}
		// Both refuse what is none.
		LeaseKey.parse(key);
		new SandboxState(backend, sessionId, templateKey);
	}

	static LeaseRecord of(LeaseEntry entry, SandboxState state, boolean ready) {
		return new LeaseRecord(entry.key.toString(), entry.key.run(), state.backend(), state.sessionId(),
				state.templateKey(), entry.created.toEpochMilli(), Math.max(1, entry.maxLifetime().toMillis()), ready);
	}

	LeaseKey leaseKey() {
		return LeaseKey.parse(this.key);
	}

	SandboxState state() {
		return new SandboxState(this.backend, this.sessionId, this.templateKey);
	}

	Instant created() {
		return Instant.ofEpochMilli(this.createdMillis);
	}

	Duration maxLifetime() {
		return Duration.ofMillis(this.maxLifetimeMillis);
	}

}
