package io.sandbox4j.gateway;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import io.sandbox4j.NetworkPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests that are made of hostile parts and then damaged, from a fixed seed. Whatever
 * arrives at the origin must be what the rule allows, framed in one way; no thread of the
 * gateway is lost.
 */
@Timeout(300)
class GatewayFuzzTests {

	private static final int REQUESTS = Integer.getInteger("sandbox.test.fuzz", 20_000);

	private static final int CLIENTS = 4;

	private static final String[] METHODS = { "GET", "POST", "HEAD", "PUT", "DELETE", "CONNECT", "TRACE", "get",
			"OPTIONS", "G\u0000ET", "PRI", "" };

	private static final String[] TARGETS = { "/allowed/a", "/allowed/a?b=c", "/allowed", "/allowedx",
			"/allowed/../secret", "/allowed/%2e%2e/secret", "/allowed/..;/secret", "/allowed/%252e%252e/secret",
			"/allowed//../secret", "//evil.example/allowed/", "/allowed/a%00", "/allowed/a#f", "/allowed/\\..\\secret",
			"*", "", "http:evil", "http://HOST/allowed/a", "https://HOST/allowed/a", "http://evil.example/allowed/a",
			"http://HOST@evil.example/allowed/a", "http://HOST:x@evil.example/", "/allowed/a b",
			"/allowed/%2f..%2fsecret", "/allowed/%zz", "/allowed/\u00e9", "/%61llowed/a" };

	private static final String[] HOSTS = { "HOST", "HOST", "HOST", "HOST.", "HOST:80", "evil.example",
			"HOST@evil.example", "evil.example@HOST", "user:HOST", "", "HOST, evil.example", "HOST\u0000.evil.example",
			"127.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "HOST/x", "HOST#", "HOST?", " HOST",
			"HO ST" };

	private static final String[] FIELDS = { "Content-Length: 4", "Content-Length: 0", "Content-Length: 10",
			"Content-Length: -1", "Content-Length: 4, 4", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip",
			"Transfer-Encoding : chunked", "transfer-encoding: xchunked", "Host: evil.example", "Host: HOST",
			"Connection: close", "Connection: Authorization", "Connection: Host", "Authorization: Bearer guest",
			"Expect: 100-continue", "Expect: nothing", "Upgrade: websocket", "Upgrade: h2c", "X: a\r\n b", "X:\tb",
			"X : y", "nocolon", ": y", "X: \u0001", "Proxy-Authorization: x", "Trailer: Host", "TE: trailers",
			"X-Forwarded-Host: evil.example", "Accept: */*", "Range: bytes=0-1", "Content-Length\t: 4",
			"Content-Length: 4\nContent-Length: 0" };

	private static final String[] BODIES = { "", "abcd", "4\r\nabcd\r\n0\r\n\r\n", "0\r\n\r\n",
			"4\r\nabcd\r\n0\r\nHost: x\r\n\r\n", "zz\r\n", "GET /secret HTTP/1.1\r\nHost: HOST\r\n\r\n",
			"ffffffff\r\nabc", "4;x=y\r\nabcd\r\n0\r\n\r\n", "0\r\n\r\nGET /secret HTTP/1.1\r\nHost: HOST\r\n\r\n",
			"04\r\nabcd\r\n00\r\n\r\n" };

	private static final Pattern ALLOWED = Pattern
		.compile("(GET|POST) /allowed(/[A-Za-z0-9._~%@-]*)*(\\?[!-~]*)? HTTP/1\\.1");

	private static final Pattern DOTS = Pattern.compile("/\\.\\.?[/? ;]");

	private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

	private final AtomicInteger arrived = new AtomicInteger();

	@Test
	void nothingReachesTheOriginThatTheRuleDoesNotAllow() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw(this::serve);
				TestGateway gateway = TestGateway.with(NetworkPolicy.allow(
						TestGateway.rule(upstream, (rule) -> rule.methods("GET", "POST").pathPrefixes("/allowed"))))) {
			ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
			try {
				List<Future<?>> runs = new ArrayList<>();
				for (int client = 0; client < CLIENTS; client++) {
					Random random = new Random(42 + client);
					runs.add(clients.submit(() -> fuzz(gateway, "127.0.0.1:" + upstream.port(), random)));
				}
				for (Future<?> run : runs) {
					run.get();
				}
			}
			finally {
				clients.shutdownNow();
			}
			assertThat(this.wrong).isEmpty();
			assertThat(this.arrived).hasValueGreaterThan(REQUESTS / 100);
			await().atMost(Duration.ofSeconds(20)).until(() -> gateway.gateway().status().connections() == 0);
			assertThat(gateway.gateway().status().requests()).isZero();
			assertThat(
					gateway.send("GET /allowed/a HTTP/1.1\r\nHost: 127.0.0.1:" + upstream.port() + "\r\n\r\n").body())
				.isEqualTo("fine");
		}
	}

	private void fuzz(TestGateway gateway, String host, Random random) {
		for (int i = 0; i < REQUESTS / CLIENTS; i++) {
			byte[] request = request(random, host);
			try (TestGuest guest = gateway.connect()) {
				try {
					guest.write(request);
					guest.shutdownOutput();
				}
				catch (RuntimeException ex) {
					// The gateway has answered and closed already.
				}
				String answer = guest.readToEnd();
				if (!answer.isEmpty() && !answer.startsWith("HTTP/1.1 ")) {
					this.wrong.add("answer: " + answer);
				}
				if (answer.contains("top-secret-token")) {
					this.wrong.add("the secret in an answer to " + new String(request, StandardCharsets.ISO_8859_1));
				}
			}
		}
	}

	private static byte[] request(Random random, String host) {
		StringBuilder text = new StringBuilder();
		text.append(mostly(random, METHODS, 3)).append(' ').append(mostly(random, TARGETS, 3)).append(' ');
		text.append((random.nextInt(20) == 0) ? "HTTP/1.0" : "HTTP/1.1").append("\r\n");
		if (random.nextInt(20) != 0) {
			text.append("Host: ").append(mostly(random, HOSTS, 3)).append("\r\n");
		}
		for (int i = random.nextInt(4); i > 0; i--) {
			text.append(FIELDS[random.nextInt(FIELDS.length)]).append("\r\n");
		}
		text.append("\r\n").append(BODIES[random.nextInt(BODIES.length)]);
		byte[] bytes = text.toString().replace("HOST", host).getBytes(StandardCharsets.ISO_8859_1);
		if (random.nextInt(3) == 0) {
			bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
		}
		return (random.nextInt(10) != 0) ? bytes : java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
	}

	// The first entry half of the time, so that enough requests are good but for one
	// part.
	private static String mostly(Random random, String[] choices, int first) {
		return (random.nextInt(first) != 0) ? choices[0] : choices[random.nextInt(choices.length)];
	}

	private void serve(TestUpstream.Peer peer) throws Exception {
		for (String head = peer.readHead(); head != null; head = peer.readHead()) {
			this.arrived.incrementAndGet();
			TestUpstream.Request request = new TestUpstream.Request(peer.number(), head, new byte[0]);
			String line = head.lines().findFirst().orElse("");
			if (!ALLOWED.matcher(line).matches() || DOTS.matcher(line).find()) {
				this.wrong.add("line: " + line);
			}
			if (!request.headers("Host").equals(List.of("127.0.0.1:" + peer.socket().getLocalPort()))) {
				this.wrong.add("host: " + head);
			}
			if (!request.headers("Authorization").equals(List.of("Bearer top-secret-token"))) {
				this.wrong.add("authorization: " + head);
			}
			if (request.headers("Content-Length").size() + request.headers("Transfer-Encoding").size() > 1) {
				this.wrong.add("framing: " + head);
			}
			peer.readBody(head);
			peer.write(TestUpstream.ok("fine"));
		}
	}

}
