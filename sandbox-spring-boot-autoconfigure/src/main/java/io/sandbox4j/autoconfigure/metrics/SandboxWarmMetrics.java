package io.sandbox4j.autoconfigure.metrics;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.bubblewrap.BubblewrapBackend;

/**
 * Binds what the sandboxes that wait for a command do to a registry.
 *
 * @since 0.1.0
 */
public final class SandboxWarmMetrics implements MeterBinder {

	private final BubblewrapBackend backend;

	/**
	 * Creates the binder.
	 * @param backend the backend
	 */
	public SandboxWarmMetrics(BubblewrapBackend backend) {
		this.backend = Objects.requireNonNull(backend, "'backend' must not be null");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("sandbox.warm.ready", this.backend, (backend) -> backend.warmStatus().ready())
			.description("Sandboxes that wait for a command")
			.baseUnit("sandboxes")
			.register(registry);
		counter(registry, "hits", "Commands that found a sandbox waiting", (backend) -> backend.warmStatus().hits());
		counter(registry, "misses", "Commands that found none waiting", (backend) -> backend.warmStatus().misses());
		FunctionTimer
			.builder("sandbox.warm.builds", this.backend, (backend) -> backend.warmStatus().builds(),
					(backend) -> backend.warmStatus().buildTime().toNanos(), TimeUnit.NANOSECONDS)
			.description("Sandboxes that were built before their command came, and how long that took")
			.register(registry);
	}

	private void counter(MeterRegistry registry, String name, String description,
			ToDoubleFunction<BubblewrapBackend> value) {
		FunctionCounter.builder("sandbox.warm." + name, this.backend, value)
			.description(description)
			.baseUnit("commands")
			.register(registry);
	}

}
