package io.sandbox4j;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * This host cannot run a sandbox, for a known cause and with a known remedy.
 *
 * @since 0.1.0
 */
public class SandboxUnavailableException extends SandboxException {

	private final Cause unavailable;

	private final String remedy;

	/**
	 * Creates an exception.
	 * @param unavailable the cause
	 * @param message a sentence that says it
	 * @param remedy a sentence that says what to do
	 * @param cause the exception behind it, for logs
	 */
	public SandboxUnavailableException(Cause unavailable, String message, String remedy, @Nullable Throwable cause) {
		super(ErrorCode.SANDBOX_UNAVAILABLE, message + " " + remedy, cause);
		this.unavailable = Objects.requireNonNull(unavailable, "'unavailable' must not be null");
		this.remedy = Objects.requireNonNull(remedy, "'remedy' must not be null");
	}

	/**
	 * Returns the cause.
	 * @return the cause
	 */
	public Cause unavailable() {
		return this.unavailable;
	}

	/**
	 * Returns what to do.
	 * @return a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

	/**
	 * Why no sandbox can run.
	 */
	public enum Cause {

		/**
		 * The operating system is not Linux.
		 */
		NOT_LINUX,

		/**
		 * The bubblewrap program does not exist or is not executable.
		 */
		BWRAP_MISSING,

		/**
		 * The bubblewrap program could be replaced by another user, or is setuid.
		 */
		BWRAP_UNSAFE,

		/**
		 * A sysctl switches user namespaces off.
		 */
		USER_NAMESPACES_DISABLED,

		/**
		 * AppArmor restricts unprivileged user namespaces.
		 */
		APPARMOR_RESTRICTED,

		/**
		 * The application runs in a container that does not allow namespaces.
		 */
		CONTAINER_RESTRICTED,

		/**
		 * The state or runtime directory cannot be used.
		 */
		DIRECTORY_UNUSABLE,

		/**
		 * A restriction that was asked for does not hold.
		 */
		RESTRICTION_NOT_HELD,

		/**
		 * Another cause; the message has bubblewrap's own words.
		 */
		OTHER

	}

}
