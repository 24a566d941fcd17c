package io.sandbox4j.tools;

import java.text.Normalizer;
import java.util.Arrays;

/**
 * A text in which some differences are gone, and where its characters come from.
 */
final class FoldedText {

	// The longest run of marks in stream-safe text (UAX #15). Sorting longer ones takes
	// the square of their length.
	private static final int MAX_MARKS = 30;

	// Below this, every character is in NFC already.
	private static final char FIRST_MARK = '\u0300';

	private final StringBuilder text = new StringBuilder();

	private int[] origins;

	private FoldedText(int length) {
		this.origins = new int[length + 1];
	}

	/**
	 * Makes every CRLF an LF. A CR elsewhere stays.
	 * @param source the text
	 * @return the folded text
	 */
	static FoldedText lineEnds(String source) {
		FoldedText folded = new FoldedText(source.length());
		for (int i = 0; i < source.length(); i++) {
			int origin = i;
			if (isLineEnd(source, i)) {
				i++;
			}
			folded.add(source.charAt(i), origin);
		}
		return folded.end(source);
	}

	/**
	 * Makes every run of blanks and line ends one space.
	 * @param source the text
	 * @return the folded text
	 */
	static FoldedText whitespace(String source) {
		FoldedText folded = new FoldedText(source.length());
		boolean inRun = false;
		for (int i = 0; i < source.length(); i++) {
			char c = source.charAt(i);
			boolean blank = isBlank(c);
			if (!blank || !inRun) {
				folded.add(blank ? ' ' : c, i);
			}
			inRun = blank;
		}
		return folded.end(source);
	}

	/**
	 * Makes upper and lower case one, and line ends too.
	 * @param source the text
	 * @return the folded text
	 */
	static FoldedText letterCase(String source) {
		FoldedText folded = new FoldedText(source.length());
		for (int i = 0; i < source.length(); i++) {
			if (isLineEnd(source, i)) {
				continue;
			}
			int point = source.codePointAt(i);
			int same = Character.toLowerCase(Character.toUpperCase(point));
			for (char c : Character.toChars(same)) {
				folded.add(c, i);
			}
			i += Character.charCount(point) - 1;
		}
		return folded.end(source);
	}

	/**
	 * Composes characters (NFC) and makes typographic quotes and dashes plain, and line
	 * ends too. Origins are right in their line only.
	 * @param source the text
	 * @return the folded text
	 */
	static FoldedText typography(String source) {
		FoldedText folded = new FoldedText(source.length());
		int start = 0;
		while (start < source.length()) {
			int end = source.indexOf('\n', start) + 1;
			end = (end == 0) ? source.length() : end;
			String line = composed(source.substring(start, end));
			for (int i = 0; i < line.length(); i++) {
				if (!isLineEnd(line, i)) {
					folded.add(plain(line.charAt(i)), start);
				}
			}
			start = end;
		}
		return folded.end(source);
	}

	/**
	 * Whether a character is blank; unlike {@link Character#isWhitespace(char)} this
	 * takes the no-break spaces in, which look the same.
	 * @param c the character
	 * @return {@code true} if so
	 */
	static boolean isBlank(char c) {
		return Character.isWhitespace(c) || Character.isSpaceChar(c);
	}

	private static boolean isLineEnd(String source, int index) {
		return source.charAt(index) == '\r' && index + 1 < source.length() && source.charAt(index + 1) == '\n';
	}

	private static String composed(String line) {
		boolean plain = true;
		int marks = 0;
		for (int i = 0; i < line.length(); i++) {
			plain &= line.charAt(i) < FIRST_MARK;
			int type = Character.getType(line.codePointAt(i));
			boolean mark = type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK
					|| type == Character.ENCLOSING_MARK || type == Character.SURROGATE;
			marks = mark ? marks + 1 : 0;
			if (marks > MAX_MARKS) {
				return line;
			}
		}
		return plain ? line : Normalizer.normalize(line, Normalizer.Form.NFC);
	}

	private static char plain(char c) {
		return switch (c) {
			case '\u2018', '\u2019', '\u201a', '\u201b', '\u2032', '\u00b4' -> '\'';
			case '\u201c', '\u201d', '\u201e', '\u201f', '\u2033', '\u00ab', '\u00bb' -> '"';
			case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212' -> '-';
			default -> c;
		};
	}

	private void add(char c, int origin) {
		int index = this.text.length();
		if (index + 1 >= this.origins.length) {
			this.origins = Arrays.copyOf(this.origins, index * 2 + 2);
		}
		this.text.append(c);
		this.origins[index] = origin;
	}

	private FoldedText end(String source) {
		this.origins[this.text.length()] = source.length();
		return this;
	}

	/**
	 * Returns the text without the differences.
	 * @return the text
	 */
	String text() {
		return this.text.toString();
	}

	/**
	 * Returns where a character comes from.
	 * @param index an index into the folded text, or its length
	 * @return the index in the source
	 */
	int origin(int index) {
		return this.origins[index];
	}

}
