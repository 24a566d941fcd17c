package io.sandbox4j.lease;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;

/**
 * One use of a lease. While any is open the sandbox is not stopped for being idle; it is
 * stopped if somebody ends the lease, or when its time is over. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SandboxLease implements AutoCloseable {

	private final LeaseEntry entry;

	private final LeasedSession session;

	private final LeaseControl control;

	private final AtomicBoolean closed = new AtomicBoolean();

	SandboxLease(LeaseEntry entry, LeasedSession session, LeaseControl control) {
		this.entry = entry;
		this.session = session;
		this.control = control;
	}

	/**
	 * Returns the key.
	 * @return the key
	 */
	public LeaseKey key() {
		return this.entry.key;
	}

	/**
	 * Returns the session, whose commands get {@link #environment()}. A command's own
	 * variables win.
	 * @return the session, usable until {@link #close()}; a background command may live
	 * on, and keeps the sandbox from being stopped
	 */
	public SandboxSession session() {
		return this.session;
	}

	/**
	 * Returns what was issued as environment.
	 * @return names and secret values; empty once the lease has ended
	 */
	public Map<String, String> environment() {
		return this.entry.environment();
	}

	/**
	 * Returns what is known of the lease.
	 * @return the lease
	 */
	public LeaseInfo info() {
		return this.control.info(this.entry);
	}

	/**
	 * Lets the lease live for its lifetime from now on, or for what is left of its
	 * longest lifetime.
	 * @return how long it lives now
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if nothing is left,
	 * {@link ErrorCode#SANDBOX_STOPPED} if it has ended; then nothing changes
	 */
	public Duration renew() {
		return this.control.renew(this.entry);
	}

	/**
	 * Writes a line to the log of the run, if the lease is of one that has a log.
	 * @param line the line
	 */
	public void log(String line) {
		this.control.log(this.entry.key, line);
	}

	/**
	 * Adds a step to the lease's end. It runs after the sandbox and the credentials are
	 * gone, in the order of addition, whatever failed before it.
	 * @param name its name, for logs
	 * @param action what it does
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} if the lease has ended
	 */
	public void pushTeardown(String name, TeardownAction action) {
		this.control.pushTeardown(this.entry, name, action);
	}

	/**
	 * Ends this use, and no more than that. Idempotent.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.session.close();
			this.control.leave(this.entry);
		}
	}

	/**
	 * Names the key.
	 */
	@Override
	public String toString() {
		return "SandboxLease[key=" + this.entry.key + "]";
	}

}
