package io.sandbox4j.gateway;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests whose border some parser sees elsewhere. What is refused closes the connection
 * and reaches no origin; what is served reaches it as one request, framed anew.
 */
class GatewayFramingTests {

	private TestUpstream upstream;

	private TestGateway gateway;

	private String host;

	@BeforeEach
	void open() {
		this.upstream = TestUpstream.answering((request) -> TestUpstream.ok("served " + request.target()));
		this.gateway = TestGateway.to(this.upstream);
		this.host = "Host: 127.0.0.1:" + this.upstream.port() + "\r\n";
	}

	@AfterEach
	void close() {
		this.gateway.close();
		this.upstream.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
			"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
			"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd", "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
			"Content-Length: 4, 4\r\n\r\nabcd", "Content-Length: +4\r\n\r\nabcd", "Content-Length: -1\r\n\r\n",
			"Content-Length: 0x4\r\n\r\nabcd", "Content-Length: 4 4\r\n\r\nabcd", "Content-Length:\r\n\r\n",
			"Content-Length: 99999999999999999999\r\n\r\n" })
	void aLengthThatCanBeReadTwoWaysIsRefused(String rest) {
		assertRefused("POST /a HTTP/1.1\r\n" + this.host + rest, 400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Transfer-Encoding : chunked\r\n\r\n", "Content-Length\t: 5\r\n\r\nhello",
			"X: a\r\n b\r\n\r\n", " X: a\r\n\r\n", "X: a\r\n\tb: c\r\n\r\n", "nocolon\r\n\r\n", ": empty\r\n\r\n",
			"X\u00e9: a\r\n\r\n", "X: a\rb\r\n\r\n", "X: a\u0000b\r\n\r\n", "X: a\n\r\n", "X: a\u000bb\r\n\r\n",
			"X: a\u007f\r\n\r\n", "X(: a\r\n\r\n" })
	void aFieldThatIsNotToTheLetterIsRefused(String rest) {
		assertRefused("GET /a HTTP/1.1\r\n" + this.host + rest, 400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET  /a HTTP/1.1\r\n", "GET /a  HTTP/1.1\r\n", "GET /a HTTP/1.1 \r\n",
			" GET /a HTTP/1.1\r\n", "GET\t/a HTTP/1.1\r\n", "GET /a b HTTP/1.1\r\n", "GET /a\r\n", "/a HTTP/1.1\r\n",
			"GET /a HTTP/1.1\n", "G\u0000T /a HTTP/1.1\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n",
			"GET /a HTTP/1,1\r\n", "GET /a HTTQ/1.1\r\n", "{\"jsonrpc\":\"2.0\"}\r\n" })
	void aRequestLineThatIsNotThreeWordsIsRefused(String line) {
		assertRefused(line + this.host + "\r\n", 400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET /a HTTP/2.0\r\n", "GET /a HTTP/3.7\r\n", "GET /a HTTP/0.9\r\n" })
	void anotherVersionIsRefused(String line) {
		TestGuest.Response response = this.gateway.send(line + this.host + "\r\n");
		assertThat(response.status()).isIn(400, 505);
		assertThat(this.upstream.connections()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip", "chunked, gzip", "gzip, chunked", "identity", "xchunked", "chunked, chunked", "" })
	void anotherTransferCodingIsRefusedAndWhatFollowsIsNoRequest(String coding) {
		assertRefused("POST /a HTTP/1.1\r\n" + this.host + "Transfer-Encoding: " + coding
				+ "\r\n\r\nabc\r\n\r\nGET /b HTTP/1.1\r\n" + this.host + "\r\n", 400, 501);
	}

	@ParameterizedTest
	@ValueSource(strings = { "z\r\n", "+4\r\nabcd\r\n0\r\n\r\n", "-1\r\n", "0x4\r\nabcd\r\n0\r\n\r\n",
			" 4\r\nabcd\r\n0\r\n\r\n", "4 \r\nabcd\r\n0\r\n\r\n", "\r\n", "4\nabcd\r\n0\r\n\r\n",
			"4\r\nabcdX\r\n0\r\n\r\n", "ffffffffffffffff\r\n", "4\r\nabcd\n0\r\n\r\n" })
	void aChunkThatIsNotToTheLetterIsRefused(String body) {
		assertRefusedAfterHead("POST /a HTTP/1.1\r\n" + this.host + "Transfer-Encoding: chunked\r\n\r\n" + body);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nocolon\r\n\r\n", "Bad Name: x\r\n\r\n", "X: a\r\n b\r\n\r\n" })
	void aTrailerThatIsNotToTheLetterIsRefused(String trailers) {
		assertRefusedAfterHead(
				"POST /a HTTP/1.1\r\n" + this.host + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n" + trailers);
	}

	@Test
	void trailersAreDropped() {
		TestGuest.Response response = this.gateway.send("POST /a HTTP/1.1\r\n" + this.host
				+ "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nAuthorization: Bearer x\r\nContent-Length: 100\r\n"
				+ "Host: evil.example\r\n\r\n");
		assertThat(response.status()).isEqualTo(200);
		TestUpstream.Request request = this.upstream.requests().get(0);
		assertThat(request.text()).isEqualTo("ab");
		assertThat(request.headers("authorization")).containsExactly("Bearer top-secret-token");
		assertThat(request.head()).doesNotContain("evil");
	}

	@Test
	void trailersHaveABound() {
		StringBuilder trailers = new StringBuilder();
		for (int i = 0; i < 20_000; i++) {
			trailers.append("X-Trailer-").append(i).append(": value\r\n");
		}
		assertRefusedAfterHead("POST /a HTTP/1.1\r\n" + this.host + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n"
				+ trailers + "\r\n");
	}

	@Test
	void chunkExtensionsAreDropped() {
		TestGuest.Response response = this.gateway.send("POST /a HTTP/1.1\r\n" + this.host
				+ "Transfer-Encoding: chunked\r\n\r\n2;name=value\r\nab\r\n0;x\r\n\r\n");
		assertThat(response.status()).isEqualTo(200);
		assertThat(this.upstream.requests().get(0).text()).isEqualTo("ab");
	}

	@Test
	void bytesBeyondADeclaredLengthAreTheNextRequest() {
		try (TestGuest guest = this.gateway.connect()) {
			guest.write("GET /a HTTP/1.1\r\n" + this.host + "Content-Length: 0\r\n\r\nGET /b HTTP/1.1\r\n" + this.host
					+ "\r\n");
			assertThat(guest.readResponse().body()).isEqualTo("served /a");
			assertThat(guest.readResponse().body()).isEqualTo("served /b");
		}
	}

	@Test
	void aBodyOfGetIsABodyAndNoRequest() {
		String body = "GET /b HTTP/1.1\r\n\r\n";
		try (TestGuest guest = this.gateway.connect()) {
			guest.write("GET /a HTTP/1.1\r\n" + this.host + "Content-Length: " + body.length() + "\r\n\r\n" + body
					+ "DELETE /c HTTP/1.1\r\n" + this.host + "Content-Length: 2\r\n\r\nxy");
			assertThat(guest.readResponse().body()).isEqualTo("served /a");
			assertThat(guest.readResponse().body()).isEqualTo("served /c");
		}
		assertThat(this.upstream.requests()).extracting(TestUpstream.Request::target).containsExactly("/a", "/c");
		assertThat(this.upstream.requests().get(0).text()).isEqualTo(body);
		assertThat(this.upstream.requests().get(1).text()).isEqualTo("xy");
	}

	@Test
	void pipelinedRequestsAreServedInOrder() {
		try (TestGuest guest = this.gateway.connect()) {
			StringBuilder all = new StringBuilder();
			for (int i = 0; i < 20; i++) {
				all.append("GET /").append(i).append(" HTTP/1.1\r\n").append(this.host).append("\r\n");
			}
			guest.write(all.toString());
			for (int i = 0; i < 20; i++) {
				assertThat(guest.readResponse().body()).isEqualTo("served /" + i);
			}
		}
	}

	@Test
	void anEmptyLineBeforeARequestIsSkipped() {
		assertThat(this.gateway.send("\r\nGET /a HTTP/1.1\r\n" + this.host + "\r\n").body()).isEqualTo("served /a");
	}

	@Test
	void aHeadHasABound() {
		TestGuest.Response response = this.gateway
			.send("GET /a HTTP/1.1\r\n" + this.host + "X: " + "a".repeat(70 * 1024) + "\r\n\r\n");
		assertThat(response.status()).isEqualTo(431);
		response = this.gateway.send("GET /" + "a".repeat(70 * 1024) + " HTTP/1.1\r\n" + this.host + "\r\n");
		assertThat(response.status()).isEqualTo(431);
		StringBuilder many = new StringBuilder();
		for (int i = 0; i < 300; i++) {
			many.append("X-").append(i).append(": a\r\n");
		}
		response = this.gateway.send("GET /a HTTP/1.1\r\n" + this.host + many + "\r\n");
		assertThat(response.status()).isIn(400, 431);
		assertThat(this.upstream.connections()).isZero();
	}

	@Test
	void aChunkedBodyMayHaveAnyNumberOfChunks() {
		String chunks = "1\r\na\r\n".repeat(50_000);
		TestGuest.Response response = this.gateway
			.send("POST /a HTTP/1.1\r\n" + this.host + "Transfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n");
		assertThat(response.status()).isEqualTo(200);
		assertThat(this.upstream.requests().get(0).body()).hasSize(50_000);
	}

	@Test
	void aBodyThatEndsEarlyReachesTheOriginAsNoWholeRequest() {
		try (TestGuest guest = this.gateway.connect()) {
			guest.write("POST /a HTTP/1.1\r\n" + this.host + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
			guest.shutdownOutput();
			assertThat(guest.readResponse().status()).isEqualTo(400);
		}
		this.gateway.audit(1);
		assertThat(this.upstream.requests()).isEmpty();
	}

	private void assertRefused(String bytes, Integer... statuses) {
		try (TestGuest guest = this.gateway.connect()) {
			guest.write(bytes);
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isIn((Object[]) statuses);
			assertThat(response.reason()).isNotNull();
			assertThat(response.header("Connection")).isEqualTo("close");
			assertThat(guest.readToEnd()).isEmpty();
		}
		assertThat(this.upstream.connections()).isZero();
		assertThat(this.gateway.audit(1)).hasSize(1);
	}

	// The origin may have seen the head; it never sees the end of the body.
	private void assertRefusedAfterHead(String bytes) {
		try (TestGuest guest = this.gateway.connect()) {
			guest.write(bytes);
			guest.shutdownOutput();
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(400);
			assertThat(guest.readToEnd()).isEmpty();
		}
		this.gateway.audit(1);
		assertThat(this.upstream.requests()).isEmpty();
	}

}
