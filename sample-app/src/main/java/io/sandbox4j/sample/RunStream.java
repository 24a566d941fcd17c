package io.sandbox4j.sample;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunSubscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends the events of one run to one client: first those of the ledger, then each new one
 * as it comes. The id of each is its number in the ledger, so a client that comes again
 * with the last one it saw misses nothing.
 */
final class RunStream {

	private static final Logger logger = LoggerFactory.getLogger(RunStream.class);

	// Further ones wait in the ledger for a client that is slow.
	private static final int AHEAD = 100;

	private final DurableSandbox sandbox;

	private final RunStore store;

	private final String run;

	private final long after;

	private final Duration heartbeat;

	private final BlockingQueue<RunEvent> events = new ArrayBlockingQueue<>(AHEAD);

	private final SseEmitter emitter = new SseEmitter(0L);

	private final Thread thread;

	RunStream(DurableSandbox sandbox, RunStore store, String run, long after, Duration heartbeat,
			Consumer<RunStream> ended) {
		this.sandbox = sandbox;
		this.store = store;
		this.run = run;
		this.after = after;
		this.heartbeat = heartbeat;
		this.thread = new Thread(() -> {
			try {
				send();
			}
			finally {
				ended.accept(this);
			}
		}, "sample-run-stream");
		this.thread.setDaemon(true);
	}

	SseEmitter emitter() {
		return this.emitter;
	}

	void start() {
		this.thread.start();
	}

	void end() {
		this.thread.interrupt();
	}

	private void send() {
		try {
			RunSubscription subscription = this.sandbox.subscribe(this.after, this::take);
			try (subscription) {
				sendUntilClosed();
			}
			this.emitter.complete();
		}
		catch (IOException ex) {
			// The container has noticed, and ends the request.
			logger.debug("The client of a stream is gone", ex);
		}
		catch (InterruptedException ex) {
			logger.debug("A stream ends with the application");
			this.emitter.complete();
		}
		catch (RuntimeException ex) {
			this.emitter.completeWithError(ex);
		}
	}

	private void take(RunEvent event) {
		try {
			this.events.put(event);
		}
		catch (InterruptedException ex) {
			// The subscription is closed.
			Thread.currentThread().interrupt();
		}
	}

	private void sendUntilClosed() throws IOException, InterruptedException {
		beat();
		long seen = this.after;
		long last = last();
		while (seen < last) {
			RunEvent event = this.events.poll(this.heartbeat.toNanos(), TimeUnit.NANOSECONDS);
			if (event == null) {
				beat();
				continue;
			}
			if (event.run().equals(this.run)) {
				send(event);
			}
			seen = event.sequence();
			if (last == Long.MAX_VALUE) {
				last = last();
			}
		}
	}

	/**
	 * Returns the number of the event behind which there is none of the run.
	 * @return the number, the greatest there is while the run is not closed
	 */
	private long last() {
		return this.store.read((view) -> {
			RunRecord record = view.run(this.sandbox.key(), this.run);
			boolean open = record != null && (!record.stopped() || view.hasUnsettled(this.sandbox.key(), this.run));
			return open ? Long.MAX_VALUE : view.lastEvent(this.sandbox.key());
		});
	}

	// It fails if the client is gone.
	private void beat() throws IOException {
		this.emitter.send(SseEmitter.event().comment("beat"));
	}

	private void send(RunEvent event) throws IOException {
		this.emitter.send(SseEmitter.event()
			.id(Long.toString(event.sequence()))
			.name(event.kind())
			.data(new EventView(event.at(), event.operation(), event.content())));
	}

	/**
	 * Shows an event.
	 *
	 * @param at when it happened
	 * @param operation the operation that it is about, empty if it is about the run
	 * @param content what is to be told of it: the id of a message, or how an operation
	 * was settled
	 */
	record EventView(Instant at, String operation, String content) {

	}

}
