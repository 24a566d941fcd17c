package io.sandbox4j.tools;

import java.io.InputStream;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Keeps the full output of commands outside of the workspace, where no command can change
 * it, for a limited time. An output belongs to one session and is named by a reference
 * that cannot be guessed. Thread-safe.
 * <p>
 * Failures are {@link SandboxException}s whose messages may be shown to a model: they
 * name no path of the host. A reference that is unknown, malformed, expired or of another
 * session always gives the same {@link ErrorCode#SANDBOX_NOT_FOUND}, so nothing is
 * learned about other sessions. A malformed session id gives
 * {@link ErrorCode#SANDBOX_INVALID}, an implementation that was closed
 * {@link ErrorCode#SANDBOX_STOPPED}, and storage that fails
 * {@link ErrorCode#SANDBOX_UNAVAILABLE}.
 *
 * @since 0.1.0
 */
public interface ArtifactStore {

	/**
	 * Keeps an output. The oldest outputs of the same session make room for it.
	 * @param sessionId the session, 1 to 128 characters of {@code A-Za-z0-9_-}
	 * @param content the output's bytes
	 * @return its reference: random, with 128 bits, in lower-case hexadecimal digits or
	 * base32
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if the output alone is
	 * larger than what a session may keep, or there is no space left; nothing of it stays
	 */
	String put(String sessionId, byte[] content);

	/**
	 * Reads a part of an output.
	 * @param sessionId the session
	 * @param reference what {@link #put} returned
	 * @param offset the first byte to read, counted from zero; beyond the end there are
	 * no bytes
	 * @param maxBytes how many bytes to read at most
	 * @return the part
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * output, {@link ErrorCode#SANDBOX_INVALID} for a negative number
	 */
	Content read(String sessionId, String reference, long offset, int maxBytes);

	/**
	 * Opens an output. The stream reads to the end even if the output is removed
	 * meanwhile.
	 * @param sessionId the session
	 * @param reference what {@link #put} returned
	 * @return the stream, to be closed by the caller
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * output
	 */
	InputStream open(String sessionId, String reference);

	/**
	 * Removes all outputs of a session. A session without any is fine.
	 * @param sessionId the session
	 */
	void removeSession(String sessionId);

	/**
	 * A part of an output.
	 *
	 * @param bytes the part, not copied
	 * @param totalBytes the size of the whole output
	 */
	record Content(byte[] bytes, long totalBytes) {

		/**
		 * Validates the components.
		 */
		public Content {
			Objects.requireNonNull(bytes, "'bytes' must not be null");
		}

	}

}
