package io.sandbox4j.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Competitors measured in turns: each round has one trial of each, and begins with
 * another.
 *
 * @param <T> what competes
 */
final class Rounds<T> {

	private final Map<T, Series> series = new LinkedHashMap<>();

	private Rounds() {
	}

	static <T> Rounds<T> run(int count, List<T> competitors, Trial<T> trial) throws Exception {
		Rounds<T> rounds = new Rounds<>();
		for (int round = 0; round < count; round++) {
			for (int turn = 0; turn < competitors.size(); turn++) {
				T competitor = competitors.get((round + turn) % competitors.size());
				double value = trial.measure(competitor);
				rounds.series.computeIfAbsent(competitor, (key) -> new Series()).add(value);
			}
		}
		return rounds;
	}

	Series of(T competitor) {
		return Objects.requireNonNull(this.series.get(competitor), "'competitor' did not take part");
	}

	/**
	 * Measures a competitor once.
	 *
	 * @param <T> what competes
	 */
	@FunctionalInterface
	interface Trial<T> {

		/**
		 * Measures.
		 * @param competitor who
		 * @return the value
		 * @throws Exception if it fails
		 */
		double measure(T competitor) throws Exception;

	}

}
