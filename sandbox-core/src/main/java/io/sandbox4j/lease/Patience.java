package io.sandbox4j.lease;

import java.time.Duration;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * How long a caller waits: until a time, or not at all for a place and without end for
 * what others do to its lease.
 */
final class Patience {

	private static final Duration LONGEST = Duration.ofDays(365);

	private final boolean endless;

	private final long until;

	private Patience(boolean endless, long until) {
		this.endless = endless;
		this.until = until;
	}

	static Patience of(@Nullable Duration patience) {
		if (patience == null) {
			return new Patience(true, System.nanoTime());
		}
		if (patience.isNegative()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The time to wait must not be negative.");
		}
		Duration bounded = (patience.compareTo(LONGEST) < 0) ? patience : LONGEST;
		return new Patience(false, System.nanoTime() + bounded.toNanos());
	}

	boolean endless() {
		return this.endless;
	}

	long left() {
		return Math.max(0, this.until - System.nanoTime());
	}

}
