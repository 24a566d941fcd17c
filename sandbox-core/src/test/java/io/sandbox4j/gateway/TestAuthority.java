package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority made at run time with the JDK's own {@code keytool}; no key is
 * checked in. {@link #shared()} costs two calls of keytool for the whole test run, and
 * one for each other set of names.
 */
final class TestAuthority {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private final Map<List<String>, SSLContext> servers = new ConcurrentHashMap<>();

	private final Path store;

	private TestAuthority(Path store) {
		this.store = store;
	}

	/**
	 * Returns the authority of most tests.
	 * @return the same one every time
	 */
	static TestAuthority shared() {
		return Shared.INSTANCE;
	}

	/**
	 * Makes another authority, which clients of the first do not trust.
	 * @return the authority
	 */
	static TestAuthority create() {
		try {
			Path directory = Files.createTempDirectory("sandbox4j-ca");
			Path store = directory.resolve("ca.p12");
			directory.toFile().deleteOnExit();
			TestAuthority authority = new TestAuthority(store);
			authority.keytool("ca", "CN=Test CA", "-ext", "bc:c=ca:true");
			// Registered after its directory, so it goes before it.
			store.toFile().deleteOnExit();
			return authority;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the TLS of a server whose certificate carries these names.
	 * @param names as keytool writes them: {@code dns:api.example.test}, {@code
	 * ip:127.0.0.1}
	 * @return the server's side
	 */
	SSLContext server(String... names) {
		return this.servers.computeIfAbsent(List.of(names), this::issue);
	}

	/**
	 * Returns the TLS of a client that trusts this authority only.
	 * @return the client's side
	 */
	SSLContext client() {
		try {
			KeyStore trusted = emptyStore();
			trusted.setCertificateEntry("ca", certificate());
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(trusted);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, factory.getTrustManagers(), null);
			return context;
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the authority's certificate.
	 * @return as PEM
	 */
	String pem() {
		try {
			return "-----BEGIN CERTIFICATE-----\n"
					+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(certificate().getEncoded())
					+ "\n-----END CERTIFICATE-----\n";
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private synchronized SSLContext issue(List<String> names) {
		try {
			String alias = "server" + this.servers.size() + "-" + System.nanoTime();
			keytool(alias, "CN=Test server", "-signer", "ca", "-ext", "san=" + String.join(",", names));
			KeyStore all = load();
			PrivateKey key = (PrivateKey) all.getKey(alias, PASSWORD);
			Certificate[] chain = { all.getCertificate(alias), all.getCertificate("ca") };
			KeyStore own = emptyStore();
			own.setKeyEntry("server", key, PASSWORD, chain);
			KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			factory.init(own, PASSWORD);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(factory.getKeyManagers(), null, null);
			return context;
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Certificate certificate() throws GeneralSecurityException, IOException {
		return load().getCertificate("ca");
	}

	private KeyStore load() throws GeneralSecurityException, IOException {
		return KeyStore.getInstance(this.store.toFile(), PASSWORD);
	}

	private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		return store;
	}

	private void keytool(String alias, String subject, String... more) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(
				Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", alias,
				"-dname", subject, "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30", "-keystore",
				this.store.toString(), "-storepass", new String(PASSWORD));
		builder.command().addAll(List.of(more));
		Process process = builder.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		try {
			if (process.waitFor() != 0) {
				throw new IOException("keytool failed: " + output);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

	/**
	 * Made when it is first asked for.
	 */
	private static final class Shared {

		static final TestAuthority INSTANCE = create();

	}

}
