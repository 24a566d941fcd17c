package io.sandbox4j.tools;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * What lines are searched for: a text, or an expression of RE2, whose time is linear in
 * the line whatever a model writes. Thread-safe.
 */
final class LineQuery {

	private static final int MAX_LENGTH = 1000;

	// An expression is not tried on a longer line.
	private static final int MAX_LINE = 8192;

	// A long line takes most of a second with as many steps.
	private static final int MAX_STEPS = 5000;

	// RE2 itself refuses larger numbers than these.
	private static final Pattern REPETITION = Pattern.compile("\\{(\\d{1,4})(?:,(\\d{0,4}))?\\}");

	private final @Nullable Pattern pattern;

	private final @Nullable String required;

	private LineQuery(@Nullable Pattern pattern, @Nullable String required) {
		this.pattern = pattern;
		this.required = required;
	}

	/**
	 * Parses what a model wrote.
	 * @param query the text or the expression
	 * @param regex which of both it is
	 * @return the query
	 * @throws Refusal if it is too long, no expression or one that repeats too much
	 */
	static LineQuery of(String query, boolean regex) {
		if (query.isEmpty() || query.length() > MAX_LENGTH) {
			throw Refusal.badRequest("The query must have 1 to " + MAX_LENGTH + " characters.", "Correct the query.");
		}
		if (regex && steps(query) > MAX_STEPS) {
			throw Refusal.badRequest("The expression repeats too much.",
					"Use smaller numbers in braces, * or +, or fewer repetitions of groups.");
		}
		try {
			return regex ? new LineQuery(Pattern.compile(query), RequiredText.of(query)) : new LineQuery(null, query);
		}
		catch (PatternSyntaxException ex) {
			throw Refusal.badRequest("The expression is not valid in RE2: " + ex.getDescription() + ".",
					"Use no backreferences and no look-around; to search for the text itself set regex to false.");
		}
	}

	// At least as many as RE2 makes, which copies what is repeated. In Java it does so
	// without a limit, and (((x{1000}){1000}){1000}) takes all memory. What a brace
	// behind a group, a flag or a quotation repeats is taken for all that is before.
	private static long steps(String expression) {
		Matcher repetition = REPETITION.matcher(expression);
		long steps = 0;
		int from = 0;
		while (steps <= MAX_STEPS && repetition.find()) {
			int start = repetition.start();
			String most = repetition.group(2);
			int count = Math.max(Integer.parseInt(repetition.group(1)),
					(most != null && !most.isEmpty()) ? Integer.parseInt(most) : 1);
			steps += start - from;
			boolean one = start == 0 || ")E".indexOf(expression.charAt(start - 1)) < 0;
			steps = one ? steps + count : steps * count;
			from = repetition.end();
		}
		return steps + expression.length() - from;
	}

	/**
	 * Whether a line of the text could match. Quick.
	 * @param text the text
	 * @return {@code false} if none does
	 */
	boolean maybeIn(String text) {
		return this.required == null || text.contains(this.required);
	}

	/**
	 * Whether the line is so long that it is not looked at.
	 * @param line the line
	 * @return {@code true} if so
	 */
	boolean skips(String line) {
		return this.pattern != null && line.length() > MAX_LINE;
	}

	/**
	 * Finds the first match.
	 * @param line the line
	 * @return where it is, or {@code null}
	 */
	@Nullable Span find(String line) {
		if (this.pattern == null) {
			String text = (this.required != null) ? this.required : "";
			int start = line.indexOf(text);
			return (start < 0) ? null : new Span(start, start + text.length());
		}
		if (!maybeIn(line)) {
			return null;
		}
		Matcher matcher = this.pattern.matcher(line);
		return matcher.find() ? new Span(matcher.start(), matcher.end()) : null;
	}

	/**
	 * A part of a line.
	 *
	 * @param start its first character
	 * @param end the one behind its last
	 */
	record Span(int start, int end) {

	}

}
