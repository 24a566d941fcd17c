package io.sandbox4j.lease;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@link SandboxLeases}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxLeasesBuilder {

	private static final LeaseHook NOTHING = (lease, session) -> {
	};

	private final SandboxBackend backend;

	private CredentialBrokers brokers = CredentialBrokers.builder().build();

	private LeasePlaces places = new LeasePlaces(100, "sandbox.lease.max-active", true);

	private int maxWaiting = 1000;

	private @Nullable Duration reclaimAfter;

	private LeaseHook beforeStop = NOTHING;

	private LeaseHook beforeReclaim = NOTHING;

	private Duration sweepInterval = Duration.ofSeconds(1);

	private @Nullable Path journal;

	private LongSupplier ticker = System::nanoTime;

	private InstantSource clock = InstantSource.system();

	SandboxLeasesBuilder(SandboxBackend backend) {
		this.backend = Objects.requireNonNull(backend, "'backend' must not be null");
	}

	/**
	 * Sets who issues credentials.
	 * @param brokers the brokers; the built-in ones, which issue nothing, unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder brokers(CredentialBrokers brokers) {
		this.brokers = Objects.requireNonNull(brokers, "'brokers' must not be null");
		return this;
	}

	/**
	 * Sets how many leases may run at once. One whose sandbox is stopped does not count.
	 * @param leases at least 1; 100 unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder maxActive(int leases) {
		return maxActive(leases, "sandbox.lease.max-active");
	}

	/**
	 * Sets how many leases may run at once, and how messages call that limit: those who
	 * have several {@link SandboxLeases} know which one is full.
	 * @param leases at least 1
	 * @param name the name of the limit, such as that of a property
	 * @return this builder
	 */
	public SandboxLeasesBuilder maxActive(int leases, String name) {
		Objects.requireNonNull(name, "'name' must not be null");
		this.places = this.places.withCount((int) atLeast(name, leases, 1), name);
		return this;
	}

	/**
	 * Sets whether the lease that is idle the longest is stopped if another one needs a
	 * place.
	 * @param makeRoom whether it is; {@code true} unless set. Without it whoever needs a
	 * place waits for the end of another lease, or for its idle time-out
	 * @return this builder
	 */
	public SandboxLeasesBuilder makeRoom(boolean makeRoom) {
		this.places = this.places.withMakingRoom(makeRoom);
		return this;
	}

	/**
	 * Sets how many callers may wait for a place at once.
	 * @param callers at least 1; 1,000 unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder maxWaiting(int callers) {
		this.maxWaiting = (int) atLeast("sandbox.lease.max-waiting", callers, 1);
		return this;
	}

	/**
	 * Sets after which time without use a lease ends whose sandbox is stopped.
	 * @param time the time; never unless set, but for the lease's own lifetime
	 * @return this builder
	 */
	public SandboxLeasesBuilder reclaimAfter(Duration time) {
		atLeast("sandbox.lease.reclaim-after", time.toMillis(), 1);
		this.reclaimAfter = time;
		return this;
	}

	/**
	 * Sets what is told before an idle sandbox is stopped, and before all are when the
	 * leases close and are kept.
	 * @param hook the hook
	 * @return this builder
	 */
	public SandboxLeasesBuilder beforeStop(LeaseHook hook) {
		this.beforeStop = Objects.requireNonNull(hook, "'hook' must not be null");
		return this;
	}

	/**
	 * Sets what is told before a lease ends because its time is over or nobody used it.
	 * @param hook the hook
	 * @return this builder
	 */
	public SandboxLeasesBuilder beforeReclaim(LeaseHook hook) {
		this.beforeReclaim = Objects.requireNonNull(hook, "'hook' must not be null");
		return this;
	}

	/**
	 * Sets how often idle and expired leases are looked for.
	 * @param interval at least a millisecond; a second unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder sweepInterval(Duration interval) {
		atLeast("sandbox.lease.sweep-interval", interval.toMillis(), 1);
		this.sweepInterval = interval;
		return this;
	}

	/**
	 * Sets where leases are recorded, so that the application finds them after a restart,
	 * also after a crash. Ids and times are written, and no policy, variable or value:
	 * they are supplied again by whoever opens the lease. Nothing is flushed to the disk.
	 * @param directory a directory of this user alone and of these leases alone, made if
	 * missing; no leases outlive the application unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder journal(Path directory) {
		this.journal = Objects.requireNonNull(directory, "'directory' must not be null");
		return this;
	}

	/**
	 * Sets what measures durations, for tests.
	 * @param ticker a time in nanoseconds that never goes back; {@code System.nanoTime}
	 * unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder ticker(LongSupplier ticker) {
		this.ticker = Objects.requireNonNull(ticker, "'ticker' must not be null");
		return this;
	}

	/**
	 * Sets the time of day, for tests.
	 * @param clock the clock; the system's unless set
	 * @return this builder
	 */
	public SandboxLeasesBuilder clock(InstantSource clock) {
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
		return this;
	}

	/**
	 * Builds the leases.
	 * @return the leases
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if somebody has the
	 * journal, {@link ErrorCode#SANDBOX_UNAVAILABLE} if it cannot be used
	 */
	public SandboxLeases build() {
		return new SandboxLeases(new LeaseSettings(this.backend, this.brokers, this.places, this.maxWaiting,
				this.reclaimAfter, this.beforeStop, this.beforeReclaim, this.sweepInterval, this.journal, this.ticker,
				this.clock));
	}

	private static long atLeast(String property, long value, long least) {
		if (value < least) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + property + "' must be at least " + least + ".");
		}
		return value;
	}

}
