package io.sandbox4j.test.race;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The barriers and the trace of one race. Close it, or call {@link #releaseAll()}, at the
 * end of the test: no thread waits at a barrier any longer then. Thread-safe.
 *
 * <pre class="code">
 * try (RaceDriver race = new RaceDriver()) {
 *     store.beforeCommit(() -&gt; {
 *         race.barrier("commit").await();
 *         race.trace().record("committed");
 *     });
 *     Future&lt;?&gt; write = executor.submit(store::write);
 *     race.barrier("commit").awaitReached();
 *     race.trace().record("deleted");
 *     race.barrier("commit").release();
 *     write.get();
 *     race.trace().assertSequence("deleted", "committed");
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class RaceDriver implements AutoCloseable {

	private final Map<String, RaceBarrier> barriers = new ConcurrentHashMap<>();

	private final RaceTrace trace = new RaceTrace();

	private final Duration timeout;

	private volatile boolean closed;

	/**
	 * Creates a driver whose barriers wait for 5 seconds at most.
	 */
	public RaceDriver() {
		this(RaceBarrier.TIMEOUT);
	}

	/**
	 * Creates a driver.
	 * @param timeout how long each wait at a barrier may take
	 * @throws IllegalArgumentException if it is not positive
	 */
	public RaceDriver(Duration timeout) {
		this.timeout = RaceBarrier.positive(timeout);
	}

	/**
	 * Returns the trace.
	 * @return the same trace at every call
	 */
	public RaceTrace trace() {
		return this.trace;
	}

	/**
	 * Returns a barrier. Whoever asks first makes it.
	 * @param name its name, which its failures tell, with the trace
	 * @return the same barrier at every call with this name
	 */
	public RaceBarrier barrier(String name) {
		Objects.requireNonNull(name, "'name' must not be null");
		RaceBarrier barrier = this.barriers.computeIfAbsent(name,
				(key) -> new RaceBarrier(key, this.timeout, this.trace::toString));
		if (this.closed) {
			barrier.release();
		}
		return barrier;
	}

	/**
	 * Releases every barrier that there is.
	 */
	public void releaseAll() {
		this.barriers.values().forEach(RaceBarrier::release);
	}

	/**
	 * Releases every barrier, also those that are asked for from now on.
	 */
	@Override
	public void close() {
		this.closed = true;
		releaseAll();
	}

}
