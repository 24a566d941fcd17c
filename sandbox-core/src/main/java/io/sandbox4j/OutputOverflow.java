package io.sandbox4j;

/**
 * What happens when a command prints more than {@link ExecSpec#maxOutputBytes()}.
 *
 * @since 0.1.0
 */
public enum OutputOverflow {

	/**
	 * Kill the command: {@link ExecStatus#OUTPUT_LIMIT}. What was kept is in the result.
	 */
	STOP,

	/**
	 * Let the command run on, read and count the rest, keep none of it.
	 */
	DISCARD

}
