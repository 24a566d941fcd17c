package io.sandbox4j.test.ai;

import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

/**
 * One tool call of a script.
 * <p>
 * A text in the arguments may refer to the answer to an earlier call:
 * <code>${3.sha256}</code> is the field {@code sha256} of the JSON that the third call of
 * the script was answered with, counted from 1 over all turns. The part after the number
 * is a path of names and array indexes with dots between them. A text that is nothing but
 * one such reference becomes the value itself, a number for example; within a longer text
 * it becomes text. <code>$${3.sha256}</code> stands for <code>${3.sha256}</code> itself.
 *
 * @param tool the name of the tool
 * @param arguments the arguments, as values of JSON
 * @param expect a text that the tool's answer must contain, or {@code null} for any
 * answer
 * @since 0.1.0
 */
public record ReplayCall(String tool, Map<String, @Nullable Object> arguments,
		@JsonInclude(Include.NON_NULL) @Nullable String expect) {

	/**
	 * Creates a call.
	 * @param tool the name of the tool
	 * @param arguments the arguments; they are copied
	 * @param expect a text that the tool's answer must contain, or {@code null} for any
	 * answer
	 * @throws IllegalArgumentException if the name is blank, or if the arguments cannot
	 * be written as JSON
	 */
	public ReplayCall {
		Objects.requireNonNull(tool, "'tool' must not be null");
		Objects.requireNonNull(arguments, "'arguments' must not be null");
		if (tool.isBlank()) {
			throw new IllegalArgumentException("'tool' must not be blank");
		}
		arguments = Json.copy(arguments);
	}

	/**
	 * Returns a call that takes any answer.
	 * @param tool the name of the tool
	 * @param arguments the arguments, as values of JSON
	 * @return the call
	 */
	public static ReplayCall of(String tool, Map<String, ? extends @Nullable Object> arguments) {
		return new ReplayCall(tool, Json.copy(arguments), null);
	}

	/**
	 * Returns this call with a demand on its answer. A tool that returns a text may have
	 * it answered as a string of JSON: either form may contain the part.
	 * @param part what the answer must contain
	 * @return the call
	 */
	public ReplayCall expecting(String part) {
		return new ReplayCall(this.tool, this.arguments, Objects.requireNonNull(part, "'part' must not be null"));
	}

}
