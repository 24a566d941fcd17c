package io.sandbox4j.tools;

import org.jspecify.annotations.Nullable;

/**
 * Text that was copied with the line numbers that a tool shows, such as {@code 12}, a tab
 * and the line.
 */
final class NumberedLines {

	// As many as an int surely holds.
	private static final int MAX_DIGITS = 9;

	private NumberedLines() {
	}

	/**
	 * Takes the line numbers out.
	 * @param text the text
	 * @return the text without them, or {@code null} if a line has none or they do not
	 * ascend
	 */
	static @Nullable String strip(String text) {
		StringBuilder stripped = new StringBuilder(text.length());
		int number = -1;
		int start = 0;
		while (start < text.length()) {
			int end = text.indexOf('\n', start) + 1;
			end = (end == 0) ? text.length() : end;
			int first = skip(text, start, end, " \t");
			int afterNumber = afterDigits(text, first, end);
			if (afterNumber == first || afterNumber == end || "\t|:\u2192".indexOf(text.charAt(afterNumber)) < 0) {
				return null;
			}
			int ascending = Integer.parseInt(text.substring(first, afterNumber));
			if (ascending <= number) {
				return null;
			}
			number = ascending;
			stripped.append(text, afterNumber + 1, end);
			start = end;
		}
		return stripped.toString();
	}

	private static int skip(String text, int start, int end, String skipped) {
		int index = start;
		while (index < end && skipped.indexOf(text.charAt(index)) >= 0) {
			index++;
		}
		return index;
	}

	private static int afterDigits(String text, int start, int end) {
		return skip(text, start, Math.min(end, start + MAX_DIGITS), "0123456789");
	}

}
