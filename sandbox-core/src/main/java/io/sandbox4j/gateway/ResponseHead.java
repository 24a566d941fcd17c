package io.sandbox4j.gateway;

import java.util.LinkedHashSet;
import java.util.Set;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;

/**
 * Refuses the head of an answer that two readers could understand differently (RFC 9112
 * section 6.3), which HttpCore in part lets pass. In values it has replaced control
 * characters already.
 */
final class ResponseHead {

	private ResponseHead() {
	}

	/**
	 * Checks the status, the fields' form and the framing. Equal lengths that are
	 * repeated become one.
	 * @param answer the head
	 * @throws RefusedException {@link Refusal#UPSTREAM_MALFORMED}; the message quotes
	 * nothing
	 */
	static void check(ClassicHttpResponse answer) throws RefusedException {
		if (answer.getCode() < 100 || answer.getCode() > 599) {
			throw malformed("a status that is not from 100 to 599");
		}
		for (Header header : answer.getHeaders()) {
			if (!Grammar.isToken(header.getName())) {
				throw malformed("a field name that is no token");
			}
		}
		checkFraming(answer);
	}

	private static void checkFraming(ClassicHttpResponse answer) throws RefusedException {
		Header[] codings = answer.getHeaders(HttpHeaders.TRANSFER_ENCODING);
		Header[] lengths = answer.getHeaders(HttpHeaders.CONTENT_LENGTH);
		if (codings.length > 1 || (codings.length == 1 && !"chunked".equalsIgnoreCase(codings[0].getValue()))) {
			throw malformed("a transfer coding other than 'chunked'");
		}
		if (codings.length > 0 && lengths.length > 0) {
			throw malformed("both a length and a transfer coding");
		}
		if (codings.length > 0 && answer.getVersion() != null && answer.getVersion().lessEquals(HttpVersion.HTTP_1_0)) {
			throw malformed("a transfer coding in HTTP/1.0");
		}
		Set<String> values = new LinkedHashSet<>();
		for (Header length : lengths) {
			for (String value : String.valueOf(length.getValue()).split(",", -1)) {
				if (!Grammar.isLength(value.strip())) {
					throw malformed("a length that is no number");
				}
				values.add(value.strip());
			}
		}
		if (values.size() > 1) {
			throw malformed("several lengths");
		}
		if (!values.isEmpty()) {
			answer.removeHeaders(HttpHeaders.CONTENT_LENGTH);
			answer.addHeader(HttpHeaders.CONTENT_LENGTH, values.iterator().next());
		}
	}

	private static RefusedException malformed(String what) {
		return new RefusedException(Refusal.UPSTREAM_MALFORMED, "The origin's answer has " + what + ".");
	}

}
