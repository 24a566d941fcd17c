package io.sandbox4j.autoconfigure.metrics;

import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.run.RunStatus;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.UnansweredReason;

/**
 * Meters of durable runs.
 *
 * @since 0.1.0
 */
public final class SandboxRunsMetrics implements MeterBinder {

	private static final String PREFIX = "sandbox.runs.";

	private final SandboxRuns runs;

	/**
	 * Creates the binder.
	 * @param runs the durable runs
	 */
	public SandboxRunsMetrics(SandboxRuns runs) {
		this.runs = Objects.requireNonNull(runs, "'runs' must not be null");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, "active", "turns", "Turns that run", RunStatus::turns);
		gauge(registry, "limit", "turns", "Turns that may run at once", RunStatus::maxTurns);
		gauge(registry, "sandboxes", "sandboxes", "Durable sandboxes that run", RunStatus::sandboxes);
		counter(registry, "done", RunStatus::done);
		for (UnansweredReason reason : UnansweredReason.values()) {
			counter(registry, reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
					(status) -> status.unanswered().get(reason));
		}
	}

	private void gauge(MeterRegistry registry, String name, String unit, String description,
			ToDoubleFunction<RunStatus> value) {
		Gauge.builder(PREFIX + name, this.runs, (runs) -> value.applyAsDouble(runs.status()))
			.description(description)
			.baseUnit(unit)
			.register(registry);
	}

	private void counter(MeterRegistry registry, String outcome, ToDoubleFunction<RunStatus> value) {
		FunctionCounter.builder(PREFIX + "settled", this.runs, (runs) -> value.applyAsDouble(runs.status()))
			.description("Turns that were settled")
			.tag("outcome", outcome)
			.baseUnit("turns")
			.register(registry);
	}

}
