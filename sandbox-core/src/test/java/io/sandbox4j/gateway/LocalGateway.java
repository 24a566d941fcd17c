package io.sandbox4j.gateway;

import java.net.InetAddress;

import javax.net.ssl.SSLContext;

/**
 * What tests of other packages need to be an origin: every name is at 127.0.0.1, and the
 * gateway trusts the tests' own certificate authority.
 */
public final class LocalGateway {

	private LocalGateway() {
	}

	/**
	 * Returns a gateway's builder.
	 * @return the builder
	 */
	public static SandboxGateway.Builder builder() {
		return SandboxGateway.builder()
			.tls(TestAuthority.shared().client())
			.lookup((host) -> new InetAddress[] { InetAddress.getByAddress(host, new byte[] { 127, 0, 0, 1 }) });
	}

	/**
	 * Returns the TLS of a server.
	 * @param host its name
	 * @return the server's side
	 */
	public static SSLContext tls(String host) {
		return TestAuthority.shared().server("dns:" + host);
	}

}
