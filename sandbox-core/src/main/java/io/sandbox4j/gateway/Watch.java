package io.sandbox4j.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Looks at every connection ten times a second, on one thread, as long as there is one:
 * blocking streams know no deadline for a write, none for a sum of reads, and do not see
 * that the other side has left.
 */
final class Watch implements Runnable, AutoCloseable {

	private static final long TICK_MILLIS = 100;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final BooleanSupplier needed;

	private final LongConsumer tick;

	private boolean closed;

	/**
	 * Creates a watch, and starts it.
	 * @param needed whether there is something to look at
	 * @param tick looks at it, given the time in nanoseconds
	 */
	Watch(BooleanSupplier needed, LongConsumer tick) {
		this.needed = needed;
		this.tick = tick;
		Thread thread = new Thread(this, "sandbox-gateway-watch");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Says that there may be something to look at.
	 */
	void wake() {
		this.lock.lock();
		try {
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void run() {
		while (await()) {
			this.tick.accept(System.nanoTime());
		}
	}

	// Returns whether to go on.
	private boolean await() {
		this.lock.lock();
		try {
			if (!this.closed && this.needed.getAsBoolean()) {
				this.changed.await(TICK_MILLIS, TimeUnit.MILLISECONDS);
			}
			while (!this.closed && !this.needed.getAsBoolean()) {
				this.changed.await();
			}
			return !this.closed;
		}
		catch (InterruptedException ex) {
			return false;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

}
