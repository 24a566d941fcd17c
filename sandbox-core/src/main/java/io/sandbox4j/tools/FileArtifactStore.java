package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps outputs as files that only this user can read, in one directory. Several stores,
 * also of several processes, may share the directory; while two write for the same
 * session at once, it can have more than its quota until the next output. A session keeps
 * at most {@value SessionArtifacts#MAX_ARTIFACTS} outputs. What is expired is not read
 * any more at once, and removed from the disk when a store opens or an output is put, at
 * most once a minute. Nothing is flushed to the disk: a power failure can damage outputs.
 *
 * @since 0.1.0
 */
public final class FileArtifactStore implements ArtifactStore, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(FileArtifactStore.class);

	private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9_-]{1,128}");

	private static final int REFERENCE_BYTES = 16;

	private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	private static final SecureRandom RANDOM = new SecureRandom();

	private final Path directory;

	private final Retention retention;

	// Sessions share locks, so that none stays for a session that is gone.
	private final Object[] locks = Stream.generate(Object::new).limit(32).toArray();

	private Instant swept;

	private volatile boolean closed;

	FileArtifactStore(Path directory, Retention retention) {
		this.directory = directory;
		this.retention = retention;
		this.swept = retention.clock().instant();
		sweep();
	}

	/**
	 * Starts a store.
	 * @param directory where the outputs are kept, outside of every workspace; made if
	 * missing. It must be a real directory of this user that others cannot write
	 * @return a builder with safe defaults
	 */
	public static FileArtifactStoreBuilder builder(Path directory) {
		return new FileArtifactStoreBuilder(directory);
	}

	@Override
	public String put(String sessionId, byte[] content) {
		SessionArtifacts session = session(sessionId);
		Objects.requireNonNull(content, "'content' must not be null");
		if (content.length > this.retention.quotaBytes()) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT,
					"The output has " + content.length + " bytes; a session keeps at most "
							+ this.retention.quotaBytes() + ". Run a command that prints less.");
		}
		if (isSweepDue()) {
			sweep();
		}
		String reference = newReference();
		try {
			synchronized (lock(sessionId)) {
				session.put(reference, content);
			}
			return reference;
		}
		catch (IOException ex) {
			logger.debug("An output of session {} cannot be kept", sessionId, ex);
			throw isFull(ex, content.length) ? full() : failed();
		}
	}

	private static String newReference() {
		byte[] bytes = new byte[REFERENCE_BYTES];
		RANDOM.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	@Override
	public Content read(String sessionId, String reference, long offset, int maxBytes) {
		SessionArtifacts session = session(sessionId);
		if (offset < 0 || maxBytes < 0) {
			throw invalid("'" + ((offset < 0) ? "offset" : "maxBytes") + "' must not be negative.");
		}
		checkReference(reference);
		try {
			long size = session.size(reference);
			int length = (int) Math.min(Math.max(size - offset, 0), Math.min(maxBytes, MAX_ARRAY));
			if (length == 0) {
				return new Content(new byte[0], size);
			}
			try (InputStream stream = session.open(reference)) {
				stream.skipNBytes(offset);
				return new Content(stream.readNBytes(length), size);
			}
		}
		catch (IOException ex) {
			throw unreadable(sessionId, ex);
		}
	}

	@Override
	public InputStream open(String sessionId, String reference) {
		SessionArtifacts session = session(sessionId);
		checkReference(reference);
		try {
			session.size(reference);
			return session.open(reference);
		}
		catch (IOException ex) {
			throw unreadable(sessionId, ex);
		}
	}

	@Override
	public void removeSession(String sessionId) {
		SessionArtifacts session = session(sessionId);
		try {
			synchronized (lock(sessionId)) {
				session.removeAll();
			}
		}
		catch (IOException ex) {
			logger.debug("The outputs of session {} cannot be removed", sessionId, ex);
			throw failed();
		}
	}

	/**
	 * Closes the store. It removes nothing, and streams that are open read on.
	 */
	@Override
	public void close() {
		this.closed = true;
	}

	private synchronized boolean isSweepDue() {
		boolean due = this.retention.isOlder(this.swept, SWEEP_INTERVAL);
		if (due) {
			this.swept = this.retention.clock().instant();
		}
		return due;
	}

	// What cannot be removed now is tried again by the next sweep; it is no reason to
	// refuse an output.
	private void sweep() {
		try {
			for (Path entry : PrivateDirectory.entries(this.directory)) {
				String name = entry.getFileName().toString();
				if (SESSION.matcher(name).matches()) {
					sweep(name);
				}
			}
		}
		catch (IOException ex) {
			logger.debug("{} cannot be swept", this.directory, ex);
		}
	}

	private void sweep(String sessionId) {
		try {
			synchronized (lock(sessionId)) {
				artifacts(sessionId).sweep();
			}
		}
		catch (IOException ex) {
			logger.debug("The outputs of session {} cannot be swept", sessionId, ex);
		}
	}

	private SessionArtifacts session(String sessionId) {
		Objects.requireNonNull(sessionId, "'sessionId' must not be null");
		if (this.closed) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
					"The outputs of commands are no longer kept: the application stops.");
		}
		if (!SESSION.matcher(sessionId).matches()) {
			throw invalid("'sessionId' must be 1 to 128 letters, digits, '_' or '-'.");
		}
		return artifacts(sessionId);
	}

	private SessionArtifacts artifacts(String sessionId) {
		return new SessionArtifacts(this.directory.resolve(sessionId), this.retention);
	}

	private Object lock(String sessionId) {
		return this.locks[Math.floorMod(sessionId.hashCode(), this.locks.length)];
	}

	private static void checkReference(String reference) {
		if (!SessionArtifacts.isReference(Objects.requireNonNull(reference, "'reference' must not be null"))) {
			throw notFound();
		}
	}

	// "File too large" is a limit of this process. The words are of the system's
	// language, so the space that is left counts too; a directory that is gone has none.
	private boolean isFull(IOException failure, long bytes) {
		return isFull(failure)
				|| (PrivateDirectory.isReal(this.directory) && this.directory.toFile().getUsableSpace() < bytes);
	}

	static boolean isFull(IOException failure) {
		String reason = String.valueOf(failure.getMessage());
		return Stream.of("No space left on device", "Disk quota exceeded", "File too large").anyMatch(reason::endsWith);
	}

	// The exceptions of the file system name paths of the host, so they are no causes.
	private static SandboxException unreadable(String sessionId, IOException failure) {
		if (failure instanceof NoSuchFileException) {
			return notFound();
		}
		logger.debug("An output of session {} cannot be read", sessionId, failure);
		return failed();
	}

	private static SandboxException notFound() {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"There is no such output: outputs are kept for a limited time. Run the command again.");
	}

	private static SandboxException full() {
		return new SandboxException(ErrorCode.SANDBOX_LIMIT,
				"There is no space left on the host to keep the output. Run a command that prints less.");
	}

	private static SandboxException failed() {
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"The kept outputs could not be accessed: the host's file system failed. The debug log has the cause.");
	}

	static SandboxException invalid(String what) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, what);
	}

}
