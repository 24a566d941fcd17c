package io.sandbox4j;

import java.net.URI;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What commands may reach. Never stored: every attach supplies it again.
 *
 * @since 0.1.0
 */
public sealed interface NetworkPolicy {

	/**
	 * Returns the policy of a sandbox without network: its own loopback interface only.
	 * @return the policy
	 */
	static NetworkPolicy denyAll() {
		return new DenyAll();
	}

	/**
	 * Returns the policy of a sandbox in the host's network, where it can reach whatever
	 * the host can, local services and abstract sockets included.
	 * @return the policy
	 */
	static NetworkPolicy allowAll() {
		return new AllowAll();
	}

	/**
	 * Returns the policy of a sandbox that reaches listed origins through the gateway.
	 * @param rules the origins; none is the same as {@link #denyAll()}
	 * @return the policy
	 */
	static NetworkPolicy allow(OriginRule... rules) {
		return new AllowList(List.of(rules));
	}

	/**
	 * No network.
	 */
	record DenyAll() implements NetworkPolicy {

	}

	/**
	 * The host's network.
	 */
	record AllowAll() implements NetworkPolicy {

	}

	/**
	 * Listed origins through the gateway.
	 *
	 * @param rules the origins
	 */
	record AllowList(List<OriginRule> rules) implements NetworkPolicy {

		/**
		 * Refuses a host and port that stands twice, also under two schemes.
		 */
		public AllowList {
			rules = List.copyOf(rules);
			Set<String> authorities = new HashSet<>();
			for (OriginRule rule : rules) {
				URI origin = URI.create(rule.origin());
				if (!authorities.add(origin.getAuthority().toLowerCase(Locale.ROOT))) {
					throw OriginRule.invalid("network.allow", "names '" + origin.getAuthority()
							+ "' twice. A host and port may stand once, with one scheme");
				}
			}
		}

	}

	/**
	 * One origin, and the headers that the gateway adds to requests for it.
	 *
	 * @param origin scheme, host and port: {@code https://api.example.com}
	 * @param headers names and values; the values are secret and never shown
	 */
	record OriginRule(String origin, Map<String, String> headers) {

		private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

		private static final Set<String> FORBIDDEN = Set.of("host", "connection", "content-length", "transfer-encoding",
				"proxy-authorization", "proxy-connection", "upgrade", "trailer", "te");

		/**
		 * Validates the origin and the headers (RFC 9110 section 5.6.2 for names).
		 */
		public OriginRule {
			origin = canonical(origin);
			Map<String, String> copy = new LinkedHashMap<>();
			headers.forEach((name, value) -> {
				if (!TOKEN.matcher(name).matches() || FORBIDDEN.contains(name.toLowerCase(Locale.ROOT))) {
					throw invalid("network.allow.headers",
							"has the name '" + printable(name) + "', which the gateway cannot set");
				}
				if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0 || value.indexOf('\0') >= 0) {
					throw invalid("network.allow.headers", "has a line break or NUL in the value of '" + name + "'");
				}
				copy.put(name, value);
			});
			headers = Collections.unmodifiableMap(copy);
		}

		/**
		 * Names the headers without their values.
		 */
		@Override
		public String toString() {
			return "OriginRule[origin=" + this.origin + ", headers=" + this.headers.keySet() + "]";
		}

		private static String canonical(String origin) {
			URI uri;
			try {
				uri = URI.create(origin);
			}
			catch (IllegalArgumentException ex) {
				throw invalid("network.allow.origin", "is not a URL");
			}
			String scheme = (uri.getScheme() != null) ? uri.getScheme().toLowerCase(Locale.ROOT) : "";
			if (!scheme.equals("http") && !scheme.equals("https")) {
				throw invalid("network.allow.origin", "must start with http:// or https://");
			}
			if (uri.getRawUserInfo() != null || uri.getHost() == null) {
				throw invalid("network.allow.origin", "must be a host with an optional port, and no user or password");
			}
			boolean bare = uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
			if (!bare || uri.getRawQuery() != null || uri.getRawFragment() != null) {
				throw invalid("network.allow.origin", "must have no path, query or fragment");
			}
			int defaultPort = scheme.equals("http") ? 80 : 443;
			boolean portless = uri.getPort() == -1 || uri.getPort() == defaultPort;
			return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + (portless ? "" : ":" + uri.getPort());
		}

		private static String printable(String text) {
			return text.replaceAll("[^\\x20-\\x7e]", "?");
		}

		static SandboxException invalid(String property, String what) {
			return new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + property + "' " + what + ".");
		}

	}

}
