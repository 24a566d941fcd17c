package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * The context of an SSL bundle, with the bundle's protocols and ciphers, that can go over
 * to another bundle. Its socket factories do so too, also those that somebody kept.
 */
final class FollowingSslContext extends SSLContext {

	private final Spi spi;

	FollowingSslContext(SslBundle bundle) {
		this(new Spi(Current.of(bundle)));
	}

	private FollowingSslContext(Spi spi) {
		super(spi, spi.current.context().getProvider(), spi.current.context().getProtocol());
		this.spi = spi;
	}

	void follow(SslBundle bundle) {
		this.spi.current = Current.of(bundle);
	}

	/**
	 * A bundle's context and options.
	 */
	private record Current(SSLContext context, SslOptions options) {

		static Current of(SslBundle bundle) {
			return new Current(bundle.createSslContext(), bundle.getOptions());
		}

		SSLParameters apply(SSLParameters parameters) {
			if (this.options.getCiphers() != null) {
				parameters.setCipherSuites(this.options.getCiphers());
			}
			if (this.options.getEnabledProtocols() != null) {
				parameters.setProtocols(this.options.getEnabledProtocols());
			}
			return parameters;
		}

		Socket apply(Socket socket) {
			if (socket instanceof SSLSocket secure) {
				secure.setSSLParameters(apply(secure.getSSLParameters()));
			}
			return socket;
		}

		SSLEngine apply(SSLEngine engine) {
			engine.setSSLParameters(apply(engine.getSSLParameters()));
			return engine;
		}

	}

	private static final class Spi extends SSLContextSpi {

		private volatile Current current;

		Spi(Current current) {
			this.current = current;
		}

		@Override
		protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
			throw new UnsupportedOperationException("The SSL bundle has initialized it.");
		}

		@Override
		protected SSLSocketFactory engineGetSocketFactory() {
			return new SocketFactory(this);
		}

		@Override
		protected SSLServerSocketFactory engineGetServerSocketFactory() {
			return this.current.context().getServerSocketFactory();
		}

		@Override
		protected SSLEngine engineCreateSSLEngine() {
			Current now = this.current;
			return now.apply(now.context().createSSLEngine());
		}

		@Override
		protected SSLEngine engineCreateSSLEngine(String host, int port) {
			Current now = this.current;
			return now.apply(now.context().createSSLEngine(host, port));
		}

		@Override
		protected SSLSessionContext engineGetServerSessionContext() {
			return this.current.context().getServerSessionContext();
		}

		@Override
		protected SSLSessionContext engineGetClientSessionContext() {
			return this.current.context().getClientSessionContext();
		}

		@Override
		protected SSLParameters engineGetDefaultSSLParameters() {
			Current now = this.current;
			return now.apply(now.context().getDefaultSSLParameters());
		}

		@Override
		protected SSLParameters engineGetSupportedSSLParameters() {
			return this.current.context().getSupportedSSLParameters();
		}

	}

	private static final class SocketFactory extends SSLSocketFactory {

		private final Spi spi;

		SocketFactory(Spi spi) {
			this.spi = spi;
		}

		private static SSLSocketFactory factory(Current current) {
			return current.context().getSocketFactory();
		}

		@Override
		public String[] getDefaultCipherSuites() {
			return this.spi.engineGetDefaultSSLParameters().getCipherSuites();
		}

		@Override
		public String[] getSupportedCipherSuites() {
			return this.spi.engineGetSupportedSSLParameters().getCipherSuites();
		}

		@Override
		public Socket createSocket() throws IOException {
			Current now = this.spi.current;
			return now.apply(factory(now).createSocket());
		}

		@Override
		public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
			Current now = this.spi.current;
			return now.apply(factory(now).createSocket(socket, host, port, autoClose));
		}

		@Override
		public Socket createSocket(String host, int port) throws IOException {
			Current now = this.spi.current;
			return now.apply(factory(now).createSocket(host, port));
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress localAddress, int localPort) throws IOException {
			Current now = this.spi.current;
			return now.apply(factory(now).createSocket(host, port, localAddress, localPort));
		}

		@Override
		public Socket createSocket(InetAddress address, int port) throws IOException {
			Current now = this.spi.current;
			return now.apply(factory(now).createSocket(address, port));
		}

		@Override
		public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
				throws IOException {
			Current now = this.spi.current;
			return now.apply(factory(now).createSocket(address, port, localAddress, localPort));
		}

	}

}
