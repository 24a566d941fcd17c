package io.sandbox4j;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A host and, where one is written, a port, in the one form in which this library
 * compares, resolves and sends them: lower case, no trailing dot, an international name
 * in its ASCII form (RFC 5890), IPv4 as four decimal numbers, IPv6 as RFC 5952 writes it
 * in brackets. The same value drives the policy, the credential, the name in TLS and the
 * connection, so none of them can see another host than the others.
 *
 * @param host the canonical host; an IPv6 address stands in brackets
 * @param port the port, or {@link #NO_PORT}
 * @since 0.1.0
 */
public record Authority(String host, int port) {

	/**
	 * No port was written.
	 */
	public static final int NO_PORT = -1;

	private static final int MAX_HOST = 253;

	private static final int MAX_LABEL = 63;

	private static final Pattern DOTTED_QUAD = Pattern
		.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");

	/**
	 * What a resolver could take for a number: then it is an address or nothing (WHATWG
	 * URL, "ends in a number").
	 */
	private static final Pattern NUMERIC_LABEL = Pattern.compile("\\d+|0x[0-9a-f]*");

	private static final Pattern IPV6 = Pattern.compile("[0-9a-f:]+(\\d{1,3}(\\.\\d{1,3}){3})?");

	private static final Pattern PORT = Pattern.compile("[1-9]\\d{0,4}");

	/**
	 * Parses what stands in a {@code Host} field or in a URL between {@code //} and the
	 * next slash (RFC 3986 section 3.2). A user name, a zone, an address in another than
	 * its usual form, control characters and percent signs are refused.
	 * @param text the text, ASCII only
	 * @return the canonical authority
	 * @throws IllegalArgumentException if it is none; the message says why and does not
	 * quote it
	 */
	public static Authority parse(String text) {
		String host = text;
		int port = NO_PORT;
		int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
		if (text.startsWith("[") && end == 0) {
			throw new IllegalArgumentException("has a bracket that is not closed");
		}
		if (end >= 0 && end < text.length()) {
			host = text.substring(0, end);
			port = port(text, end);
		}
		return new Authority(host(host), port);
	}

	/**
	 * Parses a host as an operator writes it, international names included.
	 * @param text the text
	 * @return the canonical authority
	 * @throws IllegalArgumentException if it is none
	 */
	static Authority parseInternational(String text) {
		boolean ascii = text.chars().allMatch((c) -> c < 0x80);
		return parse(ascii ? text : IDN.toASCII(text, IDN.USE_STD3_ASCII_RULES));
	}

	private static int port(String text, int colon) {
		String port = text.substring(colon + 1);
		if (text.charAt(colon) != ':' || !PORT.matcher(port).matches() || Integer.parseInt(port) > 0xffff) {
			throw new IllegalArgumentException("has a port that is not a number from 1 to 65535");
		}
		return Integer.parseInt(port);
	}

	private static String host(String text) {
		String host = text.toLowerCase(Locale.ROOT);
		if (host.startsWith("[")) {
			return "[" + ipv6(host.substring(1, host.length() - 1)) + "]";
		}
		if (host.endsWith(".")) {
			host = host.substring(0, host.length() - 1);
		}
		if (host.isEmpty() || host.length() > MAX_HOST) {
			throw new IllegalArgumentException("has no host, or one of more than 253 characters");
		}
		String[] labels = host.split("\\.", -1);
		for (String label : labels) {
			if (!isLabel(label)) {
				throw new IllegalArgumentException("has a host that is not letters, digits and dashes between dots");
			}
		}
		if (NUMERIC_LABEL.matcher(labels[labels.length - 1]).matches() && !DOTTED_QUAD.matcher(host).matches()) {
			throw new IllegalArgumentException("has a number for a host; an IPv4 address is four decimal numbers");
		}
		return host;
	}

	private static boolean isLabel(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			boolean inner = c == '-' && i > 0 && i < text.length() - 1;
			if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && !inner) {
				return false;
			}
		}
		return !text.isEmpty() && text.length() <= MAX_LABEL;
	}

	private static String ipv6(String text) {
		// Charset and colon first: then nothing is looked up.
		if (!IPV6.matcher(text).matches() || text.indexOf(':') < 0) {
			throw new IllegalArgumentException("has brackets around what is not an IPv6 address");
		}
		try {
			if (InetAddress.getByName("[" + text + "]") instanceof Inet6Address address) {
				return compressed(address.getAddress());
			}
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException("has brackets around what is not an IPv6 address", ex);
		}
		throw new IllegalArgumentException("has an IPv4 address in IPv6 form; write the IPv4 address");
	}

	// RFC 5952: the longest run of two or more zero groups, the first of equals, is "::".
	private static String compressed(byte[] address) {
		int[] groups = new int[8];
		for (int i = 0; i < 8; i++) {
			groups[i] = ((address[2 * i] & 0xff) << 8) | (address[2 * i + 1] & 0xff);
		}
		int start = -1;
		int longest = 1;
		for (int i = 0; i < 8; i++) {
			int end = i;
			while (end < 8 && groups[end] == 0) {
				end++;
			}
			if (end - i > longest) {
				start = i;
				longest = end - i;
			}
		}
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 8; i++) {
			if (i == start) {
				text.append("::");
				i += longest - 1;
				continue;
			}
			if (text.length() > 0 && text.charAt(text.length() - 1) != ':') {
				text.append(':');
			}
			text.append(Integer.toHexString(groups[i]));
		}
		return text.toString();
	}

	/**
	 * Writes host and port as a {@code Host} field has them.
	 * @return the host, and the port if there is one
	 */
	@Override
	public String toString() {
		return (this.port != NO_PORT) ? this.host + ":" + this.port : this.host;
	}

}
