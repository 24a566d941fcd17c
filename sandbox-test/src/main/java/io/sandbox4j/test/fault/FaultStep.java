package io.sandbox4j.test.fault;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link FaultProviderServer} does with one call.
 *
 * @since 0.1.0
 */
public sealed interface FaultStep {

	/**
	 * Returns a step that answers {@code ok} as it should be.
	 * @return the step
	 */
	static FaultStep pass() {
		return pass("ok");
	}

	/**
	 * Returns a step that answers as it should be: the text, the stop, a usage of 1, 1
	 * and 2 tokens, and the end.
	 * @param text the answer
	 * @return the step
	 */
	static FaultStep pass(String text) {
		return new Answer(text, "stop", true, 1);
	}

	/**
	 * Returns a step that answers {@code ok}, and does not say what it cost.
	 * @return the step
	 */
	static FaultStep usageMissing() {
		return usageMissing("ok");
	}

	/**
	 * Returns a step that answers, and does not say what it cost.
	 * @param text the answer
	 * @return the step
	 */
	static FaultStep usageMissing(String text) {
		return new Answer(text, "stop", false, 1);
	}

	/**
	 * Returns a step whose answer ends for another reason than that all is said.
	 * @param text the answer
	 * @param reason the reason, such as {@code length} or {@code content_filter}
	 * @return the step
	 */
	static FaultStep finished(String text, String reason) {
		return new Answer(text, reason, true, 1);
	}

	/**
	 * Returns a step whose answer is over before its end: all of HTTP is right, and a
	 * stream has no stop, no usage and no {@code [DONE]}, a document no reason.
	 * @param text the answer
	 * @return the step
	 */
	static FaultStep unfinished(String text) {
		return new Answer(text, null, false, 1);
	}

	/**
	 * Returns a step that sends each event of a stream twice. A document is sent once.
	 * @param text the answer
	 * @return the step
	 */
	static FaultStep duplicated(String text) {
		return new Answer(text, "stop", true, 2);
	}

	/**
	 * Returns a step that answers slowly, as {@link #pass(String)} does, token by token.
	 * A request that asks for no stream gets its answer at once, after the same time.
	 * @param text the answer; its words are the tokens
	 * @param tokensPerSecond how many of them are sent in a second
	 * @return the step
	 */
	static FaultStep slow(String text, double tokensPerSecond) {
		return new Slow(text, tokensPerSecond);
	}

	/**
	 * Returns a step that says the same again and again, until the client has enough.
	 * @param token what it says
	 * @return the step
	 */
	static FaultStep neverEnding(String token) {
		return new NeverEnding(token);
	}

	/**
	 * Returns a step that asks for a call of a tool. In a stream the arguments come in
	 * pieces of a few characters.
	 * @param tool the name of the tool
	 * @param arguments the arguments as the model wrote them, which need not be JSON
	 * @return the step
	 */
	static FaultStep toolCall(String tool, String arguments) {
		return new ToolCall(tool, arguments);
	}

	/**
	 * Returns a step that begins to answer {@code ok}, and closes the connection.
	 * @param afterBytes how many bytes of the answer's body are sent before; the answer
	 * never ends as it should, however short it is
	 * @return the step
	 */
	static FaultStep streamCut(int afterBytes) {
		return new StreamCut(afterBytes);
	}

	/**
	 * Returns a step whose answer begins as JSON and is none.
	 * @return the step
	 */
	static FaultStep badJson() {
		return new BadJson();
	}

	/**
	 * Returns a step that answers with the page of a proxy: HTML in place of events or
	 * JSON.
	 * @return the step
	 */
	static FaultStep wrongContentType() {
		return new WrongContentType("text/html", "<html><body>Sign in first</body></html>");
	}

	/**
	 * Returns a step that answers with something else than was asked for.
	 * @param contentType the type
	 * @param body the body
	 * @return the step
	 */
	static FaultStep wrongContentType(String contentType, String body) {
		return new WrongContentType(contentType, body);
	}

	/**
	 * Returns a step that answers with an error, described as OpenAI does.
	 * @param status the status, from 400 to 599
	 * @return the step
	 */
	static FaultStep httpError(int status) {
		return new HttpError(status, null);
	}

	/**
	 * Returns a step that answers with an error and says when to try again.
	 * @param status the status, from 400 to 599
	 * @param retryAfter the value of {@code Retry-After}, in whole seconds
	 * @return the step
	 */
	static FaultStep httpError(int status, Duration retryAfter) {
		return new HttpError(status, retryAfter);
	}

	/**
	 * Returns a step that resets the connection, without an answer.
	 * @return the step
	 */
	static FaultStep connectionReset() {
		return new ConnectionReset();
	}

	/**
	 * Returns a step that sends nothing for a time, and then closes the connection.
	 * @param delay how long it sends nothing
	 * @return the step
	 */
	static FaultStep timeoutBeforeFirstByte(Duration delay) {
		return new TimeoutBeforeFirstByte(delay);
	}

	/**
	 * An answer of HTTP that is whole.
	 *
	 * @param text the answer
	 * @param reason why it ends, {@code null} if it just ends
	 * @param usage whether it says what it cost
	 * @param copies how often each event of a stream is sent
	 * @since 0.1.0
	 */
	record Answer(String text, @Nullable String reason, boolean usage, int copies) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public Answer {
			Objects.requireNonNull(text, "'text' must not be null");
			if (copies < 1) {
				throw new IllegalArgumentException("'copies' must be positive");
			}
		}

	}

	/**
	 * An answer that takes its time.
	 *
	 * @param text the answer
	 * @param tokensPerSecond how many words are sent in a second
	 * @since 0.1.0
	 */
	record Slow(String text, double tokensPerSecond) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public Slow {
			Objects.requireNonNull(text, "'text' must not be null");
			// From a thousand a second, which is not slow, to one in a quarter of an
			// hour.
			if (!(tokensPerSecond >= 0.001 && tokensPerSecond <= 1000)) {
				throw new IllegalArgumentException("'tokensPerSecond' must be between 0.001 and 1000");
			}
		}

	}

	/**
	 * An answer without an end.
	 *
	 * @param token what is said again and again
	 * @since 0.1.0
	 */
	record NeverEnding(String token) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public NeverEnding {
			Objects.requireNonNull(token, "'token' must not be null");
		}

	}

	/**
	 * An answer that asks for a call of a tool.
	 *
	 * @param tool the name of the tool
	 * @param arguments the arguments, as text
	 * @since 0.1.0
	 */
	record ToolCall(String tool, String arguments) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public ToolCall {
			Objects.requireNonNull(tool, "'tool' must not be null");
			Objects.requireNonNull(arguments, "'arguments' must not be null");
		}

	}

	/**
	 * An answer whose connection is closed within it.
	 *
	 * @param afterBytes how many bytes of the body are sent before
	 * @since 0.1.0
	 */
	record StreamCut(int afterBytes) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public StreamCut {
			if (afterBytes < 0) {
				throw new IllegalArgumentException("'afterBytes' must not be negative");
			}
		}

	}

	/**
	 * An answer that begins as JSON and is none.
	 *
	 * @since 0.1.0
	 */
	record BadJson() implements FaultStep {

	}

	/**
	 * An answer of another type than was asked for.
	 *
	 * @param contentType the type
	 * @param body the body
	 * @since 0.1.0
	 */
	record WrongContentType(String contentType, String body) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public WrongContentType {
			if (contentType.isBlank() || !contentType.chars().allMatch((c) -> c >= 0x20 && c < 0x7f)) {
				throw new IllegalArgumentException("'contentType' must be printable ASCII");
			}
			Objects.requireNonNull(body, "'body' must not be null");
		}

	}

	/**
	 * An error.
	 *
	 * @param status the status
	 * @param retryAfter when to try again, {@code null} to say nothing of it
	 * @since 0.1.0
	 */
	record HttpError(int status, @Nullable Duration retryAfter) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public HttpError {
			if (status < 400 || status > 599) {
				throw new IllegalArgumentException("'status' must be between 400 and 599");
			}
			if (retryAfter != null && (retryAfter.isNegative() || retryAfter.getNano() != 0)) {
				throw new IllegalArgumentException("'retryAfter' must be whole seconds");
			}
		}

	}

	/**
	 * A connection that is reset once the request is read.
	 *
	 * @since 0.1.0
	 */
	record ConnectionReset() implements FaultStep {

	}

	/**
	 * A silence, after which the connection is closed.
	 *
	 * @param delay how long nothing is sent
	 * @since 0.1.0
	 */
	record TimeoutBeforeFirstByte(Duration delay) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public TimeoutBeforeFirstByte {
			Objects.requireNonNull(delay, "'delay' must not be null");
			if (delay.isNegative() || delay.isZero()) {
				throw new IllegalArgumentException("'delay' must be positive");
			}
		}

	}

}
