package io.sandbox4j.lease;

/**
 * Where the log of a run goes.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RunLog {

	/**
	 * Takes a line. Called on the thread that has something to say, so return soon; what
	 * it throws is ignored.
	 * @param key the lease that the line is about
	 * @param line the line; what this library writes holds no secret
	 */
	void line(LeaseKey key, String line);

}
