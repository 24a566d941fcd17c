package io.sandbox4j.tools;

/**
 * How the wait of a call for a person ended.
 *
 * @since 0.1.0
 */
public enum ApprovalOutcome {

	/**
	 * A person approved it. The call goes on, unless what it is about has changed.
	 */
	APPROVED,

	/**
	 * A person refused it.
	 */
	REFUSED,

	/**
	 * Nobody answered in time.
	 */
	EXPIRED,

	/**
	 * The thread of the call was interrupted.
	 */
	INTERRUPTED,

	/**
	 * The session ended, or the approvals were closed.
	 */
	STOPPED

}
