package io.sandbox4j.tools;

import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A line of a {@code .gitignore}, written so that JGit reads it as git does.
 * <p>
 * JGit makes regular expressions of most patterns. It hands on some characters after a
 * backslash as they are, so that a line could bring groups and repetitions of its own,
 * and many stars take time without end on a long name; it also logs every malformed
 * pattern. So a line reaches it without backslashes, with few stars in a segment and with
 * brackets of a plain form only. What has no such form is left out.
 */
final class IgnoreLine {

	// The time to match grows with the length of a name to this power.
	private static final int MAX_STARS = 2;

	private static final int MAX_LENGTH_WITH_STARS = 64;

	// Expressions are compiled and matched recursively, and no name is longer than 255.
	private static final int MAX_LENGTH = 1000;

	private static final Set<String> CLASSES = Set.of("alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower",
			"print", "punct", "space", "upper", "xdigit");

	private final String segment;

	private final StringBuilder written = new StringBuilder();

	private int next;

	private IgnoreLine(String segment) {
		this.segment = segment;
	}

	/**
	 * Returns the pattern of a line.
	 * @param line the line without its line feed
	 * @return the pattern for JGit, or {@code null} if there is none that can be used
	 */
	static @Nullable String canonical(String line) {
		String text = withoutTrailingSpaces(line);
		if (text.startsWith("#")) {
			return null;
		}
		String sign = text.startsWith("!") ? "!" : "";
		text = text.substring(sign.length());
		String tail = text.endsWith("/") ? "/" : "";
		text = text.substring(0, text.length() - tail.length());
		boolean rooted = text.startsWith("/");
		String path = rooted ? text.substring(1) : text;
		String[] segments = path.split("/", -1);
		if (isEverything(segments)) {
			return sign + "*" + tail;
		}
		StringBuilder pattern = new StringBuilder(sign).append(rooted ? "/" : "");
		for (String segment : segments) {
			String written = isDeep(segment) ? "**" : new IgnoreLine(segment).write();
			if (written == null || written.isEmpty()) {
				return null;
			}
			boolean first = pattern.length() == sign.length();
			boolean special = first && (written.startsWith("!") || written.startsWith("#"));
			pattern.append(special ? "\\" : "").append(written).append('/');
		}
		pattern.setLength(pattern.length() - 1);
		return pattern.append(tail).toString();
	}

	// JGit knows "**" only beside other segments.
	private static boolean isEverything(String[] segments) {
		String last = segments[segments.length - 1];
		return Stream.of(segments).limit(segments.length - 1).allMatch(IgnoreLine::isDeep)
				&& (isDeep(last) || (segments.length > 1 && last.equals("*")));
	}

	private static boolean isDeep(String segment) {
		return segment.length() > 1 && segment.chars().allMatch((c) -> c == '*');
	}

	// A space after a backslash stays, a tab does too.
	private static String withoutTrailingSpaces(String line) {
		String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
		int nul = text.indexOf('\0');
		text = (nul >= 0) ? text.substring(0, nul) : text;
		int end = 0;
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) == '\\') {
				i++;
				end = i + 1;
			}
			else if (text.charAt(i) != ' ') {
				end = i + 1;
			}
		}
		return text.substring(0, Math.min(end, text.length()));
	}

	private @Nullable String write() {
		if (this.segment.length() > MAX_LENGTH) {
			return null;
		}
		int stars = 0;
		while (this.next < this.segment.length()) {
			char c = this.segment.charAt(this.next++);
			if (c == '*') {
				stars += endsWithStar() ? 0 : 1;
				this.written.append(endsWithStar() ? "" : "*");
			}
			else if (c == '?') {
				this.written.append(c);
			}
			else if (!((c == '[') ? brackets() : literal(c))) {
				return null;
			}
		}
		boolean costly = stars > MAX_STARS || (stars > 1 && this.segment.length() > MAX_LENGTH_WITH_STARS);
		return costly ? null : this.written.toString();
	}

	private boolean endsWithStar() {
		return !this.written.isEmpty() && this.written.charAt(this.written.length() - 1) == '*';
	}

	private boolean literal(char c) {
		char meant = c;
		if (c == '\\') {
			// No path of a workspace has a backslash, so only what it escapes matters.
			if (this.next == this.segment.length() || this.segment.charAt(this.next) == '\\') {
				return false;
			}
			meant = this.segment.charAt(this.next++);
		}
		if ("*?[".indexOf(meant) >= 0 || meant <= ' ' || Character.isWhitespace(meant)) {
			// JGit trims white space.
			this.written.append('[').append(meant).append(']');
		}
		else {
			this.written.append(meant);
		}
		return true;
	}

	private boolean brackets() {
		this.written.append('[');
		if (peek(0) == '!' || peek(0) == '^') {
			this.written.append('!');
			this.next++;
		}
		int first = this.next;
		while (this.next < this.segment.length()) {
			if (peek(0) == ']' && this.next > first) {
				this.next++;
				this.written.append(']');
				return true;
			}
			if (!(range() || characterClass() || member(this.next == first))) {
				return false;
			}
		}
		return false;
	}

	private boolean range() {
		if (peek(1) != '-' || !Character.isLetterOrDigit(peek(0)) || !Character.isLetterOrDigit(peek(2))
				|| peek(0) > peek(2)) {
			return false;
		}
		this.written.append(this.segment, this.next, this.next + 3);
		this.next += 3;
		return true;
	}

	private boolean characterClass() {
		int end = this.segment.indexOf(":]", this.next);
		if (peek(0) != '[' || peek(1) != ':' || end < this.next + 2
				|| !CLASSES.contains(this.segment.substring(this.next + 2, end))) {
			return false;
		}
		this.written.append(this.segment, this.next, end + 2);
		this.next = end + 2;
		return true;
	}

	// The others mean something in a Java expression, or to JGit, at the one place.
	private boolean member(boolean first) {
		char c = peek(0);
		boolean last = peek(1) == ']';
		boolean plain = switch (c) {
			case '\\', '&', '^' -> false;
			case '[' -> last;
			case '-' -> last || (first && peek(1) != '-');
			case ']', ':' -> (c == ']') == first;
			default -> true;
		};
		if (!plain || (peek(1) == '-' && peek(2) != ']')) {
			return false;
		}
		this.written.append(c);
		this.next++;
		return true;
	}

	private char peek(int ahead) {
		int index = this.next + ahead;
		return (index < this.segment.length()) ? this.segment.charAt(index) : '\0';
	}

}
