package io.sandbox4j.benchmarks;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class SeriesTests {

	@Test
	void medianIsTheMiddleOrBetweenTheMiddleTwo() {
		assertThat(series(9, 1, 5).median()).isEqualTo(5);
		assertThat(series(9, 1, 5, 6).median()).isEqualTo(5.5);
	}

	@Test
	void ratioIsTheMedianOfTheRounds() {
		// The third round was slow for both.
		assertThat(series(80, 90, 10).ratioTo(series(100, 100, 20))).isEqualTo(0.8);
	}

	@Test
	void ratioNeedsTheSameRounds() {
		assertThatIllegalArgumentException().isThrownBy(() -> series(1).ratioTo(series(1, 2)));
	}

	@Test
	void spreadIsAPartOfTheMedian() {
		assertThat(series(95, 100, 110).spread()).isCloseTo(0.15, within(1e-9));
	}

	@Test
	void nineteenOfTwentyAreNoLaterThanTheLate() {
		double[] values = IntStream.rangeClosed(1, 20).mapToDouble((i) -> i).toArray();
		assertThat(series(values).late()).isEqualTo(19);
		assertThat(series(7).late()).isEqualTo(7);
	}

	static Series series(double... values) {
		Series series = new Series();
		for (double value : values) {
			series.add(value);
		}
		return series;
	}

}
