package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.WorkspacePath;

/**
 * The pattern of a model's glob tool, matched segment by segment against the whole path
 * below the workspace. Only {@code *}, {@code ?} and a segment {@code **} are special:
 * frameworks name files {@code [post].tsx} and {@code (shop)}, and a model that copies
 * such a name means that name.
 * <p>
 * A set of states is a {@code long}, where bit <i>n</i> stands for "the first <i>n</i>
 * segments are used up", so that a walk takes its states along from directory to
 * directory and leaves out what cannot match. There is no regular expression: a pattern
 * is written by a model that may be led astray, and must not cost more than its length.
 */
final class Glob {

	private static final int MAX_LENGTH = 4096;

	// One bit for each, one for the end, and the sign bit stays free.
	private static final int MAX_SEGMENTS = 60;

	private static final int SHOWN = 200;

	private static final String EVERYTHING = "**";

	private final List<String> texts;

	private final List<Segment> segments;

	private final long deep;

	private final long end;

	private Glob(List<String> texts) {
		this.texts = List.copyOf(texts);
		this.segments = this.texts.stream().map(Glob::segment).toList();
		long stars = 0;
		for (int i = 0; i < texts.size(); i++) {
			stars |= texts.get(i).equals(EVERYTHING) ? 1L << i : 0;
		}
		this.deep = stars;
		this.end = 1L << texts.size();
	}

	/**
	 * Parses what a model wrote.
	 * @param pattern the pattern, relative to the workspace or below {@code /workspace/}
	 * @return the glob
	 * @throws IllegalArgumentException with a message for the model if it is none
	 */
	static Glob parse(String pattern) {
		if (pattern.isEmpty()) {
			throw refused(pattern, "is empty. Use '**' for every file, or a pattern such as 'src/**/*.java'.");
		}
		if (pattern.length() > MAX_LENGTH) {
			throw refused(pattern, "is longer than " + MAX_LENGTH + " characters. Use a shorter one with '*' or '**'.");
		}
		if (pattern.indexOf('\\') >= 0) {
			throw refused(pattern,
					"has a backslash. Use '/' between names; brackets, braces and parentheses" + " need no escape.");
		}
		String relative = relative(pattern);
		if (relative.isEmpty()) {
			throw refused(pattern, "names the workspace itself. Use '**' for every file below it.");
		}
		List<String> texts = new ArrayList<>();
		for (String text : relative.split("/", -1)) {
			validate(text, pattern);
			if (!text.equals(EVERYTHING) || texts.isEmpty() || !texts.get(texts.size() - 1).equals(EVERYTHING)) {
				texts.add(text);
			}
			if (texts.size() > MAX_SEGMENTS) {
				throw refused(pattern, "has more than " + MAX_SEGMENTS + " segments. Use '**' for several of them.");
			}
		}
		return new Glob(texts);
	}

	private static String relative(String pattern) {
		String root = WorkspacePath.ROOT + "/";
		if (pattern.equals(WorkspacePath.ROOT)) {
			return "";
		}
		boolean rooted = pattern.startsWith(root);
		if (!rooted && pattern.startsWith("/")) {
			throw refused(pattern, "is outside the workspace. Use a relative pattern such as 'src/**/*.java', or one"
					+ " that starts with '" + root + "'.");
		}
		String relative = rooted ? pattern.substring(root.length()) : pattern;
		int start = 0;
		while (relative.startsWith("./", start)) {
			start += 2;
		}
		return relative.substring(start);
	}

	private static void validate(String text, String pattern) {
		if (text.isEmpty() && pattern.endsWith("/")) {
			throw refused(pattern, "ends with '/'. Remove it, or add '**' for everything below that directory.");
		}
		if (text.isEmpty()) {
			throw refused(pattern, "has an empty segment. Use one '/' between names.");
		}
		if (text.equals(".") || text.equals("..")) {
			throw refused(pattern, "has a '" + text + "' segment. Write the path from the root of the workspace"
					+ " without '.' and '..'.");
		}
	}

	/**
	 * Returns the states at the workspace root.
	 * @return the states before any segment
	 */
	long start() {
		return closure(1);
	}

	/**
	 * Returns the states of a directory.
	 * @param directory the directory
	 * @return its states, 0 if nothing below it can match
	 */
	long states(WorkspacePath directory) {
		long states = start();
		for (String name : directory.segments()) {
			states = step(states, name);
		}
		return states;
	}

	/**
	 * Goes down by one name.
	 * @param states the states of the directory
	 * @param name the name of an entry in it
	 * @return the states of the entry, 0 if neither it nor what is below it can match
	 */
	long step(long states, String name) {
		long next = states & this.deep;
		long open = states & ~this.deep & (this.end - 1);
		while (open != 0) {
			long bit = Long.lowestOneBit(open);
			open ^= bit;
			if (this.segments.get(Long.numberOfTrailingZeros(bit)).matches(name)) {
				next |= bit << 1;
			}
		}
		return closure(next);
	}

	// "**" may stand for nothing. One shift is enough, as no two of them are neighbours.
	private long closure(long states) {
		return states | ((states & this.deep) << 1);
	}

	/**
	 * Whether an entry matches.
	 * @param states the states of the entry
	 * @return {@code true} if so
	 */
	boolean accepts(long states) {
		return (states & this.end) != 0;
	}

	/**
	 * Whether something below a directory could match.
	 * @param states the states of the directory
	 * @return {@code false} if a walk need not enter it
	 */
	boolean goesOn(long states) {
		return (states & (this.end - 1)) != 0;
	}

	/**
	 * Returns the directory below which everything that matches is.
	 * @return the leading segments without wildcards, never the last segment
	 */
	List<String> literalPrefix() {
		int count = 0;
		while (count < this.texts.size() - 1 && isLiteral(this.texts.get(count))) {
			count++;
		}
		return this.texts.subList(0, count);
	}

	/**
	 * Whether the pattern is a path.
	 * @return {@code true} if it has no wildcard at all
	 */
	boolean isLiteral() {
		return this.texts.stream().allMatch(Glob::isLiteral);
	}

	/**
	 * Whether a path matches.
	 * @param path the path
	 * @return {@code true} if so
	 */
	boolean matches(WorkspacePath path) {
		return matches(path.segments());
	}

	/**
	 * Whether a path matches.
	 * @param path the names below the workspace root
	 * @return {@code true} if so
	 */
	boolean matches(List<String> path) {
		long states = start();
		for (String name : path) {
			states = step(states, name);
			if (states == 0) {
				return false;
			}
		}
		return accepts(states);
	}

	private static boolean isLiteral(String text) {
		return text.indexOf('*') < 0 && text.indexOf('?') < 0;
	}

	// Nearly every segment is one of the quick ones.
	private static Segment segment(String text) {
		if (isLiteral(text)) {
			return text::equals;
		}
		int star = text.indexOf('*');
		if (text.indexOf('?') < 0 && star == text.lastIndexOf('*')) {
			String before = text.substring(0, star);
			String after = text.substring(star + 1);
			return before.isEmpty() ? (name) -> name.endsWith(after) : (name) -> matches(before, after, name);
		}
		return (name) -> matches(text, name);
	}

	private static boolean matches(String before, String after, String name) {
		return name.length() >= before.length() + after.length() && name.startsWith(before) && name.endsWith(after);
	}

	// Only the last star ever needs to take more: what an earlier one could take instead
	// the last one can take as well. So the work is at most the product of the lengths.
	private static boolean matches(String text, String name) {
		int t = 0;
		int n = 0;
		int star = -1;
		int resume = 0;
		while (n < name.length()) {
			if (t < text.length() && text.charAt(t) == '*') {
				star = t++;
				resume = n;
			}
			else if (t < text.length() && text.charAt(t) == '?') {
				t++;
				n = afterCodePoint(name, n);
			}
			else if (t < text.length() && text.charAt(t) == name.charAt(n)) {
				t++;
				n++;
			}
			else if (star >= 0) {
				t = star + 1;
				resume = afterCodePoint(name, resume);
				n = resume;
			}
			else {
				return false;
			}
		}
		while (t < text.length() && text.charAt(t) == '*') {
			t++;
		}
		return t == text.length();
	}

	private static int afterCodePoint(String name, int index) {
		return index + Character.charCount(name.codePointAt(index));
	}

	private static IllegalArgumentException refused(String pattern, String why) {
		String shown = (pattern.length() > SHOWN) ? pattern.substring(0, SHOWN) + "..." : pattern;
		return new IllegalArgumentException("Pattern '" + shown.replace("\0", "\\0") + "' " + why);
	}

	/**
	 * One segment of a pattern.
	 */
	private interface Segment {

		boolean matches(String name);

	}

}
