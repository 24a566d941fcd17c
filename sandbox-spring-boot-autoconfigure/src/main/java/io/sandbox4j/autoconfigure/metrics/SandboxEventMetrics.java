package io.sandbox4j.autoconfigure.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;

/**
 * Counts what happens in a backend. Thread-safe.
 * <p>
 * It asks for no registry, so that a backend can be built before there is one: events
 * that come earlier are kept, up to a bound, and counted in every registry that it is
 * bound to.
 *
 * @since 0.1.0
 */
public final class SandboxEventMetrics implements SandboxListener, MeterBinder {

	private static final int MAX_EARLY_EVENTS = 1024;

	private final Object lock = new Object();

	private final List<SandboxEvent> early = new ArrayList<>();

	private final List<Meters> bound = new CopyOnWriteArrayList<>();

	@Override
	public void bindTo(MeterRegistry registry) {
		Meters meters = new Meters(registry);
		synchronized (this.lock) {
			this.early.forEach(meters::count);
			this.bound.add(meters);
		}
	}

	@Override
	public void onEvent(SandboxEvent event) {
		if (this.bound.isEmpty() && keep(event)) {
			return;
		}
		this.bound.forEach((meters) -> meters.count(event));
	}

	private boolean keep(SandboxEvent event) {
		synchronized (this.lock) {
			if (!this.bound.isEmpty()) {
				return false;
			}
			if (this.early.size() < MAX_EARLY_EVENTS) {
				this.early.add(event);
			}
			return true;
		}
	}

	/**
	 * The meters of one registry.
	 */
	private static final class Meters {

		private final MeterProvider<Timer> commands;

		private final MeterProvider<Counter> refused;

		private final MeterProvider<Counter> files;

		private final MeterProvider<Timer> gatewayRequests;

		private final Counter gatewaySent;

		private final Counter gatewayReceived;

		private final Counter acquired;

		private final Counter recovered;

		Meters(MeterRegistry registry) {
			this.commands = Timer.builder("sandbox.commands")
				.description("Commands by how they ended, from admission to their result")
				.withRegistry(registry);
			this.refused = Counter.builder("sandbox.commands.refused")
				.description("Commands that were refused before anything of them ran")
				.baseUnit("commands")
				.withRegistry(registry);
			this.files = Counter.builder("sandbox.files.operations")
				.description("File operations of the host on workspaces")
				.baseUnit("operations")
				.withRegistry(registry);
			this.gatewayRequests = Timer.builder("sandbox.gateway.requests")
				.description("Requests of sandboxes to the gateway, from the head to the last byte of the answer")
				.withRegistry(registry);
			this.gatewaySent = gatewayBytes(registry, "request");
			this.gatewayReceived = gatewayBytes(registry, "response");
			this.acquired = Counter.builder("sandbox.sessions.acquired")
				.description("Sessions taken, new ones and existing ones")
				.baseUnit("sessions")
				.register(registry);
			this.recovered = Counter.builder("sandbox.sessions.recovered")
				.description("Sessions taken over from an owner that ended without releasing them")
				.baseUnit("sessions")
				.register(registry);
		}

		private static Counter gatewayBytes(MeterRegistry registry, String direction) {
			return Counter.builder("sandbox.gateway.bytes")
				.description("Bytes of bodies that the gateway passed on")
				.baseUnit("bytes")
				.tag("direction", direction)
				.register(registry);
		}

		void count(SandboxEvent event) {
			if (event instanceof SandboxEvent.CommandFinished finished) {
				this.commands
					.withTags("outcome", finished.status().name().toLowerCase(Locale.ROOT), "launch",
							finished.warm() ? "warm" : "cold")
					.record(finished.duration());
			}
			else if (event instanceof SandboxEvent.CommandRefused refusal) {
				this.refused.withTag("reason", refusal.code().name()).increment();
			}
			else if (event instanceof SandboxEvent.FileOperation file) {
				this.files.withTags("operation", file.operation(), "outcome", file.outcome()).increment();
			}
			else if (event instanceof SandboxEvent.GatewayRequest request) {
				String origin = (request.origin() != null) ? request.origin().toString() : "none";
				this.gatewayRequests.withTags("origin", origin, "outcome", request.reason()).record(request.duration());
				this.gatewaySent.increment(request.requestBytes());
				this.gatewayReceived.increment(request.responseBytes());
			}
			else if (event instanceof SandboxEvent.SessionCreated) {
				this.acquired.increment();
			}
			else if (event instanceof SandboxEvent.SessionAttached attached) {
				this.acquired.increment();
				if (attached.recovered()) {
					this.recovered.increment();
				}
			}
		}

	}

}
