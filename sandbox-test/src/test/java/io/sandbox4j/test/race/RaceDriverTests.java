package io.sandbox4j.test.race;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RaceDriverTests {

	@RepeatedTest(20)
	void aLostUpdateIsProvokedEachTime() {
		try (RaceDriver race = new RaceDriver()) {
			AtomicReference<String> value = new AtomicReference<>("old");
			CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> {
				String read = value.get();
				race.trace().record("read");
				race.barrier("between").await();
				value.set(read + " by slow");
				race.trace().record("slow");
			});
			race.barrier("between").awaitReached();
			value.set("new");
			race.trace().record("fast");
			race.barrier("between").release();
			slow.orTimeout(30, TimeUnit.SECONDS).join();
			assertThat(value).hasValue("old by slow");
			race.trace().assertSequence("read", "fast", "slow");
			race.trace().assertBefore("fast", "slow");
		}
	}

	@Test
	void aNameHasOneBarrierForAllThreads() {
		try (RaceDriver race = new RaceDriver()) {
			assertThat(IntStream.range(0, 200).parallel().mapToObj((i) -> race.barrier("a")).distinct()).hasSize(1);
			assertThat(race.barrier("b")).isNotSameAs(race.barrier("a"));
			assertThat(race.trace()).isSameAs(race.trace());
		}
	}

	@Test
	void releaseAllReleasesWhatIsThere() {
		RaceDriver race = new RaceDriver(Duration.ofMillis(20));
		race.barrier("a");
		race.barrier("b");
		race.releaseAll();
		race.barrier("a").await();
		race.barrier("b").await();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> race.barrier("c").await());
	}

	@Test
	void afterTheCloseNobodyIsStopped() {
		RaceDriver race = new RaceDriver(Duration.ofMillis(20));
		race.barrier("a");
		race.close();
		race.close();
		race.barrier("a").await();
		race.barrier("later").await();
	}

	@Test
	void aBarriersFailureShowsTheTrace() {
		try (RaceDriver race = new RaceDriver(Duration.ofMillis(20))) {
			race.trace().record("read");
			race.trace().record("wrote");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> race.barrier("commit").awaitReached())
				.withMessage("Barrier 'commit': it was not reached within 20 ms. The trace: 1 read, 2 wrote.");
		}
	}

}
