package io.sandbox4j.tools;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A literal search in linear time (Knuth, Morris and Pratt). The one of {@code String}
 * takes the product of both lengths when text and pattern repeat themselves, and a model
 * chooses both.
 */
final class TextSearch {

	private final String pattern;

	// For each prefix of the pattern, the longest shorter prefix that it ends with.
	private final int[] borders;

	TextSearch(String pattern) {
		if (pattern.isEmpty()) {
			throw new IllegalArgumentException("'pattern' must not be empty");
		}
		this.pattern = pattern;
		this.borders = new int[pattern.length()];
		int matched = 0;
		for (int i = 1; i < pattern.length(); i++) {
			matched = next(matched, pattern.charAt(i));
			this.borders[i] = matched;
		}
	}

	/**
	 * Finds the occurrences from left to right; those that overlap an earlier one do not
	 * count.
	 * @param text where to search
	 * @param accepted tells by its start whether an occurrence counts
	 * @return where they start, in ascending order
	 */
	int[] all(String text, IntPredicate accepted) {
		IntStream.Builder starts = IntStream.builder();
		if (text.length() < this.pattern.length()) {
			return new int[0];
		}
		int matched = 0;
		for (int i = 0; i < text.length(); i++) {
			matched = next(matched, text.charAt(i));
			if (matched == this.pattern.length()) {
				int start = i + 1 - matched;
				if (accepted.test(start)) {
					starts.add(start);
					matched = 0;
				}
			}
		}
		return starts.build().toArray();
	}

	/**
	 * Finds where most of the pattern's beginning occurs.
	 * @param text where to search
	 * @return the first of the longest matches
	 */
	Match longest(String text) {
		Match longest = new Match(0, 0);
		int matched = 0;
		for (int i = 0; i < text.length() && longest.length() < this.pattern.length(); i++) {
			matched = next(matched, text.charAt(i));
			if (matched > longest.length()) {
				longest = new Match(i + 1 - matched, matched);
			}
		}
		return longest;
	}

	private int next(int matched, char c) {
		int length = matched;
		while (length > 0 && (length == this.pattern.length() || this.pattern.charAt(length) != c)) {
			length = this.borders[length - 1];
		}
		return (this.pattern.charAt(length) == c) ? length + 1 : 0;
	}

	/**
	 * A part of a text that is a beginning of the pattern.
	 *
	 * @param start where it starts
	 * @param length how much of the pattern it is
	 */
	record Match(int start, int length) {

		int end() {
			return this.start + this.length;
		}

	}

}
