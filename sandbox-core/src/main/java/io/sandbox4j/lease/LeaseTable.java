package io.sandbox4j.lease;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.jspecify.annotations.Nullable;

/**
 * All leases and the one lock that guards them, which nobody holds while anything is
 * made, stopped or deleted.
 */
final class LeaseTable {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<LeaseKey, LeaseEntry> entries = new HashMap<>();

	private final LeaseQueue queue;

	private final LongSupplier ticker;

	private boolean closed;

	LeaseTable(LeasePlaces places, int maxWaiting, LongSupplier ticker) {
		this.queue = new LeaseQueue(this.lock, places, maxWaiting);
		this.ticker = ticker;
	}

	static SandboxException closedFailure() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED, "The application ends; there are no leases any more.");
	}

	<T extends @Nullable Object> T locked(Supplier<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	void locked(Runnable work) {
		this.lock.lock();
		try {
			work.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	// For a caller that holds the lock and does something long.
	void unlocked(Runnable work) {
		this.lock.unlock();
		try {
			work.run();
		}
		finally {
			this.lock.lock();
		}
	}

	long now() {
		return this.ticker.getAsLong();
	}

	LeaseQueue queue() {
		return this.queue;
	}

	void ensureOpen() {
		if (this.closed) {
			throw closedFailure();
		}
	}

	boolean isClosed() {
		return this.closed;
	}

	boolean close() {
		boolean first = !this.closed;
		this.closed = true;
		this.queue.close();
		return first;
	}

	@Nullable LeaseEntry find(LeaseKey key) {
		return this.entries.get(key);
	}

	List<LeaseEntry> all() {
		return List.copyOf(this.entries.values());
	}

	void add(LeaseEntry entry) {
		this.entries.put(entry.key, entry);
	}

	void begin(LeaseEntry entry, Phase phase) {
		entry.phase = phase;
		entry.transition = new Transition();
		this.queue.drop(entry.key);
	}

	void finish(LeaseEntry entry, Phase phase) {
		entry.phase = phase;
		Transition transition = entry.transition;
		entry.transition = null;
		if (transition != null) {
			transition.succeed();
		}
	}

	void fail(LeaseEntry entry, Phase phase, Throwable failure) {
		entry.phase = phase;
		Transition transition = entry.transition;
		entry.transition = null;
		if (transition != null) {
			transition.fail(failure);
		}
	}

	void remove(LeaseEntry entry) {
		this.entries.remove(entry.key, entry);
		releasePlace(entry);
	}

	void releasePlace(LeaseEntry entry) {
		if (entry.place) {
			entry.place = false;
			this.queue.release();
		}
	}

	@Nullable LeaseEntry longestIdle() {
		return this.entries.values()
			.stream()
			.filter((entry) -> entry.isUnused() && !entry.runsCommands())
			.min(Comparator.comparingLong((entry) -> entry.idleSince - now()))
			.orElse(null);
	}

}
