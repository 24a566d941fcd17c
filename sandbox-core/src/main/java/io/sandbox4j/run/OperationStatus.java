package io.sandbox4j.run;

/**
 * Where an operation stands. It goes from one to the next and never back.
 *
 * @since 0.1.0
 */
public enum OperationStatus {

	/**
	 * Nobody began it.
	 */
	QUEUED,

	/**
	 * It was begun, so that it is never begun again.
	 */
	RUNNING,

	/**
	 * It has an answer.
	 */
	DONE,

	/**
	 * It has ended without an answer.
	 */
	UNANSWERED

}
