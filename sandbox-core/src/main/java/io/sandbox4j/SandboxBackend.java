package io.sandbox4j;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A way to run sandboxes. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SandboxBackend extends AutoCloseable {

	/**
	 * Returns the name, which is part of every template key.
	 * @return the name
	 */
	String name();

	/**
	 * Stores a template, unless the same is stored already. Needs no sandbox.
	 * @param template the template
	 * @return its key
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if it is larger than
	 * allowed
	 */
	PreparedTemplate prewarm(SandboxTemplate template);

	/**
	 * Makes a session from a template, or attaches to an existing one, and takes its
	 * lease.
	 * @param request what to make
	 * @return the handle
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if the session is owned,
	 * {@link ErrorCode#SANDBOX_NOT_FOUND} if the template or session does not exist,
	 * {@link ErrorCode#SANDBOX_STATE_MISMATCH} if the state is another's,
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if this host cannot run a sandbox; nothing is
	 * left behind then
	 */
	SandboxHandle create(SandboxRequest request);

	/**
	 * Returns what holds on this host. The first call probes, from inside a real sandbox;
	 * later ones return what it found, unless the installation changed.
	 * @return the report
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if no sandbox can
	 * run
	 */
	Isolation isolation();

	/**
	 * Lists the sessions of this backend's name.
	 * @return the sessions, sorted by creation
	 */
	List<SessionInfo> sessions();

	/**
	 * Returns the handles of this object that run.
	 * @return the handles, in no order
	 */
	List<SandboxHandle> handles();

	/**
	 * Returns the running handle of a session that this object owns.
	 * @param sessionId the session's id
	 * @return the handle
	 */
	default Optional<SandboxHandle> handle(String sessionId) {
		return handles().stream().filter((handle) -> handle.session().id().equals(sessionId)).findFirst();
	}

	/**
	 * Deletes a session, stopping it first if this object owns it.
	 * @param sessionId the session's id
	 * @return {@code false} if there is none
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if another owns it
	 */
	boolean delete(String sessionId);

	/**
	 * Refuses new sessions and commands from now on, and waits until no command lives.
	 * @param timeout how long at most
	 * @return whether none lives
	 */
	boolean drain(Duration timeout);

	/**
	 * Stops every handle and ends the backend's threads. Sessions stay. Idempotent.
	 */
	@Override
	void close();

}
