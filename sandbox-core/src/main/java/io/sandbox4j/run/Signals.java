package io.sandbox4j.run;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes those that wait for a change of a sandbox's records in this application. What
 * other applications write they look for themselves.
 */
final class Signals {

	private final Map<String, Signal> signals = new ConcurrentHashMap<>();

	private volatile boolean closed;

	void changed(String sandbox) {
		Signal signal = this.signals.get(sandbox);
		if (signal != null) {
			signal.raise();
		}
	}

	/**
	 * Ends all waiting, now and later.
	 */
	void close() {
		this.closed = true;
		this.signals.values().forEach(Signal::raise);
	}

	/**
	 * Takes part in the waiting for a sandbox. What changes from now on wakes it.
	 * @param sandbox the sandbox's key
	 * @return to wait with, and to be closed
	 */
	Waiting await(String sandbox) {
		return new Waiting(this.signals.compute(sandbox, (key, known) -> {
			Signal signal = (known != null) ? known : new Signal();
			signal.users++;
			return signal;
		}), sandbox);
	}

	private void leave(String sandbox) {
		this.signals.compute(sandbox, (key, signal) -> (signal == null || --signal.users == 0) ? null : signal);
	}

	/**
	 * One that waits.
	 */
	final class Waiting implements AutoCloseable {

		private final Signal signal;

		private final String sandbox;

		private long seen;

		Waiting(Signal signal, String sandbox) {
			this.signal = signal;
			this.sandbox = sandbox;
			this.seen = signal.count();
		}

		/**
		 * Whether there is nothing to wait for any more.
		 * @return {@code true} when the application ends
		 */
		boolean isOver() {
			return Signals.this.closed;
		}

		/**
		 * Waits for a change since the last call.
		 * @param patience how long at most
		 * @throws InterruptedException if the thread is interrupted
		 */
		void await(Duration patience) throws InterruptedException {
			this.seen = this.signal.await(this.seen, patience);
		}

		@Override
		public void close() {
			leave(this.sandbox);
		}

	}

	/**
	 * Counts changes.
	 */
	private static final class Signal {

		private int users;

		private long count;

		synchronized void raise() {
			this.count++;
			notifyAll();
		}

		synchronized long count() {
			return this.count;
		}

		synchronized long await(long seen, Duration patience) throws InterruptedException {
			long end = System.nanoTime() + patience.toNanos();
			for (long left = patience.toNanos(); this.count == seen && left > 0; left = end - System.nanoTime()) {
				wait(Math.max(1, left / 1_000_000));
			}
			return this.count;
		}

	}

}
