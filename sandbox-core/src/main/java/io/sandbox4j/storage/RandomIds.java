package io.sandbox4j.storage;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Unguessable names of 64 hexadecimal digits.
 */
final class RandomIds {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final Pattern HEX_64 = Pattern.compile("[0-9a-f]{64}");

	private RandomIds() {
	}

	static String next() {
		byte[] bytes = new byte[32];
		RANDOM.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	static boolean isHex64(String text) {
		return HEX_64.matcher(text).matches();
	}

}
