package io.sandbox4j;

/**
 * What went wrong, as a stable word that code may branch on. A command that exits
 * non-zero is not an error: see {@link ExecResult}.
 *
 * @since 0.1.0
 */
public enum ErrorCode {

	/**
	 * This host cannot run a sandbox now: not Linux, no usable bubblewrap, no namespaces,
	 * or the state directory cannot be used. Nothing ran on the host instead.
	 */
	SANDBOX_UNAVAILABLE(false),

	/**
	 * Something else holds what was asked for: another owner of the session, a full
	 * admission, a live command during a policy change. Asking again later can succeed.
	 */
	SANDBOX_BUSY(true),

	/**
	 * The handle was stopped or deleted. Attach to the session's state for a new handle.
	 */
	SANDBOX_STOPPED(false),

	/**
	 * A state names another backend, template or session than the one on disk.
	 */
	SANDBOX_STATE_MISMATCH(false),

	/**
	 * The network policy does not allow it.
	 */
	SANDBOX_NETWORK_DENIED(false),

	/**
	 * A size, count or time limit was exceeded. The message names the limit.
	 */
	SANDBOX_LIMIT(false),

	/**
	 * A path is malformed, leaves the workspace, or is not of the kind that was asked
	 * for.
	 */
	SANDBOX_PATH(false),

	/**
	 * A template, session or file does not exist.
	 */
	SANDBOX_NOT_FOUND(false),

	/**
	 * An argument, a property or stored data is invalid. The message names it.
	 */
	SANDBOX_INVALID(false),

	/**
	 * The session's lease was taken or removed while this handle was in use. The handle
	 * is fenced: it writes nothing more.
	 */
	SANDBOX_LEASE_LOST(false);

	private final boolean retryable;

	ErrorCode(boolean retryable) {
		this.retryable = retryable;
	}

	/**
	 * Whether the same call can succeed later without a change by the caller.
	 * @return {@code true} if a retry makes sense
	 */
	public boolean retryable() {
		return this.retryable;
	}

}
