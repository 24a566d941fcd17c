package io.sandbox4j.storage;

import java.nio.file.Path;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * What storage failures say.
 */
final class StorageFailures {

	private StorageFailures() {
	}

	static SandboxUnavailableException unusable(String what, String remedy, @Nullable Throwable cause) {
		return new SandboxUnavailableException(SandboxUnavailableException.Cause.DIRECTORY_UNUSABLE, what, remedy,
				cause);
	}

	static SandboxException io(String what, Throwable cause) {
		return unusable(what + ": " + cause + ".",
				"Check the space, the permissions and the disk of 'sandbox.state-directory'.", cause);
	}

	static SandboxException busy(String id) {
		return new SandboxException(ErrorCode.SANDBOX_BUSY,
				"Session '" + id + "' has an owner. Stop that one, or try again later.");
	}

	static SandboxException noSession(String id) {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"There is no session '" + id + "': it was deleted, or 'sandbox.state-directory' is another.");
	}

	static SandboxException noTemplate(String key) {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"There is no template '" + key + "'. Prewarm it first, with this backend's name.");
	}

	static SandboxException broken(Path file, Throwable cause) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID,
				"'" + file + "' is damaged. Restore it from a backup, or delete the session.", cause);
	}

	static SandboxException mismatch(String what) {
		return new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
				what + ". Use the state that the session's handle returned, with the backend that made it.");
	}

}
