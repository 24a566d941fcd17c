package io.sandbox4j.lease;

/**
 * A step of a lease's end.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TeardownAction {

	/**
	 * Does it.
	 * @throws Exception if it failed; that is logged and counted, and the end goes on
	 */
	void run() throws Exception;

}
