package io.sandbox4j.gateway;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that a test moves.
 */
final class MutableInstant implements InstantSource {

	private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

	@Override
	public Instant instant() {
		return this.now;
	}

	void advance(Duration time) {
		this.now = this.now.plus(time);
	}

}
