package io.sandbox4j.autoconfigure.metrics;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.SandboxException;
import io.sandbox4j.checkpoint.CheckpointEvent;
import io.sandbox4j.checkpoint.CheckpointListener;

/**
 * Times what is done with checkpoints, by how it ended. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxCheckpointMetrics implements CheckpointListener, MeterBinder {

	private final List<MeterProvider<Timer>> bound = new CopyOnWriteArrayList<>();

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bound.add(Timer.builder("sandbox.checkpoints")
			.description("Captures, restores and collections of checkpoints by how they ended")
			.withRegistry(registry));
	}

	@Override
	public void onEvent(CheckpointEvent event) {
		String what = event.action().name().toLowerCase(Locale.ROOT);
		this.bound.forEach((timer) -> timer.withTags("what", what, "outcome", outcome(event)).record(event.duration()));
	}

	private static String outcome(CheckpointEvent event) {
		if (!(event instanceof CheckpointEvent.Failed failed)) {
			return "success";
		}
		return (failed.failure() instanceof SandboxException known) ? known.code().name() : "error";
	}

}
