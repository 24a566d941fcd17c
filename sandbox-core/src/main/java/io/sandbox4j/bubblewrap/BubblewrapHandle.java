package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxState;
import io.sandbox4j.session.DriverSession;
import io.sandbox4j.session.SessionResources;
import io.sandbox4j.storage.StoredSession;

/**
 * The life of one session. States: RUNNING, STOPPED, DELETED; every transition holds this
 * object's monitor, and a stop that failed can be tried again.
 */
final class BubblewrapHandle implements SandboxHandle {

	private final SandboxState state;

	private final DriverSession session;

	private final StoredSession stored;

	private final SessionNetwork network;

	private final WarmShelf shelf;

	private final Path runtime;

	private final Duration cleanupTimeout;

	private final SessionResources resources;

	private final Consumer<BubblewrapHandle> onStopped;

	private Phase phase = Phase.RUNNING;

	BubblewrapHandle(SandboxState state, DriverSession session, StoredSession stored, SessionNetwork network,
			WarmShelf shelf, Path runtime, Duration cleanupTimeout, SessionResources resources,
			Consumer<BubblewrapHandle> onStopped) {
		this.state = state;
		this.session = session;
		this.stored = stored;
		this.network = network;
		this.shelf = shelf;
		this.runtime = runtime;
		this.cleanupTimeout = cleanupTimeout;
		this.resources = resources;
		this.onStopped = onStopped;
	}

	@Override
	public SandboxSession session() {
		return this.session;
	}

	WarmShelf shelf() {
		return this.shelf;
	}

	SessionNetwork network() {
		return this.network;
	}

	DriverSession driverSession() {
		return this.session;
	}

	@Override
	public synchronized SandboxState captureState() {
		if (this.phase == Phase.DELETED) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The session was deleted; it has no state.");
		}
		return this.state;
	}

	@Override
	public synchronized void stop() {
		if (this.phase != Phase.RUNNING) {
			return;
		}
		// A kill is awaited once by the guest and once here, for commands that only
		// start.
		boolean gone = this.session.stop(this.cleanupTimeout.multipliedBy(4));
		gone &= this.shelf.close(this.cleanupTimeout.multipliedBy(4));
		// Also when processes may live on: then they reach nobody.
		this.network.close();
		if (!gone) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"Processes of session " + this.state.sessionId()
							+ " could not be proven gone. Its lease is kept, so that nobody works beside them. "
							+ "Look for a process in state D, and stop again.");
		}
		RuntimeDirectory.remove(this.runtime);
		this.stored.release();
		this.phase = Phase.STOPPED;
		this.onStopped.accept(this);
		this.resources.publish(new SandboxEvent.SessionStopped(this.state.sessionId()));
	}

	@Override
	public synchronized void delete() {
		if (this.phase == Phase.DELETED) {
			return;
		}
		stop();
		this.stored.delete();
		this.phase = Phase.DELETED;
		this.resources.publish(new SandboxEvent.SessionDeleted(this.state.sessionId()));
	}

	private enum Phase {

		RUNNING, STOPPED, DELETED

	}

}
