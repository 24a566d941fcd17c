package io.sandbox4j.autoconfigure.tools;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Tells whose a call is that waits for approval: that principal answers it. Without such
 * a bean it is the key of the sandbox. Called on the thread of the call. Must be
 * thread-safe.
 * <p>
 * Take the principal from what the application knows, never from what a model or a client
 * wrote.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolCallOwnerResolver {

	/**
	 * Returns the owner of a call.
	 * @param key the key of the sandbox that the call works in
	 * @param context the context of the call, empty if the application calls a tool
	 * itself
	 * @return the principal, or {@code null} if it is not known, which refuses the call
	 */
	@Nullable String resolve(String key, ToolContext context);

}
