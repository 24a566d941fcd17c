package io.sandbox4j;

/**
 * The life of a sandbox: whoever holds it owns the session's lease. Thread-safe.
 * <p>
 * States and transitions: RUNNING to STOPPED ({@link #stop()}, {@link #close()}), RUNNING
 * or STOPPED to DELETED ({@link #delete()}). Nothing leads back: attach to the
 * {@linkplain #captureState() state} for a new handle.
 *
 * @since 0.1.0
 */
public interface SandboxHandle extends AutoCloseable {

	/**
	 * Returns the session.
	 * @return the session, usable until stop
	 */
	SandboxSession session();

	/**
	 * Returns what another handle needs to attach to this session later, in this process
	 * or another. Whoever has it and the state directory can attach: keep it where the
	 * application keeps its other references.
	 * @return the state
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} after delete
	 */
	SandboxState captureState();

	/**
	 * Refuses new work, kills every command, waits until their processes are gone, and
	 * releases the lease. The workspace stays. Idempotent.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if processes could
	 * not be proven gone; the lease is then kept, so that nobody works beside them
	 */
	void stop();

	/**
	 * The same as {@link #stop()}.
	 */
	default void shutdown() {
		stop();
	}

	/**
	 * Stops, and removes the session with its workspace. Templates stay. Idempotent.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if the session has a new
	 * owner
	 */
	void delete();

	/**
	 * The same as {@link #stop()}: closing never deletes.
	 */
	@Override
	default void close() {
		stop();
	}

}
