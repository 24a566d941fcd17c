package io.sandbox4j.sample;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The durable runs by the key of their sandbox, and the streams of their events.
 */
@Component
class DurableRuns {

	private final SandboxRuns runs;

	private final RunStore store;

	private final Duration heartbeat;

	private final Set<RunStream> streams = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	/**
	 * Creates the runs.
	 * @param runs makes and keeps them
	 * @param store holds their records
	 * @param heartbeat after which time without an event a stream shows that it lives
	 */
	DurableRuns(SandboxRuns runs, RunStore store, @Value("${sample.heartbeat:15s}") Duration heartbeat) {
		this.runs = runs;
		this.store = store;
		this.heartbeat = heartbeat;
	}

	DurableSandbox sandbox(String key) {
		return this.runs.sandbox(key);
	}

	RunRecord run(String key, String run) {
		RunRecord record = this.store.<@Nullable RunRecord>read((view) -> view.run(key, run));
		if (record == null) {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
					"There is no run '" + run + "' in the durable sandbox '" + key + "'. Make it first.");
		}
		return record;
	}

	/**
	 * Streams the events of a run until it is closed or the client goes.
	 * @param key the key of its sandbox
	 * @param run the run
	 * @param after only events with a greater number; 0 for all that ever were
	 * @return the stream
	 */
	SseEmitter events(String key, String run, long after) {
		run(key, run);
		if (after < 0 || after > this.store.read((view) -> view.lastEvent(key))) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'Last-Event-ID' must be the number of an event of this sandbox.");
		}
		RunStream stream = new RunStream(sandbox(key), this.store, run, after, this.heartbeat, this.streams::remove);
		this.streams.add(stream);
		stream.start();
		if (this.closed) {
			stream.end();
		}
		return stream.emitter();
	}

	// A graceful shutdown waits for requests, and these would not end by themselves.
	@EventListener(ContextClosedEvent.class)
	void end() {
		this.closed = true;
		this.streams.forEach(RunStream::end);
	}

}
