package io.sandbox4j.gateway;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.sandbox4j.Authority;
import io.sandbox4j.Origin;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for (RFC 9112 section 3.2). Nothing is normalised: the path that
 * was checked is the path that is sent, so no library after the check can turn it into
 * another.
 *
 * @param authority the host and port, from the Host field and equal to the target's
 * @param scheme the scheme of a target in absolute form, or {@code null}
 * @param path the path as it came
 * @param query the query as it came, without its question mark, or {@code null}
 */
record RequestTarget(Authority authority, @Nullable String scheme, String path, @Nullable String query) {

	private static final Pattern ABSOLUTE = Pattern.compile("(?i)(https?)://([^/?#]*)(.*)");

	private static final int MAX_DECODING = 8;

	/**
	 * Parses the target and the Host fields of a request.
	 * @param method the method
	 * @param target the target as it came
	 * @param hosts the values of the Host fields
	 * @return the target
	 * @throws RefusedException if they are none, or not one and the same
	 */
	static RequestTarget parse(String method, String target, List<String> hosts) throws RefusedException {
		if (method.equals("CONNECT")) {
			throw new RefusedException(Refusal.CONNECT_NOT_SUPPORTED, "A guest asked for a tunnel.");
		}
		Authority host = host(hosts);
		if (target.startsWith("//")) {
			throw new RefusedException(Refusal.ORIGIN_NOT_LISTED, "A target starts with two slashes.");
		}
		if (target.startsWith("/")) {
			return of(host, null, target);
		}
		Matcher absolute = ABSOLUTE.matcher(target);
		if (!absolute.matches()) {
			throw badTarget("is neither a path nor a URL");
		}
		String scheme = absolute.group(1).toLowerCase(Locale.ROOT);
		Authority named = authority(absolute.group(2));
		if (!canonical(named, scheme).equals(canonical(host, scheme))) {
			throw badHost("is not the host of the target");
		}
		String rest = absolute.group(3);
		return of(named, scheme, rest.startsWith("/") ? rest : "/" + rest);
	}

	private static Authority host(List<String> hosts) throws RefusedException {
		if (hosts.size() != 1) {
			throw badHost("is missing or stands more than once");
		}
		return authority(hosts.get(0));
	}

	private static Authority authority(String text) throws RefusedException {
		try {
			return Authority.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw badHost(String.valueOf(ex.getMessage()));
		}
	}

	private static Authority canonical(Authority authority, String scheme) {
		return (authority.port() != Authority.NO_PORT) ? authority
				: new Authority(authority.host(), Origin.defaultPort(scheme));
	}

	private static RequestTarget of(Authority authority, @Nullable String scheme, String rest) throws RefusedException {
		int mark = rest.indexOf('?');
		String path = (mark < 0) ? rest : rest.substring(0, mark);
		String query = (mark < 0) ? null : rest.substring(mark + 1);
		if (!Grammar.isPath(path) || (query != null && !Grammar.isQuery(query))) {
			throw badTarget("has a character that a path or query cannot have");
		}
		if (hasDotSegment(path)) {
			throw badTarget("has a dot segment");
		}
		return new RequestTarget(authority, scheme, path, query);
	}

	// Some server decodes once more than the next, or takes a backslash for a slash, or
	// drops what follows a semicolon: a dot segment in any of these readings is one.
	private static boolean hasDotSegment(String path) throws RefusedException {
		String decoded = path;
		for (int i = 0; i < MAX_DECODING; i++) {
			if (isDotted(decoded)) {
				return true;
			}
			String next = (decoded.indexOf('%') >= 0) ? decode(decoded) : decoded;
			if (next.equals(decoded)) {
				return false;
			}
			decoded = next;
		}
		throw badTarget("is encoded too many times");
	}

	private static boolean isDotted(String path) {
		// Nearly every path has no such segment, and this tells at a glance.
		if (!path.contains("/.") && !path.contains("\\.")) {
			return false;
		}
		for (String segment : path.split("[/\\\\]")) {
			int end = segment.indexOf(';');
			String name = (end < 0) ? segment : segment.substring(0, end);
			if (name.equals(".") || name.equals("..")) {
				return true;
			}
		}
		return false;
	}

	private static String decode(String text) {
		StringBuilder decoded = new StringBuilder(text.length());
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			int value = (c == '%' && i + 2 < text.length()) ? Grammar.hex(text.charAt(i + 1), text.charAt(i + 2)) : -1;
			decoded.append((value >= 0) ? (char) value : c);
			i += (value >= 0) ? 2 : 0;
		}
		return decoded.toString();
	}

	/**
	 * Returns what is sent to the origin.
	 * @return path and query, as they came
	 */
	String sent() {
		return (this.query != null) ? this.path + "?" + this.query : this.path;
	}

	/**
	 * Whether the path has a slash or backslash in encoded form, of which servers differ
	 * in whether it is one.
	 * @return {@code true} if so
	 */
	boolean hasEncodedSlash() {
		if (this.path.indexOf('%') < 0) {
			return false;
		}
		String lower = this.path.toLowerCase(Locale.ROOT);
		return lower.contains("%2f") || lower.contains("%5c") || lower.contains("%25");
	}

	private static RefusedException badHost(String what) {
		return new RefusedException(Refusal.BAD_HOST, "The Host of a request " + what + ".");
	}

	private static RefusedException badTarget(String what) {
		return new RefusedException(Refusal.BAD_TARGET, "The target of a request " + what + ".");
	}

}
