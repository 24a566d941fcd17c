package io.sandbox4j.checkpoint;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * Builds {@link Checkpoints}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class CheckpointsBuilder {

	final SnapshotStore store;

	CheckpointLimits limits = CheckpointLimits.DEFAULT;

	InstantSource clock = InstantSource.system();

	Duration abandonedAfter = Duration.ofHours(6);

	CheckpointListener listener = (event) -> {
	};

	CheckpointsBuilder(SnapshotStore store) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
	}

	/**
	 * Limits the bytes of a workspace's files together; holes do not count. 8 GiB unless
	 * set.
	 * @param bytes at least 1
	 * @return this builder
	 */
	public CheckpointsBuilder maxBytes(long bytes) {
		this.limits = new CheckpointLimits(bytes, this.limits.maxFiles(), this.limits.timeout());
		return this;
	}

	/**
	 * Limits how many files, links and directories a workspace has. 1,000,000 unless set.
	 * @param files at least 1
	 * @return this builder
	 */
	public CheckpointsBuilder maxFiles(long files) {
		this.limits = new CheckpointLimits(this.limits.maxBytes(), files, this.limits.timeout());
		return this;
	}

	/**
	 * Sets how long the part of a capture or a restore inside the sandbox may take. 10
	 * minutes unless set.
	 * @param timeout more than zero
	 * @return this builder
	 */
	public CheckpointsBuilder timeout(Duration timeout) {
		this.limits = new CheckpointLimits(this.limits.maxBytes(), this.limits.maxFiles(), timeout);
		return this;
	}

	/**
	 * Sets after what time a capture that did not end is taken for dead by
	 * {@link Checkpoints#collect()}. One that was only slow is refused then and counts
	 * for nothing; it harms nothing. 6 hours unless set.
	 * @param abandonedAfter much more than the timeout
	 * @return this builder
	 */
	public CheckpointsBuilder abandonedAfter(Duration abandonedAfter) {
		if (abandonedAfter.isNegative()) {
			throw Failures.invalid("'abandonedAfter' must not be negative.");
		}
		this.abandonedAfter = abandonedAfter;
		return this;
	}

	/**
	 * Sets who hears what becomes of checkpoints.
	 * @param listener the listener
	 * @return this builder
	 */
	public CheckpointsBuilder listener(CheckpointListener listener) {
		this.listener = Objects.requireNonNull(listener, "'listener' must not be null");
		return this;
	}

	/**
	 * Sets what tells the time.
	 * @param clock the clock, the system's unless set
	 * @return this builder
	 */
	public CheckpointsBuilder clock(InstantSource clock) {
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
		return this;
	}

	/**
	 * Builds the checkpoints. Reads and writes nothing.
	 * @return the checkpoints
	 */
	public Checkpoints build() {
		return new Checkpoints(this);
	}

}
