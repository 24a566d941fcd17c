package io.sandbox4j.tools;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a model gets for a call.
 *
 * @param text a JSON object: the tool's output or, for a refusal, {@code {"error":
 * {"code", "message", "hint", ...}}}
 * @param refusal why the call was refused, or {@code null} if it was done
 * @since 0.1.0
 */
public record ToolResult(String text, @Nullable RefusalCode refusal) {

	/**
	 * Validates the components.
	 */
	public ToolResult {
		Objects.requireNonNull(text, "'text' must not be null");
	}

	/**
	 * Whether the call was refused.
	 * @return {@code true} if nothing was done
	 */
	public boolean refused() {
		return this.refusal != null;
	}

}
