package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * A key with a certificate of its own for {@code localhost}, made at run time with the
 * JDK's {@code keytool}.
 */
final class TestCertificate {

	static final String PASSWORD = "changeit";

	private final Path store;

	private TestCertificate(Path store) {
		this.store = store;
	}

	static TestCertificate create(Path directory, String name) {
		Path store = directory.resolve(name + ".p12");
		try {
			Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
					"-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-ext",
					"san=dns:localhost,ip:127.0.0.1", "-storetype", "PKCS12", "-keystore", store.toString(),
					"-storepass", PASSWORD)
				.redirectErrorStream(true)
				.start();
			String output = new String(keytool.getInputStream().readAllBytes());
			if (keytool.waitFor() != 0) {
				throw new IllegalStateException(output);
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		return new TestCertificate(store);
	}

	Path store() {
		return this.store;
	}

	SSLContext server() throws GeneralSecurityException, IOException {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(keyStore(), PASSWORD.toCharArray());
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keys.getKeyManagers(), null, null);
		return context;
	}

	SslBundle trusted(SslOptions options) throws GeneralSecurityException, IOException {
		return SslBundle.of(SslStoreBundle.of(null, null, keyStore()), SslBundleKey.NONE, options);
	}

	private KeyStore keyStore() throws GeneralSecurityException, IOException {
		KeyStore keyStore = KeyStore.getInstance("PKCS12");
		try (InputStream input = Files.newInputStream(this.store)) {
			keyStore.load(input, PASSWORD.toCharArray());
		}
		String alias = keyStore.aliases().nextElement();
		if (keyStore.getCertificate(alias) == null) {
			throw new IllegalStateException("no certificate");
		}
		return keyStore;
	}

}
