package io.sandbox4j.checkpoint;

import java.time.Duration;

/**
 * The bounds of a capture, a restore and an import.
 *
 * @param maxBytes the bytes of all files together, without holes
 * @param maxFiles how many files, links and directories
 * @param timeout how long the part inside the sandbox may take
 */
record CheckpointLimits(long maxBytes, long maxFiles, Duration timeout) {

	static final CheckpointLimits DEFAULT = new CheckpointLimits(8L << 30, 1_000_000, Duration.ofMinutes(10));

	CheckpointLimits {
		if (maxBytes < 1 || maxFiles < 1) {
			throw Failures.invalid("'maxBytes' and 'maxFiles' must be at least 1.");
		}
		if (timeout.isZero() || timeout.isNegative()) {
			throw Failures.invalid("'timeout' must be more than zero.");
		}
	}

	void requireBytes(long bytes) {
		if (bytes > this.maxBytes) {
			throw Failures.limit("The files have more than the " + this.maxBytes
					+ " bytes of 'maxBytes'. Remove some, or raise the limit. Nothing was kept.");
		}
	}

}
