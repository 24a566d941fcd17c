package io.sandbox4j.session;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Who may run a command now. A slot is taken before anything starts and given back when
 * the command's processes are gone. Between its result and that moment a command is
 * ending: nobody counts it, and whatever could see what its processes still do waits.
 * States: open, changing (a policy change excludes commands), closed; closed is final.
 */
final class Admission {

	// Of a command, until a file is open.
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition freed = this.lock.newCondition();

	private final int limit;

	private int active;

	private int ending;

	private int unproven;

	private long rejected;

	private int undisturbed;

	private int waiting;

	private boolean changing;

	private boolean closed;

	Admission(int limit) {
		this.limit = limit;
	}

	/**
	 * Takes a slot.
	 * @return the slot
	 */
	Slot admit() {
		this.lock.lock();
		try {
			ensureOpen();
			awaitEnded();
			awaitDisturbable();
			ensureOpen();
			if (this.changing) {
				throw new SandboxException(ErrorCode.SANDBOX_BUSY,
						"The session's network policy is being changed. Try again.");
			}
			if (this.active >= this.limit) {
				this.rejected++;
				throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The session runs " + this.active
						+ " commands, its limit. Wait for one to end, or raise 'sandbox.max-concurrent-commands'.");
			}
			this.active++;
			return new Slot();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitEnded() {
		await(() -> this.ending == 0, "Processes of a command that ended are not gone yet.");
	}

	private void awaitDisturbable() {
		this.waiting++;
		try {
			await(() -> this.undisturbed == 0, "A file of the session has been opened for too long.");
		}
		finally {
			this.waiting--;
		}
	}

	// With the lock held.
	private void await(BooleanSupplier condition, String tooLong) {
		long nanos = PATIENCE.toNanos();
		boolean interrupted = false;
		try {
			while (!condition.getAsBoolean()) {
				if (nanos <= 0) {
					throw new SandboxException(ErrorCode.SANDBOX_BUSY, tooLong + " Try again.");
				}
				try {
					nanos = this.freed.awaitNanos(nanos);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Runs something short while no command lives, so that nothing changes the workspace
	 * meanwhile; commands wait for its end. If one lives or waits already, something else
	 * is run.
	 * @param undisturbed what is run if none lives
	 * @param disturbed what is run otherwise
	 * @param <T> what it returns
	 * @return what was returned
	 */
	<T> T undisturbed(Supplier<T> undisturbed, Supplier<T> disturbed) {
		if (!beginUndisturbed()) {
			return disturbed.get();
		}
		try {
			return undisturbed.get();
		}
		finally {
			this.lock.lock();
			try {
				this.undisturbed--;
				if (this.undisturbed == 0 && this.waiting > 0) {
					this.freed.signalAll();
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	private boolean beginUndisturbed() {
		this.lock.lock();
		try {
			ensureOpen();
			if (this.active > 0 || this.waiting > 0) {
				return false;
			}
			this.undisturbed++;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Runs a change while no command lives and none is admitted.
	 * @param change the change
	 */
	void exclusively(Runnable change) {
		this.lock.lock();
		try {
			ensureOpen();
			awaitEnded();
			ensureOpen();
			if (this.active > 0 || this.changing) {
				throw new SandboxException(ErrorCode.SANDBOX_BUSY,
						"The network policy cannot change while commands run. Wait for them to end, or stop them.");
			}
			this.changing = true;
		}
		finally {
			this.lock.unlock();
		}
		try {
			change.run();
		}
		finally {
			this.lock.lock();
			try {
				this.changing = false;
				this.freed.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Admits nothing any more.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until no command is ending any more.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} once this is closed
	 */
	void awaitEnds() {
		this.lock.lock();
		try {
			ensureOpen();
			awaitEnded();
			ensureOpen();
		}
		finally {
			this.lock.unlock();
		}
	}

	void ensureOpen() {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
						"The sandbox was stopped. Attach to its state for a new handle.");
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until no slot is taken, or the ones that are taken are known to stay.
	 * @param bound how long
	 * @return whether none is taken
	 */
	boolean awaitIdle(Duration bound) {
		long nanos = bound.toNanos();
		boolean interrupted = false;
		this.lock.lock();
		try {
			while ((this.active > this.unproven || this.changing) && nanos > 0) {
				try {
					nanos = this.freed.awaitNanos(nanos);
				}
				catch (InterruptedException ex) {
					// Stopping goes on: a half-stopped sandbox would keep its lease.
					interrupted = true;
				}
			}
			return this.active == 0;
		}
		finally {
			this.lock.unlock();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	AdmissionStatus status() {
		this.lock.lock();
		try {
			return new AdmissionStatus(this.active - this.ending, this.limit, this.rejected, this.unproven);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * One place in the admission. Given back once, however often it is asked to.
	 */
	final class Slot {

		private boolean released;

		private boolean stuck;

		private boolean ended;

		/**
		 * The command has its result; its processes may not be gone.
		 */
		void end() {
			Admission.this.lock.lock();
			try {
				if (!this.released && !this.stuck && !this.ended) {
					this.ended = true;
					Admission.this.ending++;
				}
			}
			finally {
				Admission.this.lock.unlock();
			}
		}

		// With the lock held.
		private void leaveEnding() {
			if (this.ended) {
				this.ended = false;
				Admission.this.ending--;
			}
		}

		void release() {
			Admission.this.lock.lock();
			try {
				if (!this.released) {
					this.released = true;
					Admission.this.active--;
					leaveEnding();
					if (this.stuck) {
						Admission.this.unproven--;
					}
					Admission.this.freed.signalAll();
				}
			}
			finally {
				Admission.this.lock.unlock();
			}
		}

		void markUnproven() {
			Admission.this.lock.lock();
			try {
				if (!this.released && !this.stuck) {
					this.stuck = true;
					leaveEnding();
					Admission.this.unproven++;
					Admission.this.freed.signalAll();
				}
			}
			finally {
				Admission.this.lock.unlock();
			}
		}

	}

}
