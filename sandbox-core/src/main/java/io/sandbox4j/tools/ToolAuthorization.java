package io.sandbox4j.tools;

/**
 * Decides whether a tool may do what a model asks. Called on the thread of the call,
 * which it may keep waiting, for a person's answer for instance. What it throws refuses
 * the call. Must be thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolAuthorization {

	/**
	 * Decides.
	 * @param request what is about to happen
	 * @return {@code false} to refuse
	 */
	boolean authorize(ToolRequest request);

}
