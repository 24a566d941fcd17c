package io.sandbox4j.tools;

import org.jspecify.annotations.Nullable;

/**
 * A text that is in whatever an expression matches. To look for it is so much quicker
 * than to match, that files without it need not be matched.
 */
final class RequiredText {

	private static final int MIN_LENGTH = 2;

	private final String expression;

	private final StringBuilder run = new StringBuilder();

	private String longest = "";

	private int index;

	private RequiredText(String expression) {
		this.expression = expression;
	}

	/**
	 * Finds such a text. What is not plainly understood has none.
	 * @param expression an expression that RE2 takes
	 * @return the longest text that was found, or {@code null}
	 */
	static @Nullable String of(String expression) {
		return new RequiredText(expression).find();
	}

	private @Nullable String find() {
		while (this.index < this.expression.length()) {
			if (!next(this.expression.codePointAt(this.index))) {
				return null;
			}
		}
		endRun();
		return (this.longest.length() < MIN_LENGTH) ? null : this.longest;
	}

	private boolean next(int character) {
		this.index += Character.charCount(character);
		switch (character) {
			// Alternatives, groups and classes: one of several.
			case '|', '(', ')' -> {
				return false;
			}
			case '[' -> {
				endRun();
				return skipClass();
			}
			case '\\' -> {
				return escape();
			}
			case '.', '^', '$', '+' -> endRun();
			case '*', '?', '{' -> {
				dropLast();
				endRun();
				return character != '{' || skipRepetition();
			}
			default -> this.run.appendCodePoint(character);
		}
		return true;
	}

	// Punctuation stands for itself, and these letters for one character of some kind.
	private boolean escape() {
		if (this.index == this.expression.length()) {
			return false;
		}
		char escaped = this.expression.charAt(this.index++);
		if ("dDsSwWbB".indexOf(escaped) >= 0) {
			endRun();
			return true;
		}
		boolean punctuation = escaped > ' ' && escaped < 0x7F && !Character.isLetterOrDigit(escaped);
		if (punctuation) {
			this.run.append(escaped);
		}
		return punctuation;
	}

	private boolean skipClass() {
		if (this.expression.startsWith("^", this.index)) {
			this.index++;
		}
		int end = this.expression.indexOf(']', this.index + 1);
		// No escapes and no classes in classes.
		boolean simple = end > 0 && this.expression.substring(this.index, end)
			.chars()
			.noneMatch((character) -> character == '\\' || character == '[');
		this.index = end + 1;
		return simple;
	}

	private boolean skipRepetition() {
		int end = this.expression.indexOf('}', this.index);
		boolean repetition = end > 0 && this.expression.substring(this.index, end)
			.chars()
			.allMatch((c) -> (c >= '0' && c <= '9') || c == ',');
		this.index = end + 1;
		return repetition;
	}

	private void dropLast() {
		if (this.run.length() > 0) {
			this.run.setLength(this.run.offsetByCodePoints(this.run.length(), -1));
		}
	}

	private void endRun() {
		if (this.run.length() > this.longest.length()) {
			this.longest = this.run.toString();
		}
		this.run.setLength(0);
	}

}
