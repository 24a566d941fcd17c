package io.sandbox4j.gateway;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Heads that say in two ways where their body ends, or ask for what is not served.
 */
class RequestHeadTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "Content-Length: 0", "Content-Length: 17", "Transfer-Encoding: chunked",
			"Transfer-Encoding: CHUNKED", "Expect: 100-continue", "Expect: 100-Continue", "Upgrade: h2c",
			"Connection: keep-alive" })
	void anOrdinaryHeadIsServed(String field) {
		assertThatNoException().isThrownBy(() -> RequestHead.check(head(HttpVersion.HTTP_1_1, field)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "Content-Length: 4, 4|MALFORMED_REQUEST", "Content-Length: +4|MALFORMED_REQUEST",
					"Content-Length: 0x4|MALFORMED_REQUEST", "Content-Length: -1|MALFORMED_REQUEST",
					"Content-Length: 1234567890123456789|MALFORMED_REQUEST", "Content-Length: |MALFORMED_REQUEST",
					"Transfer-Encoding: gzip|CODING_NOT_SUPPORTED",
					"Transfer-Encoding: gzip, chunked|CODING_NOT_SUPPORTED",
					"Transfer-Encoding: chunked, chunked|CODING_NOT_SUPPORTED",
					"Transfer-Encoding: identity|CODING_NOT_SUPPORTED", "Expect: 200-ok|EXPECTATION_FAILED",
					"Upgrade: websocket|UPGRADE_NOT_SUPPORTED", "Upgrade: WebSocket/13|UPGRADE_NOT_SUPPORTED" })
	void aFieldThatCannotBeServedIsRefused(String field, Refusal refusal) {
		assertRefused(refusal, head(HttpVersion.HTTP_1_1, field));
	}

	@Test
	void twoFramingsAreRefused() {
		assertRefused(Refusal.MALFORMED_REQUEST,
				head(HttpVersion.HTTP_1_1, "Content-Length: 4", "Transfer-Encoding: chunked"));
		assertRefused(Refusal.MALFORMED_REQUEST, head(HttpVersion.HTTP_1_1, "Content-Length: 4", "Content-Length: 4"));
		assertRefused(Refusal.CODING_NOT_SUPPORTED,
				head(HttpVersion.HTTP_1_1, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"));
	}

	@Test
	void theOldProtocolHasNoChunks() {
		assertThatNoException().isThrownBy(() -> RequestHead.check(head(HttpVersion.HTTP_1_0, "Content-Length: 4")));
		assertRefused(Refusal.MALFORMED_REQUEST, head(HttpVersion.HTTP_1_0, "Transfer-Encoding: chunked"));
	}

	@Test
	void anotherProtocolIsRefused() {
		assertRefused(Refusal.VERSION_NOT_SUPPORTED, head(HttpVersion.HTTP_2_0));
		assertRefused(Refusal.VERSION_NOT_SUPPORTED, head(new HttpVersion(1, 2)));
		assertRefused(Refusal.VERSION_NOT_SUPPORTED, head(HttpVersion.HTTP_0_9));
	}

	@ParameterizedTest
	@ValueSource(strings = { "G(T", "G\u00c4T", "AVERYLONGMETHODTHATISLONGERTHANTHIRTYTWO" })
	void aMethodIsAToken(String method) {
		ClassicHttpRequest head = new BasicClassicHttpRequest(method, "/");
		head.setVersion(HttpVersion.HTTP_1_1);
		assertRefused(Refusal.MALFORMED_REQUEST, head);
	}

	private static ClassicHttpRequest head(ProtocolVersion version, String... fields) {
		ClassicHttpRequest head = new BasicClassicHttpRequest("POST", "/");
		head.setVersion(version);
		for (String field : fields) {
			if (!field.isEmpty()) {
				String[] parts = field.split(":", 2);
				head.addHeader(parts[0], parts[1].strip());
			}
		}
		return head;
	}

	private static void assertRefused(Refusal refusal, ClassicHttpRequest head) {
		assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> RequestHead.check(head))
			.extracting(RefusedException::refusal)
			.isEqualTo(refusal);
	}

}
