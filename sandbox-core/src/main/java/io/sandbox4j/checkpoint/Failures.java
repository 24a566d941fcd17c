package io.sandbox4j.checkpoint;

import java.io.IOException;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The exceptions of this package that several classes throw.
 */
final class Failures {

	private Failures() {
	}

	static SandboxException store(IOException cause) {
		if (isFull(cause)) {
			return new SandboxException(ErrorCode.SANDBOX_LIMIT,
					"The disk of the snapshot store is full. Remove checkpoints and call 'collect', or make room.",
					cause);
		}
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"The snapshot store could not be read or written. Look at its disk and permissions.", cause);
	}

	static boolean isFull(IOException cause) {
		String message = String.valueOf(cause.getMessage());
		return message.contains("No space left") || message.contains("quota exceeded");
	}

	static SandboxException damaged(String what) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, "The snapshot store is damaged: " + what
				+ ". Take an older checkpoint, or an exported one; captures repair nothing.");
	}

	static SandboxException newer(String what) {
		return new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
				what + " has a format that this version does not know. Use the version that wrote it, or a newer one.");
	}

	static SandboxException limit(String message) {
		return new SandboxException(ErrorCode.SANDBOX_LIMIT, message);
	}

	static SandboxException invalid(String message) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, message);
	}

	static SandboxException mismatch(String message) {
		return new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH, message);
	}

	static SandboxException busy(String message) {
		return new SandboxException(ErrorCode.SANDBOX_BUSY, message);
	}

	static SandboxException unknown(String id) {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"There is no checkpoint '" + id + "'. It may have been removed; 'list' names those that there are.");
	}

}
