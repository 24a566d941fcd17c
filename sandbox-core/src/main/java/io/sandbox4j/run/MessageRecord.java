package io.sandbox4j.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A message of an operation as it is stored.
 *
 * @param index its place among those of the operation, from 0
 * @param id its id, unique within the operation
 * @param digest the SHA-256 of the content, in hexadecimal digits
 * @param content the content
 * @since 0.1.0
 */
public record MessageRecord(int index, String id, String digest, String content) {

	/**
	 * Creates a message with the digest of its content.
	 * @param index its place
	 * @param id its id
	 * @param content the content
	 * @return the message
	 */
	public static MessageRecord of(int index, String id, String content) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
			return new MessageRecord(index, id, HexFormat.of().formatHex(digest), content);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
