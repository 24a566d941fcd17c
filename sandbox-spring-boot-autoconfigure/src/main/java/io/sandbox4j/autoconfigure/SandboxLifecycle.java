package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.sandbox4j.Isolation;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.run.SandboxRuns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Probes the backend when the application starts and drains it when it stops: after the
 * web server, so that the requests in progress can still run commands, and before any
 * bean is destroyed. Durable runs are closed first, and leases in between: after the
 * commands have ended, and while their sandboxes can still be told from what a backend
 * leaves behind.
 * <p>
 * States: new, running, stopped. A closed backend cannot be opened again, so nothing
 * leads back from stopped, and a paused context leaves it running.
 */
final class SandboxLifecycle implements SmartLifecycle {

	/**
	 * The web server shuts down gracefully in {@code DEFAULT_PHASE - 1024} and stops in
	 * {@code DEFAULT_PHASE - 2048}; higher phases stop first.
	 */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 3072;

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(SandboxLifecycle.class);

	private final SandboxBackend backend;

	private final List<SandboxLeases> leases;

	private final List<SandboxRuns> runs;

	private final SandboxAvailability availability;

	private final boolean probe;

	private final Duration drainTimeout;

	private final Duration patience;

	private volatile boolean running;

	private volatile boolean stopped;

	SandboxLifecycle(SandboxBackend backend, List<SandboxLeases> leases, List<SandboxRuns> runs,
			SandboxAvailability availability, boolean probe, Duration drainTimeout) {
		this(backend, leases, runs, availability, probe, drainTimeout, PATIENCE);
	}

	/**
	 * Creates a lifecycle.
	 * @param backend what is drained and closed
	 * @param leases the leases over it
	 * @param runs the durable runs over it
	 * @param availability knows what the probe finds
	 * @param probe whether to probe at the start
	 * @param drainTimeout how long commands may go on
	 * @param patience how long leases may take to close
	 */
	SandboxLifecycle(SandboxBackend backend, List<SandboxLeases> leases, List<SandboxRuns> runs,
			SandboxAvailability availability, boolean probe, Duration drainTimeout, Duration patience) {
		this.backend = backend;
		this.leases = List.copyOf(leases);
		this.runs = List.copyOf(runs);
		this.availability = availability;
		this.probe = probe;
		this.drainTimeout = drainTimeout;
		this.patience = patience;
	}

	@Override
	public void start() {
		if (this.stopped) {
			throw new IllegalStateException("The sandbox backend was closed when the application context stopped, "
					+ "and cannot be opened again. Start a new application context.");
		}
		if (this.probe) {
			log(this.availability.probe(this.backend));
		}
		this.running = true;
	}

	private void log(Isolation isolation) {
		String held = isolation.held().stream().map(Restriction::id).collect(Collectors.joining(", "));
		logger.info("Sandboxes of backend '{}' hold: {}", this.backend.name(), held);
		isolation.gaps()
			.forEach((gap) -> logger.warn("Sandboxes of backend '{}' do not hold {} of {}: {}", this.backend.name(),
					gap.name(), gap.restriction().id(), gap.detail()));
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.availability.drain();
		closeRuns();
		Thread leases = new Thread(() -> this.leases.forEach(SandboxLeases::close), "sandbox-shutdown-leases");
		leases.setDaemon(true);
		try (SandboxBackend closing = this.backend) {
			if (!closing.drain(this.drainTimeout)) {
				logger.warn("Commands still ran after {}, the 'sandbox.drain-timeout', and are killed",
						this.drainTimeout);
			}
			leases.start();
			await(leases);
		}
		catch (RuntimeException ex) {
			logger.warn("Backend '{}' could not be drained and closed", this.backend.name(), ex);
		}
		finally {
			await(leases);
			this.running = false;
		}
	}

	// Their turns start commands, so they end while the backend takes them.
	private void closeRuns() {
		for (SandboxRuns each : this.runs) {
			try {
				each.close();
			}
			catch (RuntimeException ex) {
				logger.warn("Durable runs could not be closed", ex);
			}
		}
	}

	// What a lease waits for may be a command, which the end of the backend kills.
	private void await(Thread leases) {
		try {
			leases.join(this.patience.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop(Runnable callback) {
		Thread thread = new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "sandbox-shutdown");
		thread.start();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
