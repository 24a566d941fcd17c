package io.sandbox4j.test.race;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RaceBarrierTests {

	private static final Duration SHORT = Duration.ofMillis(20);

	@Test
	void whoComesStopsUntilTheRelease() {
		RaceBarrier barrier = new RaceBarrier();
		assertThat(barrier.reached()).isFalse();
		CompletableFuture<Void> passing = CompletableFuture.runAsync(barrier::await);
		barrier.awaitReached();
		assertThat(barrier.reached()).isTrue();
		assertThat(passing).isNotDone();
		barrier.release();
		passing.orTimeout(30, TimeUnit.SECONDS).join();
	}

	@Test
	void anOpenBarrierStopsNobody() {
		RaceBarrier barrier = new RaceBarrier(SHORT);
		barrier.release();
		barrier.release();
		barrier.await();
		barrier.await();
		barrier.awaitReached();
		assertThat(barrier.reached()).isTrue();
	}

	@Test
	void aReleaseThatDoesNotComeIsAFailure() {
		RaceBarrier barrier = new RaceBarrier(SHORT);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(barrier::await)
			.withMessage("Barrier 'barrier': it was not released within 20 ms.");
	}

	@Test
	void aBarrierThatNobodyReachesIsAFailure() {
		RaceBarrier barrier = new RaceBarrier(SHORT);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(barrier::awaitReached)
			.withMessage("Barrier 'barrier': it was not reached within 20 ms.");
		assertThat(barrier.reached()).isFalse();
	}

	@Test
	void anInterruptEndsTheWaitAndIsKept() {
		RaceBarrier barrier = new RaceBarrier();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(barrier::await)
			.withMessageContaining("interrupted")
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void theBoundIsPositive() {
		assertThatIllegalArgumentException().isThrownBy(() -> new RaceBarrier(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> new RaceBarrier(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> new RaceDriver(Duration.ZERO));
		assertThat(RaceBarrier.TIMEOUT).isEqualTo(Duration.ofSeconds(5));
	}

}
