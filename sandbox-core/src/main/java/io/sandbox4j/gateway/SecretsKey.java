package io.sandbox4j.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;

import org.apache.hc.core5.http.Header;

/**
 * Equal for equal headers only, which cannot be told from it: a digest with a salt of
 * this JVM. Connections are shared by requests whose keys are equal.
 */
final class SecretsKey {

	/**
	 * Of a request to which nothing is added.
	 */
	static final SecretsKey NONE = new SecretsKey(new byte[Integer.BYTES]);

	private static final byte[] SALT = salt();

	private final byte[] digest;

	private SecretsKey(byte[] digest) {
		this.digest = digest;
	}

	private static byte[] salt() {
		byte[] salt = new byte[32];
		new SecureRandom().nextBytes(salt);
		return salt;
	}

	/**
	 * Makes the key of some headers.
	 * @param headers names, whose case does not matter, and values
	 * @return the key
	 */
	static SecretsKey of(List<Header> headers) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update(SALT);
			for (Header header : headers) {
				update(digest, header.getName().toLowerCase(Locale.ROOT));
				update(digest, header.getValue());
			}
			return new SecretsKey(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("The JVM has no SHA-256, which every JVM must have.", ex);
		}
	}

	// With its length, so that no two lists run into the same bytes.
	private static void update(MessageDigest digest, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
		digest.update(bytes);
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof SecretsKey that && MessageDigest.isEqual(this.digest, that.digest);
	}

	@Override
	public int hashCode() {
		return ByteBuffer.wrap(this.digest).getInt();
	}

	/**
	 * Says nothing of the secrets.
	 */
	@Override
	public String toString() {
		return "SecretsKey";
	}

}
