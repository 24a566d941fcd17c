package io.sandbox4j.gateway;

import java.util.Locale;

/**
 * Why a request is not served. A guest is told the status, a sentence, this code and the
 * hint; never what an upstream or the host said.
 */
enum Refusal {

	DENIED_BY_POLICY(403, Text.DENIED, "This sandbox has no network. Work with what is in the workspace."),

	NETWORK_IS_DIRECT(403, Text.DENIED, "This sandbox has the host's network: connect directly, without this gateway."),

	ORIGIN_NOT_LISTED(403, Text.DENIED, "This host and port is not allowed. Names must be exact."),

	SCHEME_NOT_ALLOWED(403, Text.DENIED, "This host is allowed with another scheme or port only."),

	METHOD_NOT_ALLOWED(403, Text.DENIED, "This method is not allowed at this host."),

	PATH_NOT_ALLOWED(403, Text.DENIED, "This path is not allowed at this host."),

	ADDRESS_NOT_ALLOWED(403, Text.DENIED, "This host is at an address that sandboxes must not reach."),

	CONNECT_NOT_SUPPORTED(403, Text.DENIED,
			"No tunnels. Ask for http://HOST/ through the proxy, or send HTTP to the gateway's socket with the host "
					+ "in the Host field: the gateway speaks TLS to the origin."),

	UPGRADE_NOT_SUPPORTED(501, Text.REFUSED, "No WebSocket and no other upgrade. Use plain HTTP requests."),

	MALFORMED_REQUEST(400, Text.REFUSED, "The request is not well-formed HTTP/1.1."),

	BAD_HOST(400, Text.REFUSED, "The request needs exactly one Host, a plain name or address, as in the target."),

	BAD_TARGET(400, Text.REFUSED, "The target must be a plain path: no dot segments, fragments or odd escapes."),

	CODING_NOT_SUPPORTED(501, Text.REFUSED, "Only the transfer coding 'chunked' is understood."),

	VERSION_NOT_SUPPORTED(505, Text.REFUSED, "Use HTTP/1.1."),

	EXPECTATION_FAILED(417, Text.REFUSED, "Only the expectation '100-continue' is understood."),

	HEAD_TIMEOUT(408, Text.REFUSED, "The request's head took too long."),

	HEAD_TOO_LARGE(431, Text.REFUSED, "The request's head is too large."),

	REQUEST_TOO_LARGE(413, Text.REFUSED, "The request's body is larger than is allowed here."),

	REQUEST_TIMEOUT(408, Text.REFUSED, "The request's body took too long."),

	BUSY(503, "Sandbox broker busy", "Too many requests at once. Try again when one has ended."),

	RATE_LIMITED(429, Text.REFUSED, "Too many requests in a minute. Wait as long as Retry-After says."),

	CREDENTIAL_MISSING(500, Text.FAILED, "The host has no credential for this origin. Nothing was sent."),

	CREDENTIAL_EXHAUSTED(429, Text.FAILED, "The host's credentials are used up. Wait as long as Retry-After says."),

	CREDENTIAL_ROTATED(429, Text.FAILED, "The credential was replaced. Send the same request again."),

	UPSTREAM_UNREACHABLE(502, Text.FAILED, "The origin cannot be reached from the host."),

	UPSTREAM_TLS(502, Text.FAILED, "The origin has no TLS that the host trusts."),

	UPSTREAM_CLOSED(502, Text.FAILED, "The origin closed the connection. Try again if that does no harm."),

	UPSTREAM_MALFORMED(502, Text.FAILED, "The origin's answer is not well-formed HTTP/1.1."),

	UPSTREAM_TIMEOUT(504, Text.FAILED, "The origin took too long."),

	REDIRECT_REFUSED(502, Text.FAILED, "The origin redirects, which is not followed. Ask for the target itself."),

	RESPONSE_TOO_LARGE(502, Text.FAILED, "The origin's answer is larger than is allowed here. Ask for a part of it."),

	RESPONSE_ENCODED(502, Text.FAILED, "The origin's answer has a content coding that cannot be checked."),

	STOPPED(503, Text.FAILED, "The sandbox was stopped, or its policy changed."),

	INTERNAL(502, Text.FAILED, "The gateway failed.");

	private final int status;

	private final String sentence;

	private final String hint;

	Refusal(int status, String sentence, String hint) {
		this.status = status;
		this.sentence = sentence;
		this.hint = hint;
	}

	int status() {
		return this.status;
	}

	/**
	 * Returns the stable code.
	 * @return a lower-case word with underscores
	 */
	String code() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether whoever runs the host may have to do something: everything on the way to an
	 * origin, but not what the guest did or was not allowed.
	 * @return {@code true} if so
	 */
	boolean isMatterOfTheHost() {
		return switch (this) {
			case ADDRESS_NOT_ALLOWED, CREDENTIAL_EXHAUSTED -> true;
			case UPGRADE_NOT_SUPPORTED, CODING_NOT_SUPPORTED, VERSION_NOT_SUPPORTED, BUSY -> false;
			default -> this.status >= 500;
		};
	}

	/**
	 * Returns what the guest reads.
	 * @return three lines of text
	 */
	String body() {
		return this.sentence + "\nreason: " + code() + "\nhint: " + this.hint + "\n";
	}

	/**
	 * The sentences that several refusals share.
	 */
	private static final class Text {

		static final String DENIED = "Sandbox network denied";

		static final String REFUSED = "Sandbox request refused";

		static final String FAILED = "Sandbox upstream request failed";

	}

}
