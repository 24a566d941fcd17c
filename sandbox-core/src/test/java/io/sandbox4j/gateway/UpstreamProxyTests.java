package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UpstreamProxyTests {

	private final List<String> heads = new CopyOnWriteArrayList<>();

	@Test
	void tunnelsToTheAddressThatWasChecked() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"));
				TestUpstream proxy = proxyTo(upstream);
				UpstreamFixture fixture = fixture(proxy, null, false)) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin("api.example.test"));
			assertThat(fixture.get(route)).isEqualTo("200 hi");
			assertThat(fixture.get(route)).isEqualTo("200 hi");
			String target = "127.0.0.1:" + upstream.port();
			assertThat(this.heads).containsExactly("CONNECT " + target + " HTTP/1.1\r\nHost: " + target);
		}
	}

	@Test
	void tlsIsWithTheOriginNotWithTheProxy() throws Exception {
		TestAuthority authority = TestAuthority.shared();
		try (TestUpstream upstream = TestUpstream.answering(authority.server("dns:api.example.test"),
				(request) -> TestUpstream.ok("secure"));
				TestUpstream proxy = proxyTo(upstream);
				UpstreamFixture fixture = fixture(proxy, "Basic c2VjcmV0", true)) {
			UpstreamRoute route = UpstreamFixture.route(upstream.origin("api.example.test"), authority.client());
			assertThat(fixture.get(route)).isEqualTo("200 secure");
			assertThat(this.heads).hasSize(1);
			assertThat(this.heads.get(0)).startsWith("CONNECT api.example.test:" + upstream.port())
				.contains("Proxy-Authorization: Basic c2VjcmV0");
			assertThat(upstream.requests().get(0).head()).doesNotContain("Proxy-Authorization");
		}
	}

	@Test
	void aProxyThatResolvesIsAskedByNameOnly() throws Exception {
		List<String> asked = new ArrayList<>();
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"));
				TestUpstream proxy = proxyTo(upstream);
				UpstreamFixture fixture = new UpstreamFixture(GatewayLimits.DEFAULT,
						new SandboxGateway.HostProxy(URI.create("http://proxy.test:" + proxy.port()), null, true),
						(host) -> {
							asked.add(host);
							return new InetAddress[] { InetAddress.getByName("127.0.0.1") };
						})) {
			UpstreamRoute route = new UpstreamRoute(upstream.origin("api.example.test"), false, null, "");
			assertThat(fixture.get(route)).isEqualTo("200 hi");
			assertThat(asked).containsExactly("proxy.test");
			UpstreamRoute literal = new UpstreamRoute(upstream.origin("127.0.0.1"), false, null, "");
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> fixture.get(literal))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.ADDRESS_NOT_ALLOWED));
		}
	}

	@Test
	void answersThatAreNotAllowedDoNotReachTheProxy() throws Exception {
		try (TestUpstream proxy = TestUpstream.raw((peer) -> peer.write(TestUpstream.ok("")));
				UpstreamFixture fixture = fixture(proxy, null, false)) {
			UpstreamRoute route = new UpstreamRoute(proxy.origin("api.example.test"), false, null, "");
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> fixture.get(route))
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.ADDRESS_NOT_ALLOWED));
			assertThat(proxy.connections()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 407 Proxy Authentication Required\r\nX-Secret: s3cret\r\n\r\n",
			"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\ns3cret", "HTTP/1.1 200 OK\r\n\r\ns3cret",
			"HTTP/1.1 302 Found\r\nLocation: http://s3cret/\r\n\r\n", "s3cret\r\n\r\n", "" })
	void aProxyThatDoesNotTunnelIsUnreachable(String answer) throws Exception {
		try (TestUpstream proxy = TestUpstream.raw((peer) -> {
			peer.readHead();
			peer.write(answer);
		}); UpstreamFixture fixture = fixture(proxy, "Basic s3cret", false)) {
			UpstreamRoute route = UpstreamFixture.route(proxy.origin("api.example.test"));
			assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> fixture.get(route))
				.withMessageContaining("api.example.test")
				.withMessageContaining("the host's proxy")
				.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.UPSTREAM_UNREACHABLE))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
			assertThat(fixture.pool.open()).isZero();
		}
	}

	@Test
	void triesTheNextAddressThroughTheProxy() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi"));
				TestUpstream proxy = TestUpstream.raw((peer) -> {
					String head = String.valueOf(peer.readHead());
					if (head.contains("127.0.0.2")) {
						peer.write("HTTP/1.1 503 Unreachable\r\n\r\n");
					}
					else {
						tunnel(peer, upstream);
					}
				});
				UpstreamFixture fixture = new UpstreamFixture(GatewayLimits.DEFAULT, proxyAt(proxy, null, false),
						(host) -> new InetAddress[] { InetAddress.getByName("127.0.0.2"),
								InetAddress.getByName("127.0.0.1") })) {
			assertThat(fixture.get(UpstreamFixture.route(upstream.origin("a.test")))).isEqualTo("200 hi");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://proxy.example:3128", "http://user:s3cret@proxy.example:3128",
			"proxy.example:3128", "http://proxy.example:3128/path", "http:///", "socks://proxy.example" })
	void anAddressThatIsNoProxyIsRefused(String address) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> new UpstreamFixture(GatewayLimits.DEFAULT,
					new SandboxGateway.HostProxy(URI.create(address), null, false)))
			.withMessageContaining("'gateway.proxy'")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
	}

	private TestUpstream proxyTo(TestUpstream upstream) {
		return TestUpstream.raw((peer) -> {
			this.heads.add(String.valueOf(peer.readHead()));
			tunnel(peer, upstream);
		});
	}

	private static void tunnel(TestUpstream.Peer peer, TestUpstream upstream) throws Exception {
		try (Socket there = new Socket("127.0.0.1", upstream.port())) {
			peer.write("HTTP/1.1 200 Connection established\r\n\r\n");
			Thread back = new Thread(() -> copy(there, peer.socket()));
			back.start();
			peer.in().transferTo(there.getOutputStream());
			there.shutdownOutput();
			back.join();
		}
	}

	private static void copy(Socket from, Socket to) {
		try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			in.transferTo(out);
		}
		catch (IOException ex) {
			// One of them has ended.
		}
	}

	private static UpstreamFixture fixture(TestUpstream proxy, @Nullable String authorization, boolean resolves) {
		return new UpstreamFixture(GatewayLimits.DEFAULT, proxyAt(proxy, authorization, resolves));
	}

	private static SandboxGateway.HostProxy proxyAt(TestUpstream proxy, @Nullable String authorization,
			boolean resolves) {
		return new SandboxGateway.HostProxy(URI.create("http://127.0.0.1:" + proxy.port()), authorization, resolves);
	}

}
