package io.sandbox4j.benchmarks;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * One row of a report.
 *
 * @param name what was measured, and against whom
 * @param ours our own value
 * @param theirs the peer's value, or {@code null} if there is no peer
 * @param ratio our value as a part of the peer's, or {@code null} if there is no peer.
 * The median over the rounds, so not the quotient of the other two
 * @param limit what must hold for the ratio, or for our value if there is no peer;
 * {@code null} if nothing must
 */
record Figure(String name, double ours, @Nullable Double theirs, @Nullable Double ratio, @Nullable Limit limit) {

	static Figure of(String name, Series ours, Series theirs, @Nullable Limit limit) {
		return new Figure(name, ours.median(), theirs.median(), ours.ratioTo(theirs), limit);
	}

	// How long the slow ones last: no ratio of one round says it.
	static Figure late(String name, Series ours, Series theirs) {
		return new Figure(name, ours.late(), theirs.late(), ours.late() / theirs.late(), null);
	}

	static Figure alone(String name, double ours, Limit limit) {
		return new Figure(name, ours, null, null, limit);
	}

	boolean ok() {
		return this.limit == null || this.limit.holds(judged());
	}

	// What a failed check says of it.
	String miss() {
		return String.format(Locale.ROOT, "%s: %s is not %s", this.name, number(judged()), this.limit);
	}

	private double judged() {
		return (this.ratio != null) ? this.ratio : this.ours;
	}

	static String number(double value) {
		return String.format(Locale.ROOT, (Math.abs(value) < 100) ? "%.3f" : "%.0f", value);
	}

	/**
	 * What must hold for a value.
	 *
	 * @param value the bound, allowed itself
	 * @param atLeast whether it is the least that is allowed; else it is the most
	 */
	record Limit(double value, boolean atLeast) {

		static Limit atLeast(double value) {
			return new Limit(value, true);
		}

		static Limit atMost(double value) {
			return new Limit(value, false);
		}

		boolean holds(double measured) {
			return this.atLeast ? measured >= this.value : measured <= this.value;
		}

		@Override
		public String toString() {
			return (this.atLeast ? "at least " : "at most ") + number(this.value);
		}

	}

}
