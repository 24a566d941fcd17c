package io.sandbox4j.checkpoint;

import java.time.Duration;

/**
 * Which checkpoints of a lineage are kept: those that any of the rules keeps, and those
 * that are pinned.
 *
 * @param last how many of the newest are kept, at least 1
 * @param newerThan what is younger is kept too
 * @since 0.1.0
 */
public record Retention(int last, Duration newerThan) {

	/**
	 * Validates the components.
	 */
	public Retention {
		if (last < 1) {
			throw Failures.invalid("'last' must be at least 1: the newest checkpoint is always kept.");
		}
		if (newerThan.isNegative()) {
			throw Failures.invalid("'newerThan' must not be negative.");
		}
	}

	/**
	 * Keeps the newest.
	 * @param last how many, at least 1
	 * @return the rule
	 */
	public static Retention keepLast(int last) {
		return new Retention(last, Duration.ZERO);
	}

	/**
	 * Keeps what is young, too.
	 * @param newerThan the age from which on a checkpoint may go
	 * @return the changed copy
	 */
	public Retention andNewerThan(Duration newerThan) {
		return new Retention(this.last, newerThan);
	}

}
