package io.sandbox4j.test;

import java.time.Duration;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxState;
import io.sandbox4j.session.DriverSession;

/**
 * The life of a fake session. States: RUNNING, STOPPED, DELETED; a stop that failed can
 * be tried again.
 */
final class FakeHandle implements SandboxHandle {

	private final SandboxState state;

	private final DriverSession session;

	private final Duration stopBound;

	private final Runnable onStopped;

	private final Consumer<SandboxState> onDelete;

	private Phase phase = Phase.RUNNING;

	/**
	 * Creates a handle.
	 * @param state the session's state
	 * @param session the session
	 * @param stopBound how long killed commands may take to go
	 * @param onStopped gives the lease back
	 * @param onDelete removes the session
	 */
	FakeHandle(SandboxState state, DriverSession session, Duration stopBound, Runnable onStopped,
			Consumer<SandboxState> onDelete) {
		this.state = state;
		this.session = session;
		this.stopBound = stopBound;
		this.onStopped = onStopped;
		this.onDelete = onDelete;
	}

	@Override
	public DriverSession session() {
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
		if (!this.session.stop(this.stopBound)) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"A program of session '" + this.state.sessionId()
							+ "' ignores that it was killed. The lease is kept, so that nobody works beside it. "
							+ "Let the program end when it is interrupted, and stop again.");
		}
		this.phase = Phase.STOPPED;
		this.onStopped.run();
	}

	@Override
	public synchronized void delete() {
		if (this.phase == Phase.DELETED) {
			return;
		}
		stop();
		this.onDelete.accept(this.state);
		this.phase = Phase.DELETED;
	}

	private enum Phase {

		RUNNING, STOPPED, DELETED

	}

}
