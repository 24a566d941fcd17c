package io.sandbox4j.test.ai;

/**
 * An agent, or one of its tools, did something else than the script of a
 * {@link ReplayChatModel} says. The message names the turn, the tool, what was expected,
 * and the first 500 characters of the answer.
 *
 * @since 0.1.0
 */
public final class ReplayMismatchException extends RuntimeException {

	private static final int MAX_ANSWER = 500;

	ReplayMismatchException(int turn, String expected, String actual) {
		super("Turn " + turn + ": expected " + expected + ", but " + actual);
	}

	ReplayMismatchException(int turn, String tool, String expected, String actual) {
		super("Turn " + turn + ", tool '" + tool + "': expected " + expected + ", but " + actual);
	}

	static ReplayMismatchException answered(ToolAnswer answer, String expected) {
		return new ReplayMismatchException(answer.turn(), answer.call().tool(), expected,
				"the answer was: " + start(answer.data()));
	}

	private static String start(String answer) {
		if (answer.length() <= MAX_ANSWER) {
			return answer;
		}
		int end = Character.isHighSurrogate(answer.charAt(MAX_ANSWER - 1)) ? MAX_ANSWER - 1 : MAX_ANSWER;
		return answer.substring(0, end) + "...";
	}

}
