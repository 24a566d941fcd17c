package io.sandbox4j.lease;

import java.time.Duration;

import io.sandbox4j.lease.LeaseInfo.Phase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for leases whose time is over, or that nobody uses.
 */
final class LeaseSweeper {

	private static final Logger logger = LoggerFactory.getLogger(LeaseSweeper.class);

	private final LeaseTable table;

	private final LeaseEnding ending;

	private final LeaseCounters counters;

	private final @Nullable Duration reclaimAfter;

	LeaseSweeper(LeaseTable table, LeaseEnding ending, LeaseCounters counters, @Nullable Duration reclaimAfter) {
		this.table = table;
		this.ending = ending;
		this.counters = counters;
		this.reclaimAfter = reclaimAfter;
	}

	void sweep() {
		try {
			this.ending.retryLeftovers();
			for (LeaseEntry entry : this.table.locked(this.table::all)) {
				Runnable action = this.table.locked(() -> action(entry));
				if (action != null) {
					action.run();
				}
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Idle and expired leases could not be looked for", ex);
		}
	}

	private @Nullable Runnable action(LeaseEntry entry) {
		long now = this.table.now();
		if (this.table.isClosed() || entry.transition != null || this.table.find(entry.key) != entry) {
			return null;
		}
		if (entry.isExpired(now)) {
			this.table.begin(entry, Phase.ENDING);
			return () -> this.ending.end(entry, this.counters.expired);
		}
		return switch (entry.phase) {
			case LIVE -> idle(entry, now) ? stop(entry, true) : null;
			case STUCK -> stop(entry, false);
			case IDLE, RECOVERED -> reclaim(entry, now);
			default -> null;
		};
	}

	private boolean idle(LeaseEntry entry, long now) {
		LeaseSpec spec = entry.spec;
		if (!entry.isUnused() || spec == null || spec.idleTimeout() == null) {
			return false;
		}
		if (entry.runsCommands()) {
			entry.idleSince = now;
			return false;
		}
		return now - entry.idleSince >= spec.idleTimeout().toNanos();
	}

	private Runnable stop(LeaseEntry entry, boolean first) {
		this.table.begin(entry, Phase.STOPPING);
		return () -> this.ending.stop(entry, first);
	}

	private @Nullable Runnable reclaim(LeaseEntry entry, long now) {
		if (this.reclaimAfter == null || now - entry.idleSince < this.reclaimAfter.toNanos()) {
			return null;
		}
		this.table.begin(entry, Phase.ENDING);
		return () -> this.ending.end(entry, this.counters.reclaimed);
	}

}
