package io.sandbox4j.gateway;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import io.sandbox4j.Origin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UpstreamTlsTests {

	private final TestAuthority authority = TestAuthority.shared();

	private final SSLContext client = this.authority.client();

	private final UpstreamFixture fixture = new UpstreamFixture();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "api.example.test", "single" })
	void provesTheNameAndSaysIt(String host) throws Exception {
		CompletableFuture<List<SNIServerName>> names = new CompletableFuture<>();
		try (TestUpstream upstream = TestUpstream.raw(this.authority.server("dns:api.example.test,dns:single"),
				(peer) -> {
					ExtendedSSLSession session = (ExtendedSSLSession) ((SSLSocket) peer.socket()).getSession();
					names.complete(session.getRequestedServerNames());
					while (peer.readRequest() != null) {
						peer.write(TestUpstream.ok("secure"));
					}
				})) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin(host), this.client);
			assertThat(this.fixture.get(route)).isEqualTo("200 secure");
			assertThat(names.get(10, TimeUnit.SECONDS))
				.extracting((name) -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
				.containsExactly(host);
			this.fixture.advance(Duration.ofSeconds(1));
			assertThat(this.fixture.get(route)).isEqualTo("200 secure");
			assertThat(this.fixture.get(route)).isEqualTo("200 secure");
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@Test
	void addressesAreProvedWithoutAName() throws Exception {
		CompletableFuture<List<SNIServerName>> names = new CompletableFuture<>();
		try (TestUpstream upstream = TestUpstream.raw(this.authority.server("ip:127.0.0.1"), (peer) -> {
			names.complete(((ExtendedSSLSession) ((SSLSocket) peer.socket()).getSession()).getRequestedServerNames());
			peer.readRequest();
			peer.write(TestUpstream.ok("secure"));
		})) {
			assertThat(this.fixture.get(UpstreamFixture.route(upstream.origin(), this.client))).isEqualTo("200 secure");
			assertThat(names.get(10, TimeUnit.SECONDS)).isEmpty();
		}
	}

	@Test
	void anotherNameIsRefused() throws Exception {
		try (TestUpstream upstream = server(this.authority, "dns:api.example.test")) {
			assertNoTls(upstream.origin("evil.example.test"), this.client);
			assertNoTls(upstream.origin("127.0.0.1"), this.client);
			assertNoTls(upstream.origin("under_score.example.test"), this.client);
			assertThat(upstream.requests()).isEmpty();
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	@Test
	void anotherAuthorityIsRefused() throws Exception {
		try (TestUpstream upstream = server(TestAuthority.create(), "dns:api.example.test")) {
			assertNoTls(upstream.origin("api.example.test"), this.client);
			assertNoTls(upstream.origin("api.example.test"), null);
			assertThat(upstream.requests()).isEmpty();
		}
	}

	@Test
	void plainTextIsNoTls() throws Exception {
		try (TestUpstream upstream = TestUpstream.raw((peer) -> peer.write("HTTP/1.1 400 Bad\r\n\r\n"))) {
			assertNoTls(new Origin("https", "127.0.0.1", upstream.port()), this.client);
		}
	}

	@Test
	void aHandshakeThatDripsIsBounded() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		try (TestUpstream upstream = TestUpstream.raw((peer) -> {
			// The start of a handshake record, then a byte now and then.
			peer.write(new byte[] { 22, 3, 3, 64, 0 });
			while (!done.await(20, TimeUnit.MILLISECONDS)) {
				peer.write(new byte[] { 2 });
			}
		});
				UpstreamFixture fixture = new UpstreamFixture(
						UpstreamFixture.limits(Duration.ofMillis(400), Duration.ofSeconds(10)), null)) {
			Origin origin = new Origin("https", "127.0.0.1", upstream.port());
			assertThatExceptionOfType(RefusedException.class)
				.isThrownBy(() -> fixture.lease(UpstreamFixture.route(origin, this.client)))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_TIMEOUT));
			done.countDown();
		}
	}

	@Test
	void anAbortEndsAHandshake() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			AbortHandle handle = new AbortHandle();
			Thread aborter = new Thread(() -> {
				try (Socket socket = silent.accept()) {
					// The client's first flight is there: it waits for ours.
					socket.getInputStream().read();
					handle.abort();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			});
			aborter.start();
			Origin origin = new Origin("https", "127.0.0.1", silent.getLocalPort());
			assertThatExceptionOfType(RefusedException.class)
				.isThrownBy(() -> this.fixture.pool.lease(UpstreamFixture.route(origin, this.client), false, handle))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.STOPPED));
			aborter.join();
			assertThat(this.fixture.pool.open()).isZero();
		}
	}

	private TestUpstream server(TestAuthority authority, String names) {
		return TestUpstream.answering(authority.server(names), (request) -> TestUpstream.ok("secure"));
	}

	private void assertNoTls(Origin origin, @Nullable SSLContext tls) {
		assertThatExceptionOfType(RefusedException.class)
			.isThrownBy(() -> this.fixture.get(UpstreamFixture.route(origin, tls)))
			.withMessageContaining(origin.toString())
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_TLS));
	}

}
