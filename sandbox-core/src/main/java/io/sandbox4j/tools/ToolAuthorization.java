package io.sandbox4j.tools;

import io.sandbox4j.SandboxSession;

/**
 * Decides whether a tool may do what a model asks. Called on the thread of the call,
 * which it may keep waiting, for a person's answer for instance. What it throws refuses
 * the call, and a {@link ToolRefusedException} tells the model why. Must be thread-safe.
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

	/**
	 * Decides, knowing the session. This is what tools call.
	 * @param request what is about to happen
	 * @param session where it would happen, not to be used for the call itself
	 * @return {@code false} to refuse
	 */
	default boolean authorize(ToolRequest request, SandboxSession session) {
		return authorize(request);
	}

	/**
	 * Allows what both allow.
	 * @param other the other decision, asked only for what this one allows
	 * @return both
	 */
	default ToolAuthorization and(ToolAuthorization other) {
		return new BothAuthorizations(this, other);
	}

	/**
	 * Allows what has no effect, and refuses the rest with that reason. A command has
	 * one.
	 * @return the decision
	 * @see ToolRequest#hasEffect()
	 */
	static ToolAuthorization readOnly() {
		return (request) -> {
			if (request.hasEffect()) {
				throw new ToolRefusedException(RefusalCode.FORBIDDEN,
						"The tools are read-only: nothing can be written, moved, removed or run.",
						"Do not try another way; say what you would change.");
			}
			return true;
		};
	}

}
