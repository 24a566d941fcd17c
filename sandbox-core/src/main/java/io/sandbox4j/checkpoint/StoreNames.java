package io.sandbox4j.checkpoint;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Names of a {@link SnapshotStore}.
 */
final class StoreNames {

	private static final String SEGMENT = "[a-z0-9][a-z0-9._-]*";

	private static final Pattern NAME = Pattern.compile(SEGMENT + "(/" + SEGMENT + ")*");

	private static final int MAX_LENGTH = 200;

	private static final SecureRandom RANDOM = new SecureRandom();

	private StoreNames() {
	}

	static String require(String name) {
		if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
			throw Failures.invalid("A name in a snapshot store must be segments of small letters, digits, '.', '-' "
					+ "and '_', and have at most " + MAX_LENGTH + " characters.");
		}
		return name;
	}

	static String random() {
		byte[] bytes = new byte[16];
		RANDOM.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

}
