package io.sandbox4j.git;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a guest wrote, as text that a person can be shown: no escape sequence of a
 * terminal and nothing that reorders a line is left in it.
 */
final class CommitText {

	private static final char REPLACEMENT = '\uFFFD';

	// "Name <address> SECONDS ZONE", see git-commit-tree(1)
	private static final Pattern AUTHOR = Pattern.compile("author (?:(.*) )?(-?[0-9]{1,12}) [-+][0-9]{1,6}");

	private CommitText() {
	}

	/**
	 * Reads a commit as it is stored, whatever is in it.
	 * @param id its id
	 * @param raw its bytes, or the first of them
	 * @return the commit
	 */
	static AgentCommit parse(String id, byte[] raw) {
		String text = new String(raw, StandardCharsets.UTF_8);
		int end = text.indexOf("\n\n");
		String head = (end < 0) ? text : text.substring(0, end);
		String message = (end < 0) ? "" : text.substring(end + 2).replace("\r\n", "\n").strip();
		int paragraph = message.indexOf("\n\n");
		String subject = (paragraph < 0) ? message : message.substring(0, paragraph);
		String body = (paragraph < 0) ? "" : message.substring(paragraph + 2).strip();
		String author = "";
		Instant time = Instant.EPOCH;
		for (String line : head.split("\n")) {
			Matcher matcher = AUTHOR.matcher(line);
			if (author.isEmpty() && matcher.matches()) {
				author = Objects.requireNonNullElse(matcher.group(1), "");
				time = time(matcher.group(2));
			}
		}
		return new AgentCommit(id, shown(author), time, shown(subject.replace('\n', ' ')), shown(body));
	}

	private static Instant time(String seconds) {
		try {
			return Instant.ofEpochSecond(Long.parseLong(seconds));
		}
		catch (DateTimeException ex) {
			return Instant.EPOCH;
		}
	}

	/**
	 * Returns the text without what a terminal would act on. Ends of lines and tabs stay.
	 * @param text the text
	 * @return the text that can be shown
	 */
	static String shown(String text) {
		StringBuilder shown = new StringBuilder(text.length());
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			shown.append(isHarmless(c) ? c : REPLACEMENT);
		}
		return shown.toString();
	}

	private static boolean isHarmless(char c) {
		if (c == '\n' || c == '\t') {
			return true;
		}
		boolean reorders = c == '\u061C' || c == '\u200E' || c == '\u200F' || (c >= '\u2028' && c <= '\u202E')
				|| (c >= '\u2066' && c <= '\u2069');
		return !Character.isISOControl(c) && !reorders;
	}

}
