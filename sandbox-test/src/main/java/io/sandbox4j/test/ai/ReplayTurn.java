package io.sandbox4j.test.ai;

import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

/**
 * What the model says at once: tool calls, perhaps with a text beside them, or the text
 * that ends the script.
 *
 * @param text the text, or {@code null} if there are only calls
 * @param calls the calls, none in the last turn
 */
record ReplayTurn(@JsonInclude(Include.NON_NULL) @Nullable String text,
		@JsonInclude(Include.NON_EMPTY) List<ReplayCall> calls) {

	ReplayTurn(@Nullable String text, @Nullable List<ReplayCall> calls) {
		this.text = text;
		this.calls = List.copyOf(Objects.requireNonNullElse(calls, List.of()));
		if (text == null && this.calls.isEmpty()) {
			throw new IllegalArgumentException("A turn must have a text or calls");
		}
	}

	boolean last() {
		return this.calls.isEmpty();
	}

}
