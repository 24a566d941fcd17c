package io.sandbox4j.autoconfigure.tools;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Takes the key from the entry of the tool context that an application sets. It has the
 * last word, so a missing key is an error of the application and no answer for a model,
 * which could do nothing about it.
 */
final class ContextKeyResolver implements SandboxKeyResolver {

	@Override
	public @Nullable String resolve(ToolContext context) {
		Object key = context.getContext().get(CONTEXT_KEY);
		if (key instanceof String text) {
			return text;
		}
		String what = (key != null) ? "is no string" : "is missing";
		throw new IllegalStateException("The entry '" + CONTEXT_KEY + "' of the tool context " + what
				+ ", so it is not known whose sandbox to use. Set it, as in "
				+ "chatClient.prompt(...).toolContext(Map.of(\"" + CONTEXT_KEY
				+ "\", conversationId)), or declare a 'SandboxKeyResolver' bean.");
	}

}
