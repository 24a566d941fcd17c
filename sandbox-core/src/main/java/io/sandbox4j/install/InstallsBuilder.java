package io.sandbox4j.install;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@link Installs}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class InstallsBuilder {

	final SandboxSession session;

	final InstallStore store;

	InstallPlan plan = InstallPlan.defaults();

	Supplier<@Nullable StorageUse> storage = () -> null;

	Duration watchdog = Duration.ofSeconds(60);

	Duration pause = Installs.PAUSE;

	InstallListener listener = (sessionId, directory, state) -> {
	};

	InstantSource clock = InstantSource.system();

	InstallsBuilder(SandboxSession session, InstallStore store) {
		this.session = Objects.requireNonNull(session, "'session' must not be null");
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	/**
	 * Sets what is run.
	 * @param plan the plan; {@link InstallPlan#defaults()} unless set
	 * @return this builder
	 */
	public InstallsBuilder plan(InstallPlan plan) {
		this.plan = Objects.requireNonNull(plan, "'plan' must not be null");
		return this;
	}

	/**
	 * Sets who tells how full the storage of the workspace is. It is asked before each
	 * install.
	 * @param storage the source; it may not know, and does not unless set
	 * @return this builder
	 */
	public InstallsBuilder storage(Supplier<@Nullable StorageUse> storage) {
		this.storage = Objects.requireNonNull(storage, "'storage' must not be null");
		return this;
	}

	/**
	 * Sets how often it is looked after what runs and what is to be repaired.
	 * @param interval at least a millisecond; a minute unless set
	 * @return this builder
	 */
	public InstallsBuilder watchdog(Duration interval) {
		if (interval.toMillis() < 1) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'watchdog' must be at least a millisecond.");
		}
		this.watchdog = interval;
		return this;
	}

	/**
	 * Sets how long after its end the same is not run again by itself.
	 * @param pause the time; five minutes unless set
	 * @return this builder
	 */
	public InstallsBuilder pause(Duration pause) {
		if (pause.isNegative()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'pause' must not be negative.");
		}
		this.pause = pause;
		return this;
	}

	/**
	 * Sets who hears how installs end.
	 * @param listener the listener
	 * @return this builder
	 */
	public InstallsBuilder listener(InstallListener listener) {
		this.listener = Objects.requireNonNull(listener, "'listener' must not be null");
		return this;
	}

	/**
	 * Sets the time of day, for tests.
	 * @param clock the clock; the system's unless set
	 * @return this builder
	 */
	public InstallsBuilder clock(InstantSource clock) {
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
		return this;
	}

	/**
	 * Builds the installs, and begins to look after those that are written down.
	 * @return the installs
	 */
	public Installs build() {
		return new Installs(this);
	}

}
