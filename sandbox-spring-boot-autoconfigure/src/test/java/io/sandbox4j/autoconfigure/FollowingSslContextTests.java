package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.ssl.SslOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FollowingSslContext}.
 */
class FollowingSslContextTests {

	private static final SslOptions OLD_PROTOCOL = SslOptions.of(null, new String[] { "TLSv1.2" });

	@TempDir
	private static Path directory;

	private static TestCertificate served;

	private static TestCertificate other;

	private SSLServerSocket server;

	@BeforeEach
	void start() throws Exception {
		if (served == null) {
			served = TestCertificate.create(directory, "served");
			other = TestCertificate.create(directory, "other");
		}
		this.server = (SSLServerSocket) served.server()
			.getServerSocketFactory()
			.createServerSocket(0, 16, InetAddress.getLoopbackAddress());
		CompletableFuture.runAsync(this::serve, (task) -> new Thread(task, "test-tls-server").start());
	}

	@AfterEach
	void stop() throws IOException {
		this.server.close();
	}

	@Test
	void followsAnotherBundleWithTheFactoryThatWasTakenBefore() throws Exception {
		FollowingSslContext context = new FollowingSslContext(other.trusted(SslOptions.NONE));
		SSLSocketFactory factory = context.getSocketFactory();
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> connect(factory));
		context.follow(served.trusted(SslOptions.NONE));
		assertThat(connect(factory)).isEqualTo("TLSv1.3");
		context.follow(other.trusted(SslOptions.NONE));
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> connect(factory));
	}

	@Test
	void keepsToTheOptionsOfTheBundle() throws Exception {
		FollowingSslContext context = new FollowingSslContext(served.trusted(OLD_PROTOCOL));
		assertThat(connect(context.getSocketFactory())).isEqualTo("TLSv1.2");
		assertThat(context.getDefaultSSLParameters().getProtocols()).containsExactly("TLSv1.2");
		SSLEngine engine = context.createSSLEngine("localhost", 443);
		assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.2");
		assertThat(context.createSSLEngine().getEnabledProtocols()).containsExactly("TLSv1.2");
		context.follow(served.trusted(SslOptions.of(new String[] { "TLS_AES_256_GCM_SHA384" }, null)));
		assertThat(context.getSocketFactory().getDefaultCipherSuites()).containsExactly("TLS_AES_256_GCM_SHA384");
		assertThat(connect(context.getSocketFactory())).isEqualTo("TLSv1.3");
	}

	private String connect(SSLSocketFactory factory) throws IOException {
		InetAddress loopback = InetAddress.getLoopbackAddress();
		Socket plain = new Socket(loopback, this.server.getLocalPort());
		try (SSLSocket socket = (SSLSocket) factory.createSocket(plain, "localhost", this.server.getLocalPort(),
				true)) {
			socket.startHandshake();
			return socket.getSession().getProtocol();
		}
	}

	private void serve() {
		while (!this.server.isClosed()) {
			try (SSLSocket socket = (SSLSocket) this.server.accept()) {
				socket.startHandshake();
				socket.getInputStream().read();
			}
			catch (IOException ex) {
				// A client that does not trust it, or the end.
			}
		}
	}

}
