package io.sandbox4j.benchmarks;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class RoundsTests {

	@Test
	void eachRoundBeginsWithAnother() throws Exception {
		List<String> order = new ArrayList<>();
		Rounds.run(3, List.of("a", "b", "c"), (competitor) -> {
			order.add(competitor);
			return 0;
		});
		assertThat(order).containsExactly("a", "b", "c", "b", "c", "a", "c", "a", "b");
	}

	@Test
	void valuesOfARoundStayTogether() throws Exception {
		int[] trials = { 0 };
		Rounds<String> rounds = Rounds.run(4, List.of("single", "double"), (competitor) -> {
			int round = trials[0]++ / 2 + 1;
			return competitor.equals("double") ? 2 * round : round;
		});
		assertThat(rounds.of("double").ratioTo(rounds.of("single"))).isEqualTo(2);
		assertThat(rounds.of("single").median()).isEqualTo(2.5);
		assertThatNullPointerException().isThrownBy(() -> rounds.of("other"));
	}

}
