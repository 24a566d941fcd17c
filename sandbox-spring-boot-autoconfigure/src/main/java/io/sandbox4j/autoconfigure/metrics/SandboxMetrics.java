package io.sandbox4j.autoconfigure.metrics;

import java.util.Objects;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.SandboxBackend;

/**
 * Gauges of the sandboxes that run.
 *
 * @since 0.1.0
 */
public final class SandboxMetrics implements MeterBinder {

	private final SandboxBackend backend;

	/**
	 * Creates the binder.
	 * @param backend the backend
	 */
	public SandboxMetrics(SandboxBackend backend) {
		this.backend = Objects.requireNonNull(backend, "'backend' must not be null");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("sandbox.sessions.active", this.backend, (backend) -> backend.handles().size())
			.description("Sessions that this application owns")
			.baseUnit("sessions")
			.register(registry);
		admission(registry, "active", "Commands that hold a slot", AdmissionStatus::active);
		admission(registry, "limit", "Commands that may hold a slot at once", AdmissionStatus::limit);
		admission(registry, "rejected", "Commands refused by the running sandboxes because every slot was taken",
				AdmissionStatus::rejected);
		admission(registry, "unproven", "Commands whose processes could not be proven gone, so that they keep a slot",
				AdmissionStatus::unproven);
	}

	private void admission(MeterRegistry registry, String name, String description,
			ToLongFunction<AdmissionStatus> value) {
		Gauge.builder("sandbox.admission." + name, this.backend, (backend) -> sum(backend, value))
			.description(description)
			.baseUnit("commands")
			.register(registry);
	}

	private static long sum(SandboxBackend backend, ToLongFunction<AdmissionStatus> value) {
		return backend.handles().stream().mapToLong((handle) -> value.applyAsLong(handle.session().admission())).sum();
	}

}
