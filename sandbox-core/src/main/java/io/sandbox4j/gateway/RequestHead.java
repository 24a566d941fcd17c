package io.sandbox4j.gateway;

import java.util.Locale;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;

/**
 * What a head that was parsed may not say. Before anything reads a body, because these
 * decide where it ends.
 */
final class RequestHead {

	private static final int MAX_METHOD = 32;

	private RequestHead() {
	}

	/**
	 * Checks a head.
	 * @param head the head
	 * @throws RefusedException if it cannot be served
	 */
	static void check(ClassicHttpRequest head) throws RefusedException {
		if (!Grammar.isToken(head.getMethod()) || head.getMethod().length() > MAX_METHOD) {
			throw malformed("has a method that is no token");
		}
		boolean old = HttpVersion.HTTP_1_0.equals(head.getVersion());
		if (!old && !HttpVersion.HTTP_1_1.equals(head.getVersion())) {
			throw new RefusedException(Refusal.VERSION_NOT_SUPPORTED, "A request is not HTTP/1.1.");
		}
		checkFraming(head, old);
		checkExpectation(head);
		checkUpgrade(head);
	}

	// RFC 9112 section 6.3: what two recipients may end at different places is refused,
	// though the RFC would let one of the readings stand.
	private static void checkFraming(ClassicHttpRequest head, boolean old) throws RefusedException {
		Header[] lengths = head.getHeaders(HttpHeaders.CONTENT_LENGTH);
		Header[] codings = head.getHeaders(HttpHeaders.TRANSFER_ENCODING);
		if (codings.length > 0 && (lengths.length > 0 || old)) {
			throw malformed("has a transfer coding beside a length, or in HTTP/1.0");
		}
		if (lengths.length > 1 || (lengths.length == 1 && !Grammar.isLength(value(lengths[0])))) {
			throw malformed("has more than one length, or one that is not a number");
		}
		if (codings.length > 1 || (codings.length == 1 && !value(codings[0]).equalsIgnoreCase("chunked"))) {
			throw new RefusedException(Refusal.CODING_NOT_SUPPORTED, "A request has an unknown transfer coding.");
		}
	}

	private static void checkExpectation(ClassicHttpRequest head) throws RefusedException {
		for (Header expect : head.getHeaders(HttpHeaders.EXPECT)) {
			if (!value(expect).equalsIgnoreCase("100-continue")) {
				throw new RefusedException(Refusal.EXPECTATION_FAILED, "A request has an unknown expectation.");
			}
		}
	}

	// HTTP/2 is offered by clients that go on without it; a WebSocket is not.
	private static void checkUpgrade(ClassicHttpRequest head) throws RefusedException {
		for (Header upgrade : head.getHeaders(HttpHeaders.UPGRADE)) {
			if (value(upgrade).toLowerCase(Locale.ROOT).contains("websocket")) {
				throw new RefusedException(Refusal.UPGRADE_NOT_SUPPORTED, "A guest asked for a WebSocket.");
			}
		}
	}

	private static String value(Header header) {
		String value = header.getValue();
		return (value != null) ? value : "";
	}

	private static RefusedException malformed(String what) {
		return new RefusedException(Refusal.MALFORMED_REQUEST, "A request " + what + ".");
	}

}
