package io.sandbox4j.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * What one competitor reached, a value for each round.
 */
final class Series {

	private final List<Double> values = new ArrayList<>();

	void add(double value) {
		this.values.add(value);
	}

	double median() {
		return median(this.values);
	}

	// The 95th percentile: the least that 95 of 100 rounds do not exceed.
	double late() {
		List<Double> sorted = this.values.stream().sorted().toList();
		return sorted.get((int) Math.ceil(0.95 * sorted.size()) - 1);
	}

	// Round by round, so that what slows the machine for a while slows both sides of a
	// ratio.
	double ratioTo(Series other) {
		if (this.values.size() != other.values.size()) {
			throw new IllegalArgumentException("'other' must have as many rounds");
		}
		List<Double> ratios = new ArrayList<>();
		for (int round = 0; round < this.values.size(); round++) {
			ratios.add(this.values.get(round) / other.values.get(round));
		}
		return median(ratios);
	}

	// How far the rounds are apart, as a part of the median.
	double spread() {
		double least = this.values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
		double most = this.values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
		return (most - least) / median();
	}

	private static double median(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 != 0) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

}
