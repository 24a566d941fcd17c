package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import org.jspecify.annotations.Nullable;

/**
 * Examines a host and its settings: it looks, runs a few programs in a sandbox of its
 * own, and reports. It never fails, it ends in time, and it takes no slot of another
 * sandbox. Thread-safe: who asks while an examination runs gets its report.
 *
 * @since 0.1.0
 */
public final class SandboxDoctor {

	private final SandboxBackend backend;

	private final DoctorSettings settings;

	private final List<DoctorCheck> checks;

	private final CheckRunner runner = new CheckRunner();

	private final AtomicReference<@Nullable CompletableFuture<DoctorReport>> running = new AtomicReference<>();

	private SandboxDoctor(SandboxBackend backend, DoctorSettings settings) {
		this.backend = backend;
		this.settings = settings;
		this.checks = Stream.concat(BuiltInChecks.all().stream(), settings.checks().stream()).toList();
	}

	/**
	 * Starts a doctor. What it is not told it does not look at.
	 * @param backend the backend to examine
	 * @return a builder
	 */
	public static Builder builder(SandboxBackend backend) {
		return new Builder(Objects.requireNonNull(backend, "'backend' must not be null"));
	}

	/**
	 * Examines.
	 * @return what was found
	 */
	public DoctorReport examine() {
		CompletableFuture<DoctorReport> own = new CompletableFuture<>();
		CompletableFuture<DoctorReport> current = this.running.compareAndExchange(null, own);
		if (current != null) {
			return current.join();
		}
		try {
			DoctorReport report = new DoctorReport(findings(), this.settings.paths());
			own.complete(report);
			return report;
		}
		finally {
			this.running.set(null);
			// Nobody may wait for ever, whatever happened above.
			own.complete(new DoctorReport(List.of(), List.of()));
		}
	}

	private List<DoctorFinding> findings() {
		DoctorContext context = new DoctorContext(this.backend, this.settings);
		List<DoctorFinding> findings = new ArrayList<>();
		long end = System.nanoTime() + this.settings.timeout().toNanos();
		for (DoctorCheck check : this.checks) {
			Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
			Duration limit = (left.compareTo(this.settings.checkTimeout()) < 0) ? left : this.settings.checkTimeout();
			findings.addAll(this.runner.run(check, context, limit));
		}
		// Beyond the time for all: what was made has to go.
		findings.addAll(this.runner.run(new CleanupCheck(), context, this.settings.checkTimeout()));
		return findings;
	}

	/**
	 * Builds a doctor. Not thread-safe.
	 */
	public static final class Builder {

		private final SandboxBackend backend;

		private @Nullable Path executable;

		private @Nullable Path stateDirectory;

		private @Nullable Path runtimeDirectory;

		private final Map<String, NetworkPolicy> networks = new LinkedHashMap<>();

		private final List<DoctorCheck> checks = new ArrayList<>();

		private Duration checkTimeout = Duration.ofSeconds(10);

		private Duration timeout = Duration.ofSeconds(60);

		private Builder(SandboxBackend backend) {
			this.backend = backend;
		}

		/**
		 * Tells where bubblewrap is.
		 * @param executable the program
		 * @return this builder
		 */
		public Builder executable(Path executable) {
			this.executable = Objects.requireNonNull(executable, "'executable' must not be null");
			return this;
		}

		/**
		 * Tells where templates and sessions are kept.
		 * @param directory the directory
		 * @return this builder
		 */
		public Builder stateDirectory(Path directory) {
			this.stateDirectory = Objects.requireNonNull(directory, "'directory' must not be null");
			return this;
		}

		/**
		 * Tells where sockets and launch options are kept.
		 * @param directory the directory
		 * @return this builder
		 */
		public Builder runtimeDirectory(Path directory) {
			this.runtimeDirectory = Objects.requireNonNull(directory, "'directory' must not be null");
			return this;
		}

		/**
		 * Tells a policy that sandboxes get. Reports name its hosts, never a value.
		 * @param name a name for it
		 * @param policy the policy
		 * @return this builder
		 */
		public Builder network(String name, NetworkPolicy policy) {
			this.networks.put(Objects.requireNonNull(name, "'name' must not be null"),
					Objects.requireNonNull(policy, "'policy' must not be null"));
			return this;
		}

		/**
		 * Adds a check, which runs after the doctor's own.
		 * @param check the check
		 * @return this builder
		 */
		public Builder check(DoctorCheck check) {
			this.checks.add(Objects.requireNonNull(check, "'check' must not be null"));
			return this;
		}

		/**
		 * Bounds each check.
		 * @param timeout how long it may take, 10 seconds unless set
		 * @return this builder
		 */
		public Builder checkTimeout(Duration timeout) {
			this.checkTimeout = positive("checkTimeout", timeout);
			return this;
		}

		/**
		 * Bounds all checks together.
		 * @param timeout how long they may take, 60 seconds unless set
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = positive("timeout", timeout);
			return this;
		}

		/**
		 * Builds the doctor.
		 * @return the doctor
		 */
		public SandboxDoctor build() {
			return new SandboxDoctor(this.backend,
					new DoctorSettings(this.executable, this.stateDirectory, this.runtimeDirectory,
							Collections.unmodifiableMap(new LinkedHashMap<>(this.networks)), List.copyOf(this.checks),
							this.checkTimeout, this.timeout));
		}

		private static Duration positive(String name, Duration timeout) {
			if (timeout.isNegative() || timeout.isZero()) {
				throw new IllegalArgumentException("'" + name + "' must be positive");
			}
			return timeout;
		}

	}

}
