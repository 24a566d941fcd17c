package io.sandbox4j.run;

import java.util.regex.Pattern;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The ids that callers choose.
 */
final class Ids {

	private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]{1,128}");

	private Ids() {
	}

	static boolean isValid(String id) {
		return ID.matcher(id).matches();
	}

	static String require(String name, String id) {
		if (!isValid(id)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'" + name + "' must have 1 to 128 printable ASCII characters without blanks.");
		}
		return id;
	}

}
