package io.sandbox4j.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds the requests of one session under one rule: a bucket that a minute fills. A
 * session that was idle may send a minute's requests at once. Kept as the time at which
 * the bucket is full again, which is all there is to know of it. Thread-safe.
 */
final class RateLimit {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private final int requestsPerMinute;

	private final LongSupplier nanoTime;

	private long full;

	/**
	 * Creates a full bucket.
	 * @param requestsPerMinute its size; zero for no bound
	 * @param nanoTime a clock as {@link System#nanoTime()}
	 */
	RateLimit(int requestsPerMinute, LongSupplier nanoTime) {
		this.requestsPerMinute = requestsPerMinute;
		this.nanoTime = nanoTime;
		this.full = nanoTime.getAsLong();
	}

	/**
	 * Takes a request out of the bucket.
	 * @return zero if it may be sent, else how long to wait before there is one
	 */
	synchronized Duration tryAcquire() {
		if (this.requestsPerMinute <= 0) {
			return Duration.ZERO;
		}
		long now = this.nanoTime.getAsLong();
		long missing = Math.max(0, this.full - now);
		long wait = missing + MINUTE / this.requestsPerMinute - MINUTE;
		if (wait > 0) {
			return Duration.ofNanos(wait);
		}
		this.full = now + missing + MINUTE / this.requestsPerMinute;
		return Duration.ZERO;
	}

}
