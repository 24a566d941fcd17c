package io.sandbox4j.gateway;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;

import javax.net.ssl.HttpsURLConnection;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fixtures themselves, with the JDK's own client.
 */
class TestUpstreamTests {

	@Test
	void answersAndRecords() throws Exception {
		try (TestUpstream upstream = TestUpstream.answering((request) -> TestUpstream.ok("hi", "X-A: 1"))) {
			HttpURLConnection connection = open(upstream);
			connection.setDoOutput(true);
			connection.setChunkedStreamingMode(3);
			connection.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
			assertThat(body(connection)).isEqualTo("hi");
			assertThat(connection.getHeaderField("X-A")).isEqualTo("1");
			assertThat(upstream.requests()).hasSize(1);
			assertThat(upstream.requests().get(0).text()).isEqualTo("hello");
			assertThat(upstream.requests().get(0).method()).isEqualTo("POST");
			assertThat(upstream.requests().get(0).target()).isEqualTo("/p");
			assertThat(upstream.requests().get(0).header("host")).isEqualTo("127.0.0.1:" + upstream.port());
			assertThat(upstream.connections()).isEqualTo(1);
		}
	}

	@Test
	void speaksTlsUnderItsOwnAuthority() throws Exception {
		TestAuthority authority = TestAuthority.shared();
		try (TestUpstream upstream = TestUpstream.answering(authority.server("ip:127.0.0.1"),
				(request) -> TestUpstream.ok("secure"))) {
			HttpsURLConnection connection = (HttpsURLConnection) open(upstream);
			connection.setSSLSocketFactory(authority.client().getSocketFactory());
			assertThat(body(connection)).isEqualTo("secure");
		}
		assertThat(CertificateFactory.getInstance("X.509")
			.generateCertificate(new ByteArrayInputStream(authority.pem().getBytes(StandardCharsets.US_ASCII))))
			.isNotNull();
	}

	private static HttpURLConnection open(TestUpstream upstream) throws Exception {
		URL url = URI.create(upstream.origin() + "/p").toURL();
		return (HttpURLConnection) url.openConnection();
	}

	private static String body(HttpURLConnection connection) throws Exception {
		try (InputStream in = connection.getInputStream()) {
			return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
		}
	}

}
