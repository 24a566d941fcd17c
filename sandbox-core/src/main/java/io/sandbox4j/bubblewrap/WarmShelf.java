package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A session's warm sandboxes. A sandbox is built under the options of its moment: what
 * waits, or is being built, when these change is given up. Guarded by the pool's lock.
 */
final class WarmShelf {

	private static final Duration SOON = Duration.ofSeconds(1);

	private final WarmPool pool;

	private final Supplier<GuestProcess> start;

	private final Deque<Waiting> ready = new ArrayDeque<>();

	// Whatever was started here, was not taken and is not gone.
	private final Set<GuestProcess> owned = new HashSet<>();

	private @Nullable Build build;

	private int wanted;

	private long usedAt;

	private boolean closed;

	/**
	 * Creates a shelf.
	 * @param pool the backend's
	 * @param start starts to build a sandbox of the session
	 */
	WarmShelf(WarmPool pool, Supplier<GuestProcess> start) {
		this.pool = pool;
		this.start = start;
	}

	/**
	 * Begins to fill, if the settings want that before the first command.
	 */
	void open() {
		if (this.pool.settings().early() && this.pool.settings().perSession() > 0) {
			use();
			this.pool.refill(this);
		}
	}

	/**
	 * Takes a sandbox that waits, or the one that is being built right now.
	 * @return the sandbox, to be handed a command, or {@code null} if there is none
	 */
	@Nullable GuestProcess take() {
		if (this.pool.settings().perSession() == 0) {
			return null;
		}
		GuestProcess taken;
		Build claimed;
		this.pool.lock.lock();
		try {
			boolean soon = System.nanoTime() - this.usedAt < SOON.toNanos() && this.wanted > 0;
			use();
			taken = poll();
			claimed = (taken != null) ? null : claim();
			if (taken == null && soon) {
				// Commands come faster than what waits for them.
				this.wanted = Math.min(this.wanted + 1, this.pool.settings().maxPerSession());
			}
		}
		finally {
			this.pool.lock.unlock();
		}
		if (claimed != null) {
			taken = claimed.done.join();
		}
		count(taken != null);
		this.pool.refill(this);
		return taken;
	}

	/**
	 * Keeps the session's sandboxes for a while, as for one that just ran a command.
	 */
	void use() {
		this.pool.lock.lock();
		try {
			if (!this.closed) {
				this.usedAt = System.nanoTime();
				this.wanted = Math.max(this.wanted, this.pool.settings().perSession());
				this.pool.touch(this);
			}
		}
		finally {
			this.pool.lock.unlock();
		}
	}

	private void count(boolean hit) {
		this.pool.lock.lock();
		try {
			this.pool.count(hit);
		}
		finally {
			this.pool.lock.unlock();
		}
	}

	private @Nullable GuestProcess poll() {
		for (Waiting oldest = this.ready.poll(); oldest != null; oldest = this.ready.poll()) {
			if (oldest.sandbox.isAlive() && !isTooOld(oldest, System.nanoTime())) {
				this.owned.remove(oldest.sandbox);
				return oldest.sandbox;
			}
			oldest.sandbox.kill();
		}
		return null;
	}

	private @Nullable Build claim() {
		Build current = this.build;
		if (current == null || current.claimed || current.outdated) {
			return null;
		}
		current.claimed = true;
		return current;
	}

	// With the lock held.
	int ready() {
		return this.ready.size();
	}

	// With the lock held.
	boolean isWanting() {
		return !this.closed && this.build == null && this.ready.size() < this.wanted;
	}

	// With the lock held, once isWanting said so: build follows.
	void begin() {
		this.build = new Build();
	}

	/**
	 * Builds one. Waits until it is built.
	 * @return whether it was
	 */
	boolean build() {
		GuestProcess sandbox = null;
		boolean built = false;
		try {
			sandbox = this.start.get();
			own(sandbox);
			built = sandbox.awaitBuilt();
			return built;
		}
		finally {
			finish(built ? sandbox : null);
		}
	}

	private void own(GuestProcess sandbox) {
		this.pool.lock.lock();
		try {
			this.owned.add(sandbox);
			Build current = this.build;
			if (this.closed || (current != null && current.outdated)) {
				sandbox.kill();
			}
		}
		finally {
			this.pool.lock.unlock();
		}
		sandbox.settled().thenRun(() -> disown(sandbox));
	}

	private void disown(GuestProcess sandbox) {
		this.pool.lock.lock();
		try {
			this.owned.remove(sandbox);
			this.ready.removeIf((waiting) -> waiting.sandbox == sandbox);
			this.pool.changed.signalAll();
		}
		finally {
			this.pool.lock.unlock();
		}
	}

	private void finish(@Nullable GuestProcess sandbox) {
		Build current;
		GuestProcess given = sandbox;
		this.pool.lock.lock();
		try {
			current = this.build;
			this.build = null;
			if (given != null && (this.closed || current == null || current.outdated)) {
				given.kill();
				given = null;
			}
			if (given != null && current != null) {
				if (current.claimed) {
					this.owned.remove(given);
				}
				else {
					this.ready.add(new Waiting(given, System.nanoTime()));
				}
			}
			this.pool.changed.signalAll();
		}
		finally {
			this.pool.lock.unlock();
		}
		if (current != null) {
			current.done.complete(given);
		}
	}

	/**
	 * Gives up what was built under options that hold no more, and builds anew.
	 */
	void renew() {
		retire();
		this.pool.refill(this);
	}

	/**
	 * Gives up what waits or is being built.
	 */
	void retire() {
		this.pool.lock.lock();
		try {
			Build current = this.build;
			if (current != null) {
				current.outdated = true;
			}
			this.ready.clear();
			List.copyOf(this.owned).forEach(GuestProcess::kill);
		}
		finally {
			this.pool.lock.unlock();
		}
	}

	// With the lock held. At the end of time everything is old.
	void retireOld(long now) {
		Duration idle = this.pool.settings().idle();
		boolean all = now == Long.MAX_VALUE || now - this.usedAt > idle.toNanos();
		this.ready.removeIf((waiting) -> {
			boolean old = all || isTooOld(waiting, now);
			if (old) {
				waiting.sandbox.kill();
			}
			return old;
		});
		this.wanted = all ? 0 : Math.max(this.pool.settings().perSession(), this.wanted - 1);
	}

	// With the lock held.
	boolean giveUpOne() {
		Waiting oldest = this.ready.poll();
		if (oldest != null) {
			oldest.sandbox.kill();
		}
		return oldest != null;
	}

	private boolean isTooOld(Waiting waiting, long now) {
		return now - waiting.builtAt > this.pool.settings().maxAge().toNanos();
	}

	/**
	 * Gives up everything and builds nothing any more.
	 * @param bound how long to wait for the processes
	 * @return whether they are known to be gone
	 */
	boolean close(Duration bound) {
		long nanos = bound.toNanos();
		boolean interrupted = false;
		this.pool.lock.lock();
		try {
			this.closed = true;
			this.pool.forget(this);
			retire();
			while ((this.build != null || !this.owned.isEmpty()) && nanos > 0) {
				try {
					nanos = this.pool.changed.awaitNanos(nanos);
				}
				catch (InterruptedException ex) {
					// Stopping goes on: a half-stopped sandbox would keep its lease.
					interrupted = true;
				}
			}
			return this.build == null && this.owned.isEmpty();
		}
		finally {
			this.pool.lock.unlock();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * One that is being built.
	 */
	private static final class Build {

		private final CompletableFuture<@Nullable GuestProcess> done = new CompletableFuture<>();

		private boolean claimed;

		private boolean outdated;

	}

	private record Waiting(GuestProcess sandbox, long builtAt) {

	}

}
