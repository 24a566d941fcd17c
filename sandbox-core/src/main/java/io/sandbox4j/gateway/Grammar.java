package io.sandbox4j.gateway;

import java.util.BitSet;

/**
 * The few rules of RFC 9110 and RFC 3986 that every head is held to. Loops instead of
 * regular expressions: these run for every field of every request, and a group that
 * repeats costs {@link java.util.regex.Pattern} a stack frame for each character.
 */
final class Grammar {

	private static final BitSet TOKEN = alphanumericsAnd("!#$%&'*+.^_`|~-");

	/**
	 * RFC 3986's pchar and slash, and the brackets, braces, bars and carets that clients
	 * send bare all the same and that mean nothing in a path.
	 */
	private static final BitSet PATH = alphanumericsAnd("!$&'()*+,;=:@._~/[]{}|^-");

	/**
	 * Whatever is visible, but what would end the query.
	 */
	private static final BitSet QUERY = visibleBut("#%");

	private Grammar() {
	}

	private static BitSet alphanumericsAnd(String others) {
		BitSet set = new BitSet();
		set.set('0', '9' + 1);
		set.set('A', 'Z' + 1);
		set.set('a', 'z' + 1);
		others.chars().forEach(set::set);
		return set;
	}

	private static BitSet visibleBut(String others) {
		BitSet set = new BitSet();
		set.set('!', '~' + 1);
		others.chars().forEach(set::clear);
		return set;
	}

	static boolean isToken(char c) {
		return TOKEN.get(c);
	}

	// RFC 9110 section 5.6.2.
	static boolean isToken(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (!TOKEN.get(text.charAt(i))) {
				return false;
			}
		}
		return !text.isEmpty();
	}

	// At most 18, which a long holds.
	static boolean isLength(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < '0' || text.charAt(i) > '9') {
				return false;
			}
		}
		return !text.isEmpty() && text.length() <= 18;
	}

	static boolean isPath(String text) {
		return text.startsWith("/") && has(PATH, text);
	}

	static boolean isQuery(String text) {
		return has(QUERY, text);
	}

	// What is encoded counts too: no control character gets through.
	private static boolean has(BitSet set, String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '%') {
				int value = (i + 2 < text.length()) ? hex(text.charAt(i + 1), text.charAt(i + 2)) : -1;
				if (value < 0x20 || value == 0x7f) {
					return false;
				}
				i += 2;
			}
			else if (!set.get(c)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Reads two hexadecimal digits.
	 * @param high the first
	 * @param low the second
	 * @return the value, or -1 if they are none in ASCII
	 */
	static int hex(char high, char low) {
		int first = (high < 0x80) ? Character.digit(high, 16) : -1;
		int second = (low < 0x80) ? Character.digit(low, 16) : -1;
		return (first >= 0 && second >= 0) ? first * 16 + second : -1;
	}

}
