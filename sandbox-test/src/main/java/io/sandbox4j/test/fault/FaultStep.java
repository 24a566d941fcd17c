package io.sandbox4j.test.fault;

import java.time.Duration;
import java.util.Objects;

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
		return new Pass("ok");
	}

	/**
	 * Returns a step that answers as it should be.
	 * @param text the answer
	 * @return the step
	 */
	static FaultStep pass(String text) {
		return new Pass(text);
	}

	/**
	 * Returns a step that resets the connection without an answer.
	 * @return the step
	 */
	static FaultStep connectionRefused() {
		return new ConnectionRefused();
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
	 * Returns a step that closes the connection within the answer.
	 * @param afterBytes how many bytes of the answer's body are sent before
	 * @return the step
	 */
	static FaultStep streamCut(int afterBytes) {
		return new StreamCut(afterBytes);
	}

	/**
	 * Returns a step that answers with an error.
	 * @param status the status, from 400 to 599
	 * @return the step
	 */
	static FaultStep httpError(int status) {
		return new HttpError(status);
	}

	/**
	 * Returns a step whose answer is no JSON.
	 * @return the step
	 */
	static FaultStep badJson() {
		return new BadJson();
	}

	/**
	 * Returns a step that answers slowly.
	 * @param text the answer; its words are the tokens
	 * @param tokensPerSecond how many of them are sent in a second
	 * @return the step
	 */
	static FaultStep slow(String text, double tokensPerSecond) {
		return new Slow(text, tokensPerSecond);
	}

	/**
	 * Returns a step that answers {@code ok}, and does not say what it cost.
	 * @return the step
	 */
	static FaultStep usageMissing() {
		return new UsageMissing("ok");
	}

	/**
	 * Returns a step that answers, and does not say what it cost.
	 * @param text the answer
	 * @return the step
	 */
	static FaultStep usageMissing(String text) {
		return new UsageMissing(text);
	}

	/**
	 * Answers as it should be: the text, the stop, a usage of 1, 1 and 2 tokens, and the
	 * end.
	 *
	 * @param text the answer
	 * @since 0.1.0
	 */
	record Pass(String text) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public Pass {
			Objects.requireNonNull(text, "'text' must not be null");
		}

	}

	/**
	 * Resets the connection once the request is read.
	 *
	 * @since 0.1.0
	 */
	record ConnectionRefused() implements FaultStep {

	}

	/**
	 * Sends nothing, and then closes the connection.
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

	/**
	 * Begins as {@link Pass} does with {@code ok}, and closes the connection.
	 *
	 * @param afterBytes how many bytes of the body are sent before; the answer never ends
	 * as it should, however short it is
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
	 * Answers with an error, described as OpenAI does.
	 *
	 * @param status the status
	 * @since 0.1.0
	 */
	record HttpError(int status) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public HttpError {
			if (status < 400 || status > 599) {
				throw new IllegalArgumentException("'status' must be between 400 and 599");
			}
		}

	}

	/**
	 * Answers with something that begins as JSON and is none.
	 *
	 * @since 0.1.0
	 */
	record BadJson() implements FaultStep {

	}

	/**
	 * Answers as {@link Pass}, token by token. A request that asks for no stream gets its
	 * answer at once, after the same time.
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
	 * Answers as {@link Pass}, without a usage.
	 *
	 * @param text the answer
	 * @since 0.1.0
	 */
	record UsageMissing(String text) implements FaultStep {

		/**
		 * Validates the components.
		 */
		public UsageMissing {
			Objects.requireNonNull(text, "'text' must not be null");
		}

	}

}
