package io.sandbox4j;

/**
 * A signal for the program of a command. It reaches the program alone, not its children.
 *
 * @since 0.1.0
 */
public enum Signal {

	/**
	 * {@code SIGTERM}: please end.
	 */
	TERM,

	/**
	 * {@code SIGINT}: what Ctrl-C sends.
	 */
	INT,

	/**
	 * {@code SIGKILL}: cannot be caught.
	 */
	KILL

}
