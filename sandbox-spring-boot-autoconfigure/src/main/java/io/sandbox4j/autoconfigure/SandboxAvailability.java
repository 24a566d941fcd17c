package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.Isolation;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a backend without asking it, so that health never starts a process. It
 * knows what the probe at start found, and learns from events. Thread-safe.
 * <p>
 * A command that was refused because no sandbox could be built makes the backend
 * unavailable until a command succeeds in being started, or a minute has passed: with the
 * instance taken out of the traffic nothing else would ever try again.
 *
 * @since 0.1.0
 */
public final class SandboxAvailability implements SandboxListener {

	private static final long REFUSAL_COUNTS_NANOS = Duration.ofMinutes(1).toNanos();

	private final LongSupplier nanoTime;

	private final AtomicLong recovered = new AtomicLong();

	private final AtomicLong killedGuests = new AtomicLong();

	private volatile @Nullable Isolation isolation;

	private volatile @Nullable String failedProbe;

	private volatile @Nullable Refusal refusal;

	private volatile boolean started;

	private volatile boolean draining;

	/**
	 * Creates an availability of which nothing is known yet.
	 */
	public SandboxAvailability() {
		this(System::nanoTime);
	}

	SandboxAvailability(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	@Override
	public void onEvent(SandboxEvent event) {
		if (event instanceof SandboxEvent.SessionAttached attached) {
			this.recovered.addAndGet((attached.recovered()) ? 1 : 0);
			this.killedGuests.addAndGet(attached.killedGuests());
		}
		else if (event instanceof SandboxEvent.CommandFinished finished) {
			// A stopped or cancelled command may have ended before its sandbox was built.
			if (finished.status() != ExecStatus.STOPPED && finished.status() != ExecStatus.CANCELLED) {
				this.started = true;
				this.failedProbe = null;
				this.refusal = null;
			}
		}
		else if (event instanceof SandboxEvent.CommandRefused refused
				&& refused.code() == ErrorCode.SANDBOX_UNAVAILABLE) {
			this.refusal = new Refusal(this.nanoTime.getAsLong());
		}
	}

	/**
	 * Probes a backend and keeps what it found. This starts a process.
	 * @param backend the backend
	 * @return what holds
	 * @throws SandboxException as {@link SandboxBackend#isolation()}
	 */
	Isolation probe(SandboxBackend backend) {
		try {
			Isolation found = backend.isolation();
			this.isolation = found;
			this.failedProbe = null;
			return found;
		}
		catch (SandboxUnavailableException ex) {
			this.failedProbe = word(ex.unavailable());
			throw ex;
		}
		catch (RuntimeException ex) {
			this.failedProbe = word(SandboxUnavailableException.Cause.OTHER);
			throw ex;
		}
	}

	void drain() {
		this.draining = true;
	}

	/**
	 * Returns whether a command could run now, as far as is known.
	 * @return the status
	 */
	public Status status() {
		if (this.draining) {
			return Status.DRAINING;
		}
		if (failure().isPresent()) {
			return Status.UNAVAILABLE;
		}
		return (this.isolation != null || this.started) ? Status.AVAILABLE : Status.UNKNOWN;
	}

	/**
	 * Returns what the probe at start found.
	 * @return the report, empty if there was no probe or it failed
	 */
	public Optional<Isolation> isolation() {
		return Optional.ofNullable(this.isolation);
	}

	/**
	 * Returns why no command can run.
	 * @return a lower-case word with dashes, empty if none is known
	 */
	public Optional<String> failure() {
		String failed = this.failedProbe;
		Refusal last = this.refusal;
		if (failed == null && last != null && this.nanoTime.getAsLong() - last.nanoTime() < REFUSAL_COUNTS_NANOS) {
			failed = "command-refused";
		}
		return Optional.ofNullable(failed);
	}

	/**
	 * Returns how many sessions were taken over from an owner that ended without
	 * releasing them.
	 * @return the number since the start
	 */
	public long recoveredSessions() {
		return this.recovered.get();
	}

	/**
	 * Returns how many sandboxes such owners had left running. They were killed.
	 * @return the number since the start
	 */
	public long killedGuests() {
		return this.killedGuests.get();
	}

	private static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Whether a command could run now.
	 */
	public enum Status {

		/**
		 * Nothing was probed and no command has run yet.
		 */
		UNKNOWN,

		/**
		 * The probe succeeded, or a command ran.
		 */
		AVAILABLE,

		/**
		 * No sandbox can be built.
		 */
		UNAVAILABLE,

		/**
		 * The application shuts down and takes no command any more.
		 */
		DRAINING

	}

	private record Refusal(long nanoTime) {

	}

}
