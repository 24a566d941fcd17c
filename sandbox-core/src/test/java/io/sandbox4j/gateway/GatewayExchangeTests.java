package io.sandbox4j.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent.GatewayFailure;
import io.sandbox4j.SandboxEvent.GatewayRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What passes to an origin and back, and what the gateway adds, drops and masks.
 */
class GatewayExchangeTests {

	private static final String SECRET = "top-secret-token";

	@Test
	void aRequestGoesOutWithTheCredentialAndTheAnswerComesBack() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.ok("{}", "Content-Type: application/json"));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/v1/x?y=1", "Accept: application/json");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.body()).isEqualTo("{}");
			assertThat(response.header("Content-Type")).isEqualTo("application/json");
			TestUpstream.Request request = upstream.requests().get(0);
			assertThat(request.target()).isEqualTo("/v1/x?y=1");
			assertThat(request.header("Authorization")).isEqualTo("Bearer " + SECRET);
			assertThat(request.headers("Host")).containsExactly("127.0.0.1:" + upstream.port());
			assertThat(request.header("Accept")).isEqualTo("application/json");
		}
	}

	@Test
	void theHostSpeaksTlsAndTheGuestDoesNot() {
		try (TestUpstream upstream = TestUpstream.answering(TestAuthority.shared().server("dns:api.example.test"),
				(request) -> TestUpstream.ok("secure"));
				TestGateway gateway = TestGateway
					.with(NetworkPolicy.allow(OriginRule.builder(upstream.origin("api.example.test").toString())
						.allowPrivate(true)
						.build()))) {
			String host = "api.example.test:" + upstream.port();
			assertThat(gateway.send("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").body()).isEqualTo("secure");
			assertThat(gateway.send("GET http://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n").body())
				.isEqualTo("secure");
			assertThat(gateway.send("GET https://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n").body())
				.isEqualTo("secure");
		}
	}

	@Test
	void spellingsOfAHostAreOneHost() {
		try (TestUpstream upstream = TestUpstream.answering(TestAuthority.shared().server("dns:registry.example"),
				(request) -> TestUpstream.ok("package"));
				TestGateway gateway = TestGateway
					.with(NetworkPolicy.allow(OriginRule.builder(upstream.origin("registry.example").toString())
						.allowPrivate(true)
						.build()))) {
			String target = "HTTPS://Registry.Example.:" + upstream.port() + "/p";
			String host = "REGISTRY.example:" + upstream.port();
			assertThat(gateway.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").body())
				.isEqualTo("package");
			assertThat(upstream.requests().get(0).header("Host")).isEqualTo("registry.example:" + upstream.port());
		}
	}

	@Test
	void theGuestsOwnCredentialsAndHopHeadersAreDropped() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream)) {
			gateway.get(upstream, "/", "Authorization: Bearer guest", "authorization: Basic xyz", "Cookie: a=b",
					"X-Api-Key: k", "Connection: x-internal, close", "Connection: Accept-Language", "X-Internal: s",
					"Accept-Language: de", "Upgrade: h2c", "Keep-Alive: 5", "TE: trailers", "Proxy-Connection: close",
					"Proxy-Authorization: Basic x", "HTTP2-Settings: AAA", "X-Forwarded-For: 1.2.3.4");
			TestUpstream.Request request = upstream.requests().get(0);
			assertThat(request.headers("Authorization")).containsExactly("Bearer " + SECRET);
			assertThat(request.head()
				.lines()
				.skip(1)
				.map((line) -> line.substring(0, line.indexOf(':')).toLowerCase(java.util.Locale.ROOT)))
				.containsOnlyOnceElementsOf(List.of("host", "authorization"))
				.doesNotContain("cookie", "x-api-key", "x-internal", "accept-language", "upgrade", "keep-alive", "te",
						"proxy-connection", "proxy-authorization", "http2-settings", "x-forwarded-for");
		}
	}

	@Test
	void anAnswersHeadersPassThroughAList() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("x", "ETag: \"1\"",
				"Set-Cookie: session=1", "Server: inner", "X-Internal-Host: db1", "Cache-Control: no-store",
				"Connection: close, X-Hop", "X-Hop: 1", "Retry-After: 3", "X-RateLimit-Remaining: 7"));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.header("ETag")).isEqualTo("\"1\"");
			assertThat(response.header("Cache-Control")).isEqualTo("no-store");
			assertThat(response.header("Retry-After")).isEqualTo("3");
			assertThat(response.header("X-RateLimit-Remaining")).isEqualTo("7");
			assertThat(response.head()).doesNotContainIgnoringCase("set-cookie")
				.doesNotContainIgnoringCase("server:")
				.doesNotContainIgnoringCase("x-internal")
				.doesNotContainIgnoringCase("x-hop");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308, 300, 305 })
	void aRedirectIsRefusedAndNotFollowed(int status) {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.answer(status, "", "Location: https://evil.example/"));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(502);
			assertThat(response.body()).startsWith("Sandbox upstream request failed\n");
			assertThat(response.reason()).isEqualTo("redirect_refused");
			assertThat(response.head()).doesNotContain("evil");
			assertThat(upstream.connections()).isEqualTo(1);
			assertThat(gateway.failures()).hasSize(1);
			assertThat(gateway.failures().get(0).failure().code()).isEqualTo(ErrorCode.SANDBOX_NETWORK_DENIED);
		}
	}

	@Test
	void aConditionalRequestGetsIts304() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n");
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			for (int i = 0; i < 2; i++) {
				guest.write(TestGateway.request("GET", upstream, "/", "If-None-Match: \"1\"") + "\r\n");
				TestGuest.Response response = guest.readResponse();
				assertThat(response.status()).isEqualTo(304);
				assertThat(response.header("ETag")).isEqualTo("\"1\"");
			}
			assertThat(upstream.requests().get(0).header("If-None-Match")).isEqualTo("\"1\"");
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@Test
	void anAnswerToHeadHasItsLengthAndNoBody() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			for (int i = 0; i < 2; i++) {
				guest.write(TestGateway.request("HEAD", upstream, "/") + "\r\n");
				TestGuest.Response response = guest.readResponse(false);
				assertThat(response.status()).isEqualTo(200);
				assertThat(response.header("Content-Length")).isEqualTo("1234");
			}
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@Test
	void an204HasNoBodyWhateverItSays() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n");
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			for (int i = 0; i < 2; i++) {
				guest.write(TestGateway.request("DELETE", upstream, "/") + "\r\n");
				TestGuest.Response response = guest.readResponse();
				assertThat(response.status()).isEqualTo(204);
				assertThat(response.header("Content-Length")).isNull();
			}
		}
	}

	@Test
	void aRangePasses() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.answer(206, "cd", "Content-Range: bytes 2-3/10"));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/", "Range: bytes=2-3");
			assertThat(response.status()).isEqualTo(206);
			assertThat(response.header("Content-Range")).isEqualTo("bytes 2-3/10");
			assertThat(upstream.requests().get(0).header("Range")).isEqualTo("bytes=2-3");
		}
	}

	@Test
	void interimAnswersAreSkipped() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> "HTTP/1.1 100 Continue\r\n\r\n"
				+ "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(3) + TestUpstream.ok("final"));
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			for (int i = 0; i < 3; i++) {
				guest.write(TestGateway.request("GET", upstream, "/" + i) + "\r\n");
				assertThat(guest.readResponse().body()).isEqualTo("final");
			}
		}
	}

	@Test
	void anEndlessRowOfInterimAnswersIsCutOff() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			for (int i = 0; i < 10_000; i++) {
				peer.write("HTTP/1.1 103 Early Hints\r\n\r\n");
			}
		}); TestGateway gateway = TestGateway.to(upstream)) {
			assertThat(gateway.get(upstream, "/").reason()).isEqualTo("upstream_malformed");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "nonsense\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
			"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n" })
	void anAnswerThatCanBeReadTwoWaysIsRefused(String answer) {
		try (TestUpstream upstream = TestUpstream.answering((request) -> answer);
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(502);
			assertThat(response.body()).startsWith("Sandbox upstream request failed\n").doesNotContain("nonsense");
		}
	}

	@Test
	void eventsArriveWhenTheyAreSent() throws Exception {
		CountDownLatch next = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
			peer.write("9\r\ndata: 1\n\n\r\n");
			next.await();
			peer.write("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
			peer.awaitEnd();
		}); TestGateway gateway = TestGateway.to(upstream); TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("GET", upstream, "/events") + "\r\n");
			assertThat(guest.readHead()).contains("text/event-stream");
			assertThat(new String(guest.readChunk(), StandardCharsets.US_ASCII)).isEqualTo("data: 1\n\n");
			next.countDown();
			assertThat(new String(guest.readChunk(), StandardCharsets.US_ASCII)).isEqualTo("data: 2\n\n");
			assertThat(guest.readChunk()).isEmpty();
		}
	}

	@Test
	void aGuestThatWaitsForAGoAheadGetsItAtOnce() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(request.text()));
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			guest.write(
					TestGateway.request("POST", upstream, "/", "Expect: 100-continue", "Content-Length: 5") + "\r\n");
			assertThat(guest.readResponse().status()).isEqualTo(100);
			guest.write("hello");
			assertThat(guest.readResponse().body()).isEqualTo("hello");
			assertThat(upstream.requests().get(0).header("Expect")).isNull();
		}
	}

	@Test
	void aGuestThatWaitsForAGoAheadHearsARefusalFirst() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			guest.write("POST / HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
			assertThat(guest.readResponse().status()).isEqualTo(403);
		}
	}

	@Test
	void anAnswerBeforeTheEndOfTheBodyIsRelayed() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readHead();
			peer.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
			peer.awaitEnd();
		});
				TestGateway gateway = TestGateway.to(upstream, (rule) -> rule.maxRequestBytes(1L << 30));
				TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("POST", upstream, "/", "Transfer-Encoding: chunked") + "\r\n");
			String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
			Thread sender = new Thread(() -> {
				try {
					for (int i = 0; i < 2000; i++) {
						guest.write(chunk);
					}
				}
				catch (RuntimeException ex) {
					// The gateway closed.
				}
			});
			sender.start();
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(413);
			assertThat(response.body()).isEqualTo("big");
		}
	}

	@Test
	void aGuestOfTheOldProtocolGetsOneAnswerThatItsEndDelimits() {
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n");
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			guest.write(TestGateway.request("GET", upstream, "/").replace("HTTP/1.1", "HTTP/1.0") + "\r\n");
			assertThat(guest.readToEnd()).doesNotContainIgnoringCase("chunked").endsWith("\r\n\r\nabcd");
		}
	}

	@Test
	void anotherHostIsDenied() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
			assertThat(response.status()).isEqualTo(403);
			assertThat(response.body()).startsWith("Sandbox network denied\n").contains("reason: origin_not_listed");
			assertThat(upstream.connections()).isZero();
			assertThat(gateway.failures()).isEmpty();
			GatewayRequest audit = gateway.audit(1).get(0);
			assertThat(audit.status()).isEqualTo(403);
			assertThat(audit.origin()).isNull();
			assertThat(audit.reason()).isEqualTo("origin_not_listed");
		}
	}

	@Test
	void withoutAListEverythingIsDenied() {
		String request = "GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n";
		try (TestGateway gateway = TestGateway.with(NetworkPolicy.denyAll())) {
			assertThat(gateway.send(request).body()).startsWith("Sandbox network denied\n")
				.contains("reason: denied_by_policy");
			gateway.session().setPolicy(NetworkPolicy.allowAll());
			assertThat(gateway.send(request).body()).startsWith("Sandbox network denied\n")
				.contains("reason: network_is_direct");
			gateway.session().setPolicy(NetworkPolicy.allow());
			assertThat(gateway.send(request).body()).startsWith("Sandbox network denied\n");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET / HTTP/1.1\r\n\r\n", "GET /actuator HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"GET /rules HTTP/1.1\r\nHost: gateway\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n" })
	void theSocketHasNoOtherSide(String request) {
		try (TestUpstream upstream = TestUpstream.answering((any) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.send(request);
			assertThat(response.status()).isIn(400, 403);
			assertThat(response.head() + response.body()).doesNotContain(SECRET)
				.doesNotContain(String.valueOf(upstream.port()));
		}
	}

	@Test
	void connectIsRefusedWithWhatToUseInstead() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream);
				TestGuest guest = gateway.connect()) {
			String host = "127.0.0.1:" + upstream.port();
			guest.write("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(403);
			assertThat(response.body()).contains("connect_not_supported", "http://HOST/");
			assertThat(guest.readToEnd()).isEmpty();
			assertThat(upstream.connections()).isZero();
		}
	}

	@Test
	void aWebSocketIsRefused() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/", "Connection: Upgrade", "Upgrade: websocket",
					"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13");
			assertThat(response.status()).isEqualTo(501);
			assertThat(upstream.connections()).isZero();
		}
	}

	@Test
	void theSecretIsMaskedInHeadersAndBodies() {
		String encoded = Base64.getEncoder().encodeToString(("{\"a\":\"" + SECRET + "\"}").getBytes());
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream
			.ok(request.head() + "\n" + encoded, "ETag: " + SECRET, "Content-Type: text/plain"));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.head()).doesNotContain(SECRET);
			assertThat(response.body()).doesNotContain(SECRET).contains("****************");
			assertThat(response.body().lines().reduce((a, b) -> b).orElseThrow()).isNotEqualTo(encoded)
				.hasSameSizeAs(encoded);
			assertThat(gateway.audit(1).get(0).reason()).isEqualTo("secret_redacted");
		}
	}

	@Test
	void theSecretIsMaskedAcrossChunks() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
			for (char c : ("[" + SECRET + "]").toCharArray()) {
				peer.write("1\r\n" + c + "\r\n");
			}
			peer.write("0\r\n\r\n");
			peer.awaitEnd();
		}); TestGateway gateway = TestGateway.to(upstream)) {
			assertThat(gateway.get(upstream, "/").body()).isEqualTo("[" + "*".repeat(SECRET.length()) + "]");
		}
	}

	@Test
	void theSecretIsMaskedInWhatIsCompressed() throws IOException {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(("echo " + SECRET).getBytes(StandardCharsets.US_ASCII));
		}
		String body = compressed.toString(StandardCharsets.ISO_8859_1);
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> TestUpstream.ok(body, "Content-Encoding: " + request.target().substring(1)));
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/gzip", "Accept-Encoding: gzip, br");
			assertThat(response.body()).isEqualTo("echo " + "*".repeat(SECRET.length()));
			assertThat(response.header("Content-Encoding")).isNull();
			assertThat(upstream.requests().get(0).header("Accept-Encoding")).isEqualTo("identity");
			assertThat(gateway.get(upstream, "/br").reason()).isEqualTo("response_encoded");
		}
	}

	@Test
	void aCredentialThatWasRefusedIsReplacedOnce() {
		CredentialPool pool = CredentialPool.of("github", List.of("first-token-value", "second-token-value"),
				java.time.Clock.systemUTC());
		try (TestUpstream upstream = TestUpstream
			.answering((request) -> request.header("Authorization").contains("second")
					? TestUpstream.ok("hello " + request.text()) : TestUpstream.answer(401, "who?"));
				TestGateway gateway = TestGateway
					.with(NetworkPolicy.allow(OriginRule.builder(upstream.origin().toString())
						.allowPrivate(true)
						.allowPlaintext(true)
						.credential("Authorization", "github", "Bearer ")
						.build()), (builder) -> builder.credentialSource("github", pool))) {
			TestGuest.Response response = gateway
				.send(TestGateway.request("POST", upstream, "/", "Content-Length: 5") + "\r\nagain");
			assertThat(response.body()).isEqualTo("hello again");
			assertThat(upstream.requests()).hasSize(2);
			assertThat(gateway.get(upstream, "/").status()).isEqualTo(200);
			assertThat(upstream.requests()).hasSize(3);
		}
	}

	@Test
	void aBodyThatIsGoneIsSentAgainByTheGuest() {
		AtomicInteger current = new AtomicInteger();
		CredentialSource source = new CredentialSource() {

			@Override
			public Credential get(Use use) {
				return Credential.of("token-number-" + current.get());
			}

			@Override
			public boolean refused(Use use, Credential refused, int status, @Nullable Duration retryAfter) {
				return current.compareAndSet(0, 1);
			}

		};
		try (TestUpstream upstream = TestUpstream.answering((request) -> request.header("Authorization").endsWith("1")
				? TestUpstream.ok("hello") : TestUpstream.answer(429, "", "Retry-After: 60"));
				TestGateway gateway = TestGateway
					.with(NetworkPolicy.allow(OriginRule.builder(upstream.origin().toString())
						.allowPrivate(true)
						.allowPlaintext(true)
						.credential("Authorization", "mine", "")
						.build()), (builder) -> builder.credentialSource("mine", source));
				TestGuest guest = gateway.connect()) {
			String request = TestGateway.request("POST", upstream, "/", "Transfer-Encoding: chunked")
					+ "\r\n1\r\na\r\n0\r\n\r\n";
			guest.write(request);
			TestGuest.Response response = guest.readResponse();
			assertThat(response.status()).isEqualTo(429);
			assertThat(response.reason()).isEqualTo("credential_rotated");
			assertThat(response.header("Retry-After")).isEqualTo("1");
			guest.write(request);
			assertThat(guest.readResponse().body()).isEqualTo("hello");
		}
	}

	@Test
	void withoutACredentialNothingIsSent() {
		CredentialPool empty = CredentialPool.of("none", List.of(), java.time.Clock.systemUTC());
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway
					.with(NetworkPolicy.allow(OriginRule.builder(upstream.origin().toString())
						.allowPrivate(true)
						.allowPlaintext(true)
						.credential("Authorization", "none", "Bearer ")
						.build()), (builder) -> builder.credentialSource("none", empty))) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(500);
			assertThat(response.reason()).isEqualTo("credential_missing");
			assertThat(upstream.connections()).isZero();
		}
	}

	@Test
	void connectionsAreKeptAndSharedOnlyWithTheSameSecret() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.to(upstream)) {
			gateway.get(upstream, "/1");
			gateway.audit(1);
			gateway.get(upstream, "/2");
			gateway.audit(2);
			assertThat(upstream.connections()).isEqualTo(1);
			gateway.session()
				.setPolicy(NetworkPolicy.allow(OriginRule.builder(upstream.origin().toString())
					.allowPrivate(true)
					.allowPlaintext(true)
					.header("Authorization", "Bearer another-token")
					.build()));
			gateway.get(upstream, "/3");
			assertThat(upstream.connections()).isEqualTo(2);
			assertThat(upstream.requests().get(2).header("Authorization")).isEqualTo("Bearer another-token");
		}
	}

	@Test
	void aConnectionServesOneRequestAtATime() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(request.text()));
				TestGateway gateway = TestGateway.to(upstream)) {
			List<CompletableFuture<Void>> guests = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				String body = "guest " + i;
				guests.add(CompletableFuture.runAsync(() -> post(gateway, upstream, body)));
			}
			CompletableFuture.allOf(guests.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
			assertThat(upstream.connections()).isLessThanOrEqualTo(16);
		}
	}

	// Not idempotent, so what breaks is not tried again and shows.
	private static void post(TestGateway gateway, TestUpstream upstream, String body) {
		try (TestGuest guest = gateway.connect()) {
			for (int i = 0; i < 500; i++) {
				guest.write(
						TestGateway.request("POST", upstream, "/", "Content-Length: " + body.length()) + "\r\n" + body);
				assertThat(guest.readResponse().body()).isEqualTo(body);
			}
		}
	}

	@Test
	void aConnectionThatTheOriginClosedIsReplaced() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			peer.readRequest();
			peer.write(TestUpstream.ok("once"));
		}); TestGateway gateway = TestGateway.to(upstream)) {
			for (int i = 0; i < 50; i++) {
				assertThat(gateway.get(upstream, "/" + i).body()).isEqualTo("once");
			}
		}
	}

	@Test
	void anOriginThatClosesWithoutAnAnswerIs502AndNoReasonOfIts() {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> peer.readRequest());
				TestGateway gateway = TestGateway.to(upstream)) {
			TestGuest.Response response = gateway.get(upstream, "/");
			assertThat(response.status()).isEqualTo(502);
			assertThat(response.reason()).isEqualTo("upstream_closed");
			assertThat(response.body()).startsWith("Sandbox upstream request failed\n");
		}
	}

	@Test
	void anOriginThatCannotBeReachedIs502() {
		TestUpstream gone = TestUpstream.answering((request) -> TestUpstream.ok(""));
		gone.close();
		try (TestGateway gateway = TestGateway.to(gone)) {
			TestGuest.Response response = gateway.get(gone, "/");
			assertThat(response.status()).isEqualTo(502);
			assertThat(response.reason()).isEqualTo("upstream_unreachable");
			assertThat(response.body()).doesNotContain("127.0.0.1").doesNotContainIgnoringCase("refused\n");
			GatewayFailure failure = gateway.failures().get(0);
			assertThat(failure.reason()).isEqualTo("upstream_unreachable");
			assertThat(failure.failure()).hasMessageContaining(gone.origin().toString());
		}
	}

	@Test
	void aPrivateAddressIsRefusedUnlessTheRuleAllowsIt() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok(""));
				TestGateway gateway = TestGateway.with(NetworkPolicy
					.allow(OriginRule.of("http://api.example.test:" + upstream.port(), java.util.Map.of())))) {
			TestGuest.Response response = gateway
				.send("GET / HTTP/1.1\r\nHost: api.example.test:" + upstream.port() + "\r\n\r\n");
			assertThat(response.status()).isEqualTo(403);
			assertThat(response.reason()).isEqualTo("address_not_allowed");
			assertThat(response.body()).doesNotContain("127.0.0.1");
			assertThat(gateway.failures().get(0).failure()).hasMessageContaining("'allow-private'");
			assertThat(upstream.connections()).isZero();
		}
	}

	@Test
	void theAuditSaysWhatLeftAndNoMore() {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.answer(201, "four"));
				TestGateway gateway = TestGateway.to(upstream)) {
			gateway.send(TestGateway.request("POST", upstream, "/v1/items?token=query-secret", "Content-Length: 3")
					+ "\r\nabc");
			GatewayRequest record = gateway.audit(1).get(0);
			assertThat(record.sessionId()).isEqualTo("test-session");
			assertThat(record.commandId()).isEqualTo("pid-" + ProcessHandle.current().pid());
			assertThat(record.origin()).isEqualTo(upstream.origin());
			assertThat(record.method()).isEqualTo("POST");
			assertThat(record.path()).isEqualTo("/v1/items");
			assertThat(record.status()).isEqualTo(201);
			assertThat(record.reason()).isEqualTo("ok");
			assertThat(record.requestBytes()).isEqualTo(3);
			assertThat(record.responseBytes()).isEqualTo(4);
			assertThat(record.duration()).isPositive();
			assertThat(record.toString()).doesNotContain(SECRET).doesNotContain("query-secret");
		}
	}

	@Test
	void aListenerThatThrowsHarmsNothing() throws Exception {
		CountDownLatch told = new CountDownLatch(2);
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("fine"));
				TestGateway gateway = TestGateway.to(upstream)) {
			gateway.session().close();
			java.nio.file.Path directory = gateway.socket().getParent();
			try (GatewaySession second = gateway.gateway()
				.open("second", directory, NetworkPolicy.allow(TestGateway.rule(upstream, (rule) -> rule)), (pid) -> {
					throw new IllegalStateException("lookup");
				}, (event) -> {
					told.countDown();
					throw new IllegalStateException("listener");
				})) {
				assertThat(gateway.get(upstream, "/").body()).isEqualTo("fine");
				assertThat(gateway.get(upstream, "/").body()).isEqualTo("fine");
				assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
				second.setPolicy(NetworkPolicy.denyAll());
			}
		}
	}

}
