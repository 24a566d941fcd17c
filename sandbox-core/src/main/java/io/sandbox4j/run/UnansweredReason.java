package io.sandbox4j.run;

/**
 * Why an operation has no answer.
 *
 * @since 0.1.0
 */
public enum UnansweredReason {

	/**
	 * Its run was stopped.
	 */
	ABORTED,

	/**
	 * The application or the sandbox ended while it ran. What it did until then may be
	 * there; nobody runs it again. Whoever wants to submits it with a new id.
	 */
	SANDBOX_LOST,

	/**
	 * No sandbox could be had for it, after several attempts.
	 */
	SANDBOX_UNAVAILABLE,

	/**
	 * The agent failed.
	 */
	FAILED

}
