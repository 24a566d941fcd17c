package io.sandbox4j.gateway;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitTests {

	// Near the end of the range: nano times may overflow.
	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);

	@Test
	void allowsAMinutesRequestsAndTellsTheWait() {
		RateLimit limit = new RateLimit(3, this.nanos::get);
		for (int i = 0; i < 3; i++) {
			assertThat(limit.tryAcquire()).isZero();
		}
		assertThat(limit.tryAcquire()).isEqualTo(Duration.ofSeconds(20));
		this.nanos.addAndGet(Duration.ofSeconds(15).toNanos());
		assertThat(limit.tryAcquire()).isEqualTo(Duration.ofSeconds(5));
		this.nanos.addAndGet(Duration.ofSeconds(5).toNanos());
		assertThat(limit.tryAcquire()).isZero();
		assertThat(limit.tryAcquire()).isEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void anIdleTimeFillsTheBucketOnce() {
		RateLimit limit = new RateLimit(2, this.nanos::get);
		this.nanos.addAndGet(Duration.ofHours(3).toNanos());
		assertThat(limit.tryAcquire()).isZero();
		assertThat(limit.tryAcquire()).isZero();
		assertThat(limit.tryAcquire()).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void oneInAMinuteIsOne() {
		RateLimit limit = new RateLimit(1, this.nanos::get);
		assertThat(limit.tryAcquire()).isZero();
		assertThat(limit.tryAcquire()).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void zeroIsNoBound() {
		RateLimit limit = new RateLimit(0, this.nanos::get);
		for (int i = 0; i < 10_000; i++) {
			assertThat(limit.tryAcquire()).isZero();
		}
	}

	@Test
	void theLargestBoundIsOne() {
		RateLimit limit = new RateLimit(Integer.MAX_VALUE, this.nanos::get);
		assertThat(limit.tryAcquire()).isZero();
	}

	@Test
	void asManyPassInTheLongRunAsTheBoundSays() {
		RateLimit limit = new RateLimit(7, this.nanos::get);
		int passed = 0;
		for (int second = 0; second < 600; second++) {
			passed += limit.tryAcquire().isZero() ? 1 : 0;
			this.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
		}
		assertThat(passed).isBetween(70, 77);
	}

}
