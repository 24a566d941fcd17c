package io.sandbox4j.autoconfigure.tools;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Tells whose sandbox a tool call works in. Beans are asked in order; the first that
 * knows a key decides, and the entry {@value #CONTEXT_KEY} of the tool context is looked
 * at last. Must be thread-safe.
 * <p>
 * Whoever has a key has the sandbox: take it from what the application knows, never from
 * what a model or a client wrote.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxKeyResolver {

	/**
	 * Name of the entry of the tool context that holds the key, as a string.
	 */
	String CONTEXT_KEY = "sandbox.key";

	/**
	 * Returns the key of the sandbox.
	 * @param context the context of the call
	 * @return the key, 1 to 256 printable ASCII characters, or {@code null} if it is not
	 * known here
	 */
	@Nullable String resolve(ToolContext context);

	/**
	 * Whether a refused call ends with an exception in place of a text, for callers that
	 * tell the two apart. The message of the exception is the text.
	 * @return {@code false} unless overridden
	 */
	default boolean throwsRefusals() {
		return false;
	}

}
