package io.sandbox4j.tools;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What a model may have meant with a text that does not occur.
 *
 * @param line the line of the file where it is, or 0
 * @param message a sentence that says what differs
 * @param hint a sentence that says what to do
 */
record NearMiss(int line, String message, String hint) {

	private static final int MAX_QUOTED = 120;

	private static final String COPY = "Copy oldText from the file exactly as it is there. ";

	/**
	 * Looks for a near miss.
	 * @param text the text of the file
	 * @param oldText the text that does not occur in it
	 * @return the first that applies, or {@code null}
	 */
	static @Nullable NearMiss find(String text, String oldText) {
		String unnumbered = NumberedLines.strip(oldText);
		int line = (unnumbered != null) ? lineIgnoringWhitespace(text, unnumbered) : 0;
		if (line > 0) {
			return new NearMiss(line,
					"Every line of oldText starts with a line number; without them, the text is at line " + line + ".",
					"Leave the line numbers, and what separates them from the text, out of oldText and newText.");
		}
		NearMiss miss = folded(text, oldText);
		miss = (miss != null) ? miss : firstLine(text, oldText);
		if (miss == null && unnumbered != null) {
			return new NearMiss(0, "Every line of oldText starts with what looks like a line number.",
					"Leave line numbers out of oldText and newText, and read the file again.");
		}
		return miss;
	}

	private static @Nullable NearMiss folded(String text, String oldText) {
		int line = lineIgnoringWhitespace(text, oldText);
		if (line > 0) {
			return near(text, line, "whitespace");
		}
		line = line(text, oldText, FoldedText::letterCase);
		if (line > 0) {
			return near(text, line, "upper and lower case");
		}
		line = line(text, oldText, FoldedText::typography);
		return (line > 0) ? near(text, line, "the kind of quotes or dashes, or in how accents are encoded") : null;
	}

	private static NearMiss near(String text, int line, String what) {
		return new NearMiss(line, "A near match at line " + line + " differs in " + what + ".",
				COPY + quoted(text, line));
	}

	// The text has line ends around it, so that blanks at the borders of what is looked
	// for find their like at those of the file.
	private static int lineIgnoringWhitespace(String text, String oldText) {
		String wanted = FoldedText.whitespace(oldText).text();
		if (wanted.isBlank()) {
			return 0;
		}
		String framed = "\n" + text + "\n";
		FoldedText folded = FoldedText.whitespace(framed);
		TextSearch.Match match = new TextSearch(wanted).longest(folded.text());
		if (match.length() < wanted.length()) {
			return 0;
		}
		int start = match.start() + (wanted.startsWith(" ") ? 1 : 0);
		return lineAt(framed, folded.origin(start)) - 1;
	}

	private static int line(String text, String oldText, Function<String, FoldedText> fold) {
		String wanted = fold.apply(oldText).text();
		FoldedText folded = fold.apply(text);
		TextSearch.Match match = new TextSearch(wanted).longest(folded.text());
		return (match.length() < wanted.length()) ? 0 : lineAt(text, folded.origin(match.start()));
	}

	private static @Nullable NearMiss firstLine(String text, String oldText) {
		String wanted = oldText.replace("\r\n", "\n").stripLeading();
		int end = wanted.indexOf('\n');
		if (end < 0) {
			return null;
		}
		String folded = text.replace("\r\n", "\n");
		TextSearch.Match match = new TextSearch(wanted).longest(folded);
		if (match.length() < wanted.substring(0, end).stripTrailing().length()) {
			return null;
		}
		int line = lineAt(folded, match.start());
		String found = "The first line of oldText is at line " + line + ", but ";
		if (folded.substring(match.end()).isBlank()) {
			return new NearMiss(line, found + "the file ends where oldText goes on.",
					"Read the file again and leave out of oldText what the file does not have.");
		}
		int differs = lineAt(folded, match.end());
		return new NearMiss(line, found + "what follows differs from line " + differs + " on.",
				COPY + quoted(text, differs));
	}

	private static int lineAt(String text, int index) {
		return 1 + (int) text.substring(0, index).chars().filter((c) -> c == '\n').count();
	}

	private static String quoted(String text, int line) {
		int start = 0;
		for (int i = 1; i < line; i++) {
			start = text.indexOf('\n', start) + 1;
		}
		int end = text.indexOf('\n', start);
		end = (end < 0) ? text.length() : end;
		int shown = Math.min(end, start + MAX_QUOTED);
		if (shown < end && Character.isHighSurrogate(text.charAt(shown - 1))) {
			shown--;
		}
		StringBuilder quoted = new StringBuilder("Line " + line + ((shown < end) ? " starts with: " : " is: "));
		for (int i = start; i < shown; i++) {
			char c = text.charAt(i);
			// A terminal that shows the message must not obey the file.
			boolean control = Character.isISOControl(c) && c != '\t';
			if (!control) {
				quoted.append(c);
			}
		}
		return quoted.toString();
	}

	/**
	 * Returns where the near miss is.
	 * @return its line, or nothing
	 */
	List<Integer> lines() {
		return (this.line > 0) ? List.of(this.line) : List.of();
	}

}
