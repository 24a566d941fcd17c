package io.sandbox4j.run;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the events of a sandbox to a listener until it is closed. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RunSubscription implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RunSubscription.class);

	// Another application's writes are not signalled here.
	private static final Duration LOOK = Duration.ofMillis(500);

	private static final int PAGE = 100;

	private final DurableSandbox sandbox;

	private final Consumer<RunEvent> listener;

	private final Thread thread;

	private long seen;

	private boolean away;

	private volatile boolean closed;

	private RunSubscription(DurableSandbox sandbox, Signals.Waiting waiting, long after, Consumer<RunEvent> listener) {
		this.sandbox = sandbox;
		this.seen = after;
		this.listener = listener;
		this.thread = new Thread(() -> follow(waiting), "sandbox-events");
		this.thread.setDaemon(true);
	}

	static RunSubscription start(DurableSandbox sandbox, Signals.Waiting waiting, long after,
			Consumer<RunEvent> listener) {
		RunSubscription subscription = new RunSubscription(sandbox, waiting, after, listener);
		subscription.thread.start();
		return subscription;
	}

	private void follow(Signals.Waiting waiting) {
		try (waiting) {
			while (!this.closed && !waiting.isOver()) {
				List<RunEvent> events = read();
				for (RunEvent event : events) {
					give(event);
				}
				if (events.size() < PAGE) {
					waiting.await(LOOK);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (SandboxException ex) {
			logger.debug("The store is closed", ex);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of the durable sandbox '{}' gets no more events", this.sandbox.key(), ex);
		}
	}

	// A store that cannot be reached for a time is read again, from the same event.
	private List<RunEvent> read() {
		try {
			List<RunEvent> events = this.sandbox.events(this.seen, PAGE);
			this.away = false;
			return events;
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_STOPPED) {
				throw ex;
			}
			if (!this.away && !this.closed) {
				logger.warn("The events of the durable sandbox '{}' cannot be read. It is tried again",
						this.sandbox.key(), ex);
			}
			this.away = true;
			return List.of();
		}
	}

	private synchronized void give(RunEvent event) {
		if (!this.closed) {
			this.listener.accept(event);
			this.seen = event.sequence();
		}
	}

	/**
	 * Ends the subscription. No event is given after it returns. Idempotent.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.thread.interrupt();
		synchronized (this) {
			// Waits for the event that is being given.
			this.closed = true;
		}
	}

}
