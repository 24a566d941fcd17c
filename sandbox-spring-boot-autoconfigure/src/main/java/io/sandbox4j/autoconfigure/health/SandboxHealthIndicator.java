package io.sandbox4j.autoconfigure.health;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.Isolation;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.autoconfigure.SandboxAvailability;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.bubblewrap.ResourceLimits;
import io.sandbox4j.bubblewrap.WarmStatus;
import io.sandbox4j.gateway.GatewayStatus;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.LeaseStatus;
import io.sandbox4j.lease.SandboxLeases;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} for sandboxes. It reads what is known already and never starts
 * a process.
 * <p>
 * DOWN means that a command could not run now. A full admission is not DOWN, and neither
 * are leases whose places are all taken, since waiting ends that; nor are unproven
 * cleanups, since every free slot still works and each of them is in the details. Until
 * something was probed or ran the status is UNKNOWN.
 *
 * @since 0.1.0
 */
public final class SandboxHealthIndicator extends AbstractHealthIndicator {

	private final SandboxBackend backend;

	private final SandboxAvailability availability;

	private final @Nullable SandboxGateway gateway;

	private final @Nullable SandboxLeases leases;

	/**
	 * Creates an indicator.
	 * @param backend the backend
	 * @param availability what is known of it
	 * @param gateway the gateway whose figures are shown, if there is one
	 * @param leases the leases whose figures are shown, if there are any
	 */
	public SandboxHealthIndicator(SandboxBackend backend, SandboxAvailability availability,
			@Nullable SandboxGateway gateway, @Nullable SandboxLeases leases) {
		super("Sandbox health check failed");
		this.backend = Objects.requireNonNull(backend, "'backend' must not be null");
		this.availability = Objects.requireNonNull(availability, "'availability' must not be null");
		this.gateway = gateway;
		this.leases = leases;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Optional<Isolation> isolation = isolation();
		switch (this.availability.status()) {
			case UNKNOWN -> builder.status(isolation.isPresent() ? Status.UP : Status.UNKNOWN);
			case AVAILABLE -> builder.up();
			case UNAVAILABLE -> builder.down();
			case DRAINING -> builder.outOfService().withDetail("draining", true);
		}
		this.availability.failure().ifPresent((failure) -> builder.withDetail("failure", failure));
		builder.withDetail("isolation", isolation.<Object>map(this::describe).orElse("not probed"));
		List<SandboxHandle> handles = this.backend.handles();
		builder.withDetail("sessions", Map.of("running", handles.size(), "recovered",
				this.availability.recoveredSessions(), "killedGuests", this.availability.killedGuests()));
		builder.withDetail("admission", admission(handles));
		if (this.gateway != null) {
			builder.withDetail("gateway", describe(this.gateway.status()));
		}
		if (this.leases != null) {
			builder.withDetail("leases", describe(this.leases.status()));
		}
		if (this.backend instanceof BubblewrapBackend bubblewrap) {
			builder.withDetail("limits", limits(bubblewrap.resourceLimits()));
			builder.withDetail("warm", describe(bubblewrap.warmStatus()));
		}
	}

	private Map<String, Integer> describe(GatewayStatus status) {
		return Map.of("sessions", status.sessions(), "requests", status.requests(), "upstreamConnections",
				status.upstreamConnections());
	}

	private Map<String, Long> describe(WarmStatus status) {
		return Map.of("ready", (long) status.ready(), "limit", (long) status.limit(), "hits", status.hits(), "misses",
				status.misses());
	}

	private Map<String, Long> describe(LeaseStatus status) {
		return Map.of("active", (long) status.active(), "limit", (long) status.maxActive(), "idle",
				(long) status.idle(), "waiting", (long) status.waiting(), "recovered", status.recovered());
	}

	private Map<String, Object> limits(ResourceLimits limits) {
		return Map.of("openFiles", limits.openFiles(), "processes", limits.processes(), "fileSize",
				limits.fileSizeBytes(), "cpuTime", limits.cpuTime().toString(), "tmpSize", limits.tmpBytes(), "shmSize",
				limits.shmBytes());
	}

	private Map<String, Long> admission(List<SandboxHandle> handles) {
		long active = 0;
		long limit = 0;
		long rejected = 0;
		long unproven = 0;
		for (SandboxHandle handle : handles) {
			AdmissionStatus status = handle.session().admission();
			active += status.active();
			limit += status.limit();
			rejected += status.rejected();
			unproven += status.unproven();
		}
		return Map.of("active", active, "limit", limit, "rejected", rejected, "unproven", unproven);
	}

	private Optional<Isolation> isolation() {
		Optional<Isolation> probed = this.availability.isolation();
		return (probed.isEmpty() && this.backend instanceof BubblewrapBackend bubblewrap) ? bubblewrap.knownIsolation()
				: probed;
	}

	private Map<String, List<String>> describe(Isolation isolation) {
		return Map.of("held", isolation.held().stream().map(Restriction::id).toList(), "gaps",
				isolation.gaps().stream().map(Isolation.Check::name).toList());
	}

}
