package io.sandbox4j.autoconfigure.metrics;

import java.util.Objects;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.lease.LeaseStatus;
import io.sandbox4j.lease.SandboxLeases;

/**
 * Meters of leases.
 *
 * @since 0.1.0
 */
public final class SandboxLeaseMetrics implements MeterBinder {

	private static final String PREFIX = "sandbox.leases.";

	private final SandboxLeases leases;

	/**
	 * Creates the binder.
	 * @param leases the leases
	 */
	public SandboxLeaseMetrics(SandboxLeases leases) {
		this.leases = Objects.requireNonNull(leases, "'leases' must not be null");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, "active", "leases", "Leases whose sandbox runs, starts or ends", LeaseStatus::active);
		gauge(registry, "limit", "leases", "Leases whose sandbox may run at once", LeaseStatus::maxActive);
		gauge(registry, "idle", "leases", "Leases whose sandbox is stopped", LeaseStatus::idle);
		gauge(registry, "waiting", "callers", "Callers that wait for a place", LeaseStatus::waiting);
		counter(registry, "acquired", "how", "created", "Sandboxes that leases made or attached to",
				LeaseStatus::created);
		counter(registry, "acquired", "how", "attached", "Sandboxes that leases made or attached to",
				LeaseStatus::attached);
		counter(registry, "stopped", "Sandboxes that were stopped because nobody used their lease",
				LeaseStatus::stopped);
		counter(registry, "ended", "Leases that ended, for whatever reason", LeaseStatus::ended);
		counter(registry, "expired", "Leases that ended because their time was over", LeaseStatus::expired);
		counter(registry, "reclaimed", "Leases that ended because nobody used them", LeaseStatus::reclaimed);
		counter(registry, "recovered", "Leases of an earlier process, found at the start", LeaseStatus::recovered);
		counter(registry, "rejected", "Callers refused because no place was free", LeaseStatus::rejected);
		counter(registry, "failures", "where", "teardown", "Steps of ends that failed, and hooks that threw",
				LeaseStatus::teardownFailures);
		counter(registry, "failures", "where", "hook", "Steps of ends that failed, and hooks that threw",
				LeaseStatus::hookFailures);
	}

	private void gauge(MeterRegistry registry, String name, String unit, String description,
			ToDoubleFunction<LeaseStatus> value) {
		Gauge.builder(PREFIX + name, this.leases, (leases) -> value.applyAsDouble(leases.status()))
			.description(description)
			.baseUnit(unit)
			.register(registry);
	}

	private void counter(MeterRegistry registry, String name, String description, ToDoubleFunction<LeaseStatus> value) {
		builder(name, description, value).register(registry);
	}

	private void counter(MeterRegistry registry, String name, String tag, String tagValue, String description,
			ToDoubleFunction<LeaseStatus> value) {
		builder(name, description, value).tag(tag, tagValue).register(registry);
	}

	private FunctionCounter.Builder<SandboxLeases> builder(String name, String description,
			ToDoubleFunction<LeaseStatus> value) {
		return FunctionCounter.builder(PREFIX + name, this.leases, (leases) -> value.applyAsDouble(leases.status()))
			.description(description)
			.baseUnit("leases");
	}

}
