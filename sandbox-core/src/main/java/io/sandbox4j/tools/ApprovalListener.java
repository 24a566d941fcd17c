package io.sandbox4j.tools;

/**
 * Hears of calls that wait for a person, to ask one for instance. Called on the thread of
 * the call, so return soon; what it throws is logged and otherwise ignored. Must be
 * thread-safe.
 *
 * @since 0.1.0
 */
public interface ApprovalListener {

	/**
	 * Takes a call that waits now. It can be answered already.
	 * @param call the call
	 */
	default void waiting(PendingApproval call) {
	}

	/**
	 * Takes a call that waits no more, before it goes on or is refused.
	 * @param call the call
	 * @param outcome how the wait ended
	 */
	default void ended(PendingApproval call, ApprovalOutcome outcome) {
	}

}
