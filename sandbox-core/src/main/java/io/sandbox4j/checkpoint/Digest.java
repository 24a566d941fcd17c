package io.sandbox4j.checkpoint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 digest, as small as it can be: a store has many.
 */
record Digest(long a, long b, long c, long d) {

	static final int BYTES = 32;

	static Digest of(byte[] bytes, int offset, int length) {
		MessageDigest digest = sha256();
		digest.update(bytes, offset, length);
		return read(ByteBuffer.wrap(digest.digest()));
	}

	static Digest of(byte[] bytes) {
		return of(bytes, 0, bytes.length);
	}

	static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JVM has SHA-256", ex);
		}
	}

	static Digest read(ByteBuffer buffer) {
		return new Digest(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
	}

	static Digest parse(String hex) {
		if (!hex.matches("[0-9a-f]{64}")) {
			throw Failures.damaged("'" + hex + "' is no digest");
		}
		return read(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
	}

	byte[] bytes() {
		return ByteBuffer.allocate(BYTES).putLong(this.a).putLong(this.b).putLong(this.c).putLong(this.d).array();
	}

	@Override
	public String toString() {
		return HexFormat.of().formatHex(bytes());
	}

}
