package io.sandbox4j.tools;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that a test moves. It starts now, as the times of files do.
 */
final class MovableClock implements InstantSource {

	private volatile Instant now = Instant.now();

	@Override
	public Instant instant() {
		return this.now;
	}

	void advance(Duration time) {
		this.now = this.now.plus(time);
	}

}
