package io.sandbox4j.autoconfigure.metrics;

import java.util.Objects;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.gateway.SandboxGateway;

/**
 * Gauges of the gateway.
 *
 * @since 0.1.0
 */
public final class SandboxGatewayMetrics implements MeterBinder {

	private final SandboxGateway gateway;

	/**
	 * Creates the binder.
	 * @param gateway the gateway
	 */
	public SandboxGatewayMetrics(SandboxGateway gateway) {
		this.gateway = Objects.requireNonNull(gateway, "'gateway' must not be null");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("sandbox.gateway.active", this.gateway, (gateway) -> gateway.status().requests())
			.description("Requests of sandboxes that the gateway serves now")
			.baseUnit("requests")
			.register(registry);
		Gauge.builder("sandbox.gateway.upstream", this.gateway, (gateway) -> gateway.status().upstreamConnections())
			.description("Connections of the gateway to origins, idle ones included")
			.baseUnit("connections")
			.register(registry);
	}

}
