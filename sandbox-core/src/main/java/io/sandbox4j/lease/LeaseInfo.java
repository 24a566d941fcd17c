package io.sandbox4j.lease;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a lease. To look at it is no use: it renews nothing.
 *
 * @param key its key
 * @param phase what it does
 * @param sessionId the session's id, or {@code null} while there is none yet
 * @param uses how many have it open
 * @param created when it was made
 * @param remaining how long it lives if it is not renewed
 * @param credentials what was issued for it: names, never values
 * @since 0.1.0
 */
public record LeaseInfo(LeaseKey key, Phase phase, @Nullable String sessionId, int uses, Instant created,
		Duration remaining, String credentials) {

	/**
	 * What a lease does.
	 */
	public enum Phase {

		/**
		 * Its sandbox is being made.
		 */
		CREATING,

		/**
		 * Its sandbox runs.
		 */
		LIVE,

		/**
		 * Its sandbox is being stopped because nobody uses it.
		 */
		STOPPING,

		/**
		 * Its sandbox is stopped, and the next use attaches to it.
		 */
		IDLE,

		/**
		 * It was found when the application started, and the next use attaches to it.
		 */
		RECOVERED,

		/**
		 * Its sandbox is being attached to.
		 */
		ATTACHING,

		/**
		 * Its sandbox could not be proven stopped; that is tried again.
		 */
		STUCK,

		/**
		 * It is being ended.
		 */
		ENDING

	}

}
