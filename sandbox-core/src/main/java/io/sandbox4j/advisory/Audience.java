package io.sandbox4j.advisory;

/**
 * Who reads an advisory.
 *
 * @since 0.1.0
 */
public enum Audience {

	/**
	 * Whoever reads the answer of one call. It cannot wait.
	 */
	TOOL_CALL,

	/**
	 * Whoever leads the whole session, and can wait and try again.
	 */
	SESSION

}
