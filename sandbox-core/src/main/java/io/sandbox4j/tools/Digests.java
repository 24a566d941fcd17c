package io.sandbox4j.tools;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Digests of files, as models and policies see them.
 */
final class Digests {

	private Digests() {
	}

	static String sha256(byte[] content) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("The JVM has no SHA-256, which every JVM must have.", ex);
		}
	}

}
