package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm sandboxes of a backend: it builds one at a time, off everybody's path, and
 * holds all sessions to their bounds. One lock guards it and its shelves; nothing waits
 * for a process with it. Thread-safe.
 */
final class WarmPool implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WarmPool.class);

	// A session that runs one short command and is stopped needs none; an agent thinks
	// longer.
	private static final Duration DELAY = Duration.ofMillis(10);

	private static final Duration LONGEST_SWEEP = Duration.ofSeconds(15);

	final ReentrantLock lock = new ReentrantLock();

	final Condition changed = this.lock.newCondition();

	private final WarmSettings settings;

	private final Executor executor;

	private final ScheduledExecutorService timer;

	private final BooleanSupplier memoryShort;

	// Least recently used first.
	private final Set<WarmShelf> shelves = new LinkedHashSet<>();

	private final Set<WarmShelf> queue = new LinkedHashSet<>();

	private boolean building;

	private boolean sweeping;

	private boolean closed;

	private long hits;

	private long misses;

	private long builds;

	private long buildNanos;

	WarmPool(WarmSettings settings, Executor executor, ScheduledExecutorService timer, BooleanSupplier memoryShort) {
		this.settings = settings;
		this.executor = executor;
		this.timer = timer;
		this.memoryShort = memoryShort;
	}

	WarmSettings settings() {
		return this.settings;
	}

	/**
	 * Makes a session's shelf.
	 * @param start starts to build one of the session's sandboxes
	 * @return the shelf, to be closed
	 */
	WarmShelf shelf(Supplier<GuestProcess> start) {
		return new WarmShelf(this, start);
	}

	WarmStatus status() {
		this.lock.lock();
		try {
			return new WarmStatus(ready(), this.settings.total(), this.hits, this.misses, this.builds,
					Duration.ofNanos(this.buildNanos));
		}
		finally {
			this.lock.unlock();
		}
	}

	private int ready() {
		return this.shelves.stream().mapToInt(WarmShelf::ready).sum();
	}

	// With the lock held.
	void count(boolean hit) {
		if (hit) {
			this.hits++;
		}
		else {
			this.misses++;
		}
	}

	// With the lock held. Makes it the most recently used.
	void touch(WarmShelf shelf) {
		this.shelves.remove(shelf);
		this.shelves.add(shelf);
	}

	// With the lock held.
	void forget(WarmShelf shelf) {
		this.shelves.remove(shelf);
		this.queue.remove(shelf);
	}

	/**
	 * Sees to it that a shelf is filled again.
	 * @param shelf the shelf, one of which was taken
	 */
	void refill(WarmShelf shelf) {
		if (this.settings.early()) {
			request(shelf);
			return;
		}
		try {
			this.timer.schedule(() -> request(shelf), DELAY.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The backend is closed, nothing is built any more", ex);
		}
	}

	private void request(WarmShelf shelf) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			this.queue.add(shelf);
			if (!this.building) {
				this.building = true;
				this.executor.execute(this::buildQueued);
			}
		}
		catch (RejectedExecutionException ex) {
			this.building = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void buildQueued() {
		for (WarmShelf shelf = next(); shelf != null; shelf = next()) {
			long before = System.nanoTime();
			boolean built = false;
			try {
				built = shelf.build();
			}
			catch (RuntimeException ex) {
				// Commands build their own, and are told why that fails.
				logger.debug("A warm sandbox could not be built", ex);
			}
			built(shelf, built, System.nanoTime() - before);
		}
	}

	private @Nullable WarmShelf next() {
		boolean pressed = this.memoryShort.getAsBoolean();
		this.lock.lock();
		try {
			if (pressed) {
				this.queue.clear();
				retire(List.copyOf(this.shelves), Long.MAX_VALUE);
			}
			while (!this.queue.isEmpty() && !this.closed) {
				WarmShelf first = this.queue.iterator().next();
				this.queue.remove(first);
				if (first.isWanting() && hasRoomFor(first)) {
					first.begin();
					return first;
				}
			}
			this.building = false;
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	// The one that was used least recently gives way, unless that is the one that asks.
	private boolean hasRoomFor(WarmShelf asking) {
		if (ready() < this.settings.total()) {
			return true;
		}
		WarmShelf oldest = this.shelves.stream().filter((shelf) -> shelf.ready() > 0).findFirst().orElse(asking);
		return oldest != asking && oldest.giveUpOne();
	}

	private void built(WarmShelf shelf, boolean success, long nanos) {
		this.lock.lock();
		try {
			if (success) {
				this.builds++;
				this.buildNanos += nanos;
				if (shelf.isWanting()) {
					this.queue.add(shelf);
				}
				sweepLater();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	// Nothing wakes up while nothing waits.
	private void sweepLater() {
		if (!this.sweeping && !this.closed) {
			long quarter = Math.min(this.settings.idle().toMillis(), this.settings.maxAge().toMillis()) / 4;
			long rest = Math.max(1, Math.min(quarter, LONGEST_SWEEP.toMillis()));
			try {
				this.timer.schedule(() -> this.executor.execute(this::sweep), rest, TimeUnit.MILLISECONDS);
				this.sweeping = true;
			}
			catch (RejectedExecutionException ex) {
				logger.debug("The backend is closed, nothing waits any more", ex);
			}
		}
	}

	private void sweep() {
		boolean pressed = this.memoryShort.getAsBoolean();
		this.lock.lock();
		try {
			this.sweeping = false;
			retire(List.copyOf(this.shelves), pressed ? Long.MAX_VALUE : System.nanoTime());
			if (this.shelves.stream().anyMatch((shelf) -> shelf.ready() > 0)) {
				sweepLater();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private static void retire(List<WarmShelf> shelves, long now) {
		shelves.forEach((shelf) -> shelf.retireOld(now));
	}

	/**
	 * Gives up every warm sandbox, and builds none any more.
	 */
	@Override
	public void close() {
		List<WarmShelf> all;
		this.lock.lock();
		try {
			this.closed = true;
			this.queue.clear();
			all = new ArrayList<>(this.shelves);
		}
		finally {
			this.lock.unlock();
		}
		all.forEach(WarmShelf::retire);
	}

}
