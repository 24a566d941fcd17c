package io.sandbox4j.tools;

import java.util.Objects;

/**
 * Short forms of long lines.
 */
final class Excerpts {

	private static final char MARK = '\u2026';

	// Two marks, and a whole character or two of the line.
	private static final int MIN_CHARS = 8;

	private Excerpts() {
	}

	/**
	 * Cuts a long line to the surroundings of a match. A match that is too long itself is
	 * shown from its start.
	 * @param line the line
	 * @param matchStart where the match starts
	 * @param matchEnd where it ends, exclusive
	 * @param maxChars the longest excerpt, with its marks; at least 8
	 * @return the line, or a part of it with an ellipsis where it is cut
	 */
	static String middle(String line, int matchStart, int matchEnd, int maxChars) {
		Objects.checkFromToIndex(matchStart, matchEnd, line.length());
		if (maxChars < MIN_CHARS) {
			throw new IllegalArgumentException("'maxChars' must be at least " + MIN_CHARS);
		}
		if (line.length() <= maxChars) {
			return line;
		}
		int room = maxChars - 2;
		int start = matchStart - Math.max(0, room - (matchEnd - matchStart)) / 2;
		int end = start + room;
		// At an end of the line is one mark only. A mark never stands for one character.
		if (start <= 1) {
			start = 0;
			end = maxChars - 1;
		}
		else if (end >= line.length() - 1) {
			start = line.length() - maxChars + 1;
			end = line.length();
		}
		start += splits(line, start) ? 1 : 0;
		end -= splits(line, end) ? 1 : 0;
		return ((start > 0) ? MARK : "") + line.substring(start, end) + ((end < line.length()) ? MARK : "");
	}

	private static boolean splits(String line, int at) {
		return at > 0 && at < line.length() && Character.isSurrogatePair(line.charAt(at - 1), line.charAt(at));
	}

}
