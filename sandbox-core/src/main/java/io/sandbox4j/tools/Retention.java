package io.sandbox4j.tools;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How much is kept, and for how long.
 *
 * @param quotaBytes the bytes of a session's outputs together
 * @param expiry how long an output is kept
 * @param clock what tells the time
 */
record Retention(long quotaBytes, Duration expiry, InstantSource clock) {

	boolean isExpired(Instant modified) {
		return isOlder(modified, this.expiry);
	}

	// A time that far in the future is one of a clock that was set back: without this, a
	// file of it would stay for ever.
	boolean isOlder(Instant modified, Duration age) {
		return Duration.between(modified, this.clock.instant()).abs().compareTo(age) >= 0;
	}

}
