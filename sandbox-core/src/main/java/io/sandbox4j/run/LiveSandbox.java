package io.sandbox4j.run;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one durable sandbox in this application: started for whoever comes
 * first, stopped when nobody uses it. One lock holds starts and stops apart, so that
 * whoever comes amid a stop waits for it and gets a new start.
 */
final class LiveSandbox {

	private static final Logger logger = LoggerFactory.getLogger(LiveSandbox.class);

	private final String key;

	private final RunSettings settings;

	private final RunLedger ledger;

	private final ReentrantLock lock = new ReentrantLock(true);

	private volatile @Nullable SandboxHandle handle;

	private int users;

	private boolean closed;

	private volatile long lastUse = System.nanoTime();

	LiveSandbox(String key, RunSettings settings, RunLedger ledger) {
		this.key = key;
		this.settings = settings;
		this.ledger = ledger;
	}

	void touch() {
		this.lastUse = System.nanoTime();
	}

	Duration idle() {
		return Duration.ofNanos(System.nanoTime() - this.lastUse);
	}

	/**
	 * Returns the running session, starting it if there is none. Each call is followed by
	 * {@link #leave()}.
	 * @return the session
	 */
	SandboxSession enter() {
		this.lock.lock();
		try {
			if (this.closed) {
				throw closedFailure();
			}
			touch();
			SandboxHandle running = running();
			if (running == null) {
				running = start();
				this.handle = running;
			}
			this.users++;
			return running.session();
		}
		finally {
			this.lock.unlock();
		}
	}

	static SandboxException closedFailure() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED,
				"The sandbox was deleted, or the application ends. Get it anew if it is still wanted.");
	}

	void leave() {
		this.lock.lock();
		try {
			this.users--;
			touch();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the session if it runs. Starts nothing, and waits for nobody who does.
	 * @return the session, or {@code null}
	 */
	@Nullable SandboxSession session() {
		SandboxHandle known = this.handle;
		return (known != null && isLive(known)) ? known.session() : null;
	}

	// Somebody may have stopped the sandbox through the backend.
	private boolean isLive(SandboxHandle known) {
		return this.settings.backend().handle(known.session().id()).isPresent();
	}

	private @Nullable SandboxHandle running() {
		SandboxHandle known = this.handle;
		if (known != null && !isLive(known)) {
			this.handle = null;
			return null;
		}
		return known;
	}

	private SandboxHandle start() {
		SandboxRecord known = this.ledger.sandbox(this.key);
		SandboxState state = known.state();
		SandboxHandle started = (state != null) ? attach(state, known.prepared()) : null;
		if (started == null) {
			started = make();
		}
		this.ledger.settleLost(this.key);
		return started;
	}

	private @Nullable SandboxHandle attach(SandboxState state, boolean prepared) {
		try {
			SandboxHandle attached = this.settings.backend()
				.create(SandboxRequest.attach(state).network(this.settings.network()).build());
			if (prepared) {
				this.ledger.event(this.key, "sandbox/attached", state.sessionId());
				return attached;
			}
			// An application ended while it made this one.
			attached.delete();
		}
		catch (SandboxException ex) {
			if (ex.code() != ErrorCode.SANDBOX_NOT_FOUND) {
				throw ex;
			}
			logger.warn("The files of the durable sandbox '{}' are gone: its session was deleted", this.key);
		}
		this.ledger.state(this.key, null, false, "sandbox/lost");
		return null;
	}

	// It stands in the store before anything is done with it, so that it is never
	// forgotten.
	private SandboxHandle make() {
		SandboxHandle made = this.settings.backend()
			.create(SandboxRequest.from(this.settings.templateKey()).network(this.settings.network()).build());
		try {
			SandboxState state = made.captureState();
			this.ledger.state(this.key, state, false, "sandbox/making");
			this.settings.prepare().accept(made.session());
			this.ledger.state(this.key, state, true, "sandbox/started");
			return made;
		}
		catch (RuntimeException | Error ex) {
			try {
				made.delete();
				this.ledger.state(this.key, null, false, "sandbox/failed");
			}
			catch (RuntimeException suppressed) {
				ex.addSuppressed(suppressed);
			}
			throw ex;
		}
	}

	/**
	 * Stops the session if nobody has used it for a time. Does not wait for somebody who
	 * starts or stops it.
	 * @param minIdle for how long nobody may have used it
	 */
	void stopIfIdle(Duration minIdle) {
		if (this.handle != null && this.lock.tryLock()) {
			try {
				stopIfUnused(minIdle);
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Stops the session if nobody uses it.
	 * @param minIdle for how long nobody may have used it
	 * @return why it was not stopped, empty if it does not run any more
	 */
	String stopIfUnused(Duration minIdle) {
		this.lock.lock();
		try {
			SandboxHandle running = running();
			if (running == null) {
				return "";
			}
			if (this.users > 0 || running.session().admission().active() > 0) {
				return "It is in use.";
			}
			if (idle().compareTo(minIdle) < 0) {
				return "It was used a moment ago.";
			}
			stop(running);
			this.ledger.event(this.key, "sandbox/stopped", running.session().id());
			return "";
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Deletes the session with its files if nobody uses it, here or elsewhere, and
	 * refuses to make another.
	 * @param agreed is asked last, when nobody else can have the session any more
	 * @return {@code false} if somebody uses it, or it was not agreed
	 */
	boolean deleteIfUnused(BooleanSupplier agreed) {
		this.lock.lock();
		try {
			SandboxHandle owned = running();
			if (this.users > 0 || (owned != null && owned.session().admission().active() > 0)) {
				return false;
			}
			if (owned == null) {
				owned = own();
				this.handle = owned;
			}
			if (!agreed.getAsBoolean()) {
				return false;
			}
			this.closed = true;
			if (owned != null) {
				owned.delete();
				this.handle = null;
			}
			return true;
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_BUSY) {
				return false;
			}
			throw ex;
		}
		finally {
			this.lock.unlock();
		}
	}

	// Whoever has the session knows that no other application works in it.
	private @Nullable SandboxHandle own() {
		SandboxState state = this.ledger.sandbox(this.key).state();
		if (state == null) {
			return null;
		}
		try {
			return this.settings.backend()
				.create(SandboxRequest.attach(state).network(this.settings.network()).build());
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Deletes the session with its files whoever uses it, and refuses to make another.
	 */
	void delete() {
		this.lock.lock();
		try {
			SandboxHandle running = running();
			SandboxState state = this.ledger.sandbox(this.key).state();
			if (running != null) {
				running.delete();
				this.handle = null;
			}
			else if (state != null) {
				this.settings.backend().delete(state.sessionId());
			}
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stops the session whoever uses it, and refuses to start it again.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			SandboxHandle running = running();
			if (running != null) {
				stop(running);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void stop(SandboxHandle running) {
		boolean prepared = prepareStop(running);
		running.stop();
		this.handle = null;
		// Only now: a store that takes no event keeps no sandbox running.
		if (!prepared) {
			this.ledger.event(this.key, "sandbox/backup-failed", running.session().id());
		}
	}

	private boolean prepareStop(SandboxHandle running) {
		try {
			this.settings.beforeStop().accept(running);
			return true;
		}
		catch (RuntimeException ex) {
			logger.warn("What is done before the durable sandbox '{}' is stopped failed", this.key, ex);
			return false;
		}
	}

}
