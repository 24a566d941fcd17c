package io.sandbox4j.test.race;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A place where the code under test stops until the test lets it go on. States: CLOSED,
 * and once released OPEN for ever; nobody stops at an open barrier. Every wait has a
 * bound, so a test that goes wrong fails and does not hang. Thread-safe.
 *
 * <pre class="code">
 * RaceBarrier beforeCommit = new RaceBarrier();
 * store.beforeCommit(beforeCommit::await);
 * Future&lt;?&gt; write = executor.submit(store::write);
 * beforeCommit.awaitReached();
 * store.delete();
 * beforeCommit.release();
 * </pre>
 *
 * @since 0.1.0
 */
public final class RaceBarrier {

	static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final CountDownLatch reached = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final String name;

	private final Duration timeout;

	private final Supplier<String> trace;

	/**
	 * Creates a barrier whose waits take 5 seconds at most.
	 */
	public RaceBarrier() {
		this(TIMEOUT);
	}

	/**
	 * Creates a barrier.
	 * @param timeout how long each wait may take
	 * @throws IllegalArgumentException if it is not positive
	 */
	public RaceBarrier(Duration timeout) {
		this("barrier", timeout, () -> "");
	}

	RaceBarrier(String name, Duration timeout, Supplier<String> trace) {
		this.name = name;
		this.timeout = positive(timeout);
		this.trace = trace;
	}

	static Duration positive(Duration timeout) {
		Objects.requireNonNull(timeout, "'timeout' must not be null");
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("'timeout' must be positive");
		}
		return timeout;
	}

	/**
	 * Stops here until the barrier is released. For the code under test.
	 * @throws AssertionError if it was not released in time, or if the thread was
	 * interrupted; its flag is set again then
	 */
	public void await() {
		this.reached.countDown();
		await(this.released, "released");
	}

	/**
	 * Waits until somebody stands at the barrier, or has passed it. For the test.
	 * @throws AssertionError if nobody came in time, or if the thread was interrupted;
	 * its flag is set again then
	 */
	public void awaitReached() {
		await(this.reached, "reached");
	}

	private void await(CountDownLatch latch, String what) {
		boolean done;
		try {
			done = latch.await(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(message("the thread was interrupted before it was " + what), ex);
		}
		if (!done) {
			throw new AssertionError(message("it was not " + what + " within " + this.timeout.toMillis() + " ms"));
		}
	}

	private String message(String problem) {
		return ("Barrier '" + this.name + "': " + problem + ". " + this.trace.get()).strip();
	}

	/**
	 * Tells whether somebody came to the barrier.
	 * @return whether it was reached
	 */
	public boolean reached() {
		return this.reached.getCount() == 0;
	}

	/**
	 * Lets everybody pass, those who wait and those who come. May be called often.
	 */
	public void release() {
		this.released.countDown();
	}

}
