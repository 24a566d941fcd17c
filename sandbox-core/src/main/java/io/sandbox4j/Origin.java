package io.sandbox4j;

import java.util.Locale;

/**
 * A scheme, host and port (RFC 6454 section 4), canonical.
 *
 * @param scheme {@code http} or {@code https}
 * @param host as {@link Authority#host()}
 * @param port the port, also when it is the scheme's own
 * @since 0.1.0
 */
public record Origin(String scheme, String host, int port) {

	/**
	 * Parses an origin as an operator writes it: {@code https://api.example.com}, a final
	 * slash allowed.
	 * @param text the text
	 * @return the origin
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is none
	 */
	public static Origin parse(String text) {
		int colon = text.indexOf("://");
		String scheme = (colon > 0) ? text.substring(0, colon).toLowerCase(Locale.ROOT) : "";
		if (!scheme.equals("http") && !scheme.equals("https")) {
			throw invalid("must start with http:// or https://");
		}
		String rest = text.substring(colon + 3);
		String authority = rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
		if (authority.indexOf('@') >= 0) {
			throw invalid("must be a host with an optional port, and no user or password");
		}
		if (authority.chars().anyMatch((c) -> c == '/' || c == '?' || c == '#')) {
			throw invalid("must have no path, query or fragment");
		}
		try {
			Authority parsed = Authority.parseInternational(authority);
			return new Origin(scheme, parsed.host(),
					(parsed.port() != Authority.NO_PORT) ? parsed.port() : defaultPort(scheme));
		}
		catch (IllegalArgumentException ex) {
			throw invalid(String.valueOf(ex.getMessage()));
		}
	}

	private static SandboxException invalid(String what) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, "'network.allow.origin' " + what + ".");
	}

	/**
	 * Returns the port of URLs that name none.
	 * @param scheme {@code http} or {@code https}
	 * @return 80 or 443
	 */
	public static int defaultPort(String scheme) {
		return scheme.equals("http") ? 80 : 443;
	}

	/**
	 * Whether the origin is spoken to over TLS.
	 * @return {@code true} for https
	 */
	public boolean secure() {
		return this.scheme.equals("https");
	}

	/**
	 * Returns host and port as a {@code Host} field has them: the scheme's own port is
	 * left out.
	 * @return the authority
	 */
	public Authority authority() {
		return new Authority(this.host, (this.port != defaultPort(this.scheme)) ? this.port : Authority.NO_PORT);
	}

	/**
	 * Writes the origin as a URL has it.
	 * @return scheme, host, and the port unless it is the scheme's own
	 */
	@Override
	public String toString() {
		return this.scheme + "://" + authority();
	}

}
