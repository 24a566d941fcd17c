package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * A file that this process has locked. The kernel unlocks it when the process ends,
 * however it ends. Nobody else in the process may open the file, see {@link LeaseClaims}.
 * The file also holds a number that its owner keeps there. Call it through
 * {@link Uninterruptibly}, but for {@link #isIntact} and {@link #close()}, which use no
 * channel.
 */
final class LockedFile implements AutoCloseable {

	private static final int ATTEMPTS = 16;

	private final String claim;

	private final FileChannel channel;

	private final FileLock lock;

	private final Object key;

	private final AtomicBoolean closed = new AtomicBoolean();

	private LockedFile(String claim, FileChannel channel, FileLock lock, Object key) {
		this.claim = claim;
		this.channel = channel;
		this.lock = lock;
		this.key = key;
	}

	/**
	 * Locks a file, which is made if absent, without waiting.
	 * @param file the file, in an existing directory
	 * @param claim the path by which everybody in this JVM knows it
	 * @return the locked file, or nothing if somebody else has it
	 * @throws NoSuchFileException if the directory does not exist
	 * @throws IOException if the file cannot be opened or locked
	 */
	static Optional<LockedFile> tryLock(Path file, String claim) throws IOException {
		if (!LeaseClaims.claim(claim)) {
			return Optional.empty();
		}
		boolean keepClaim = false;
		try {
			for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
				Object before = keyOf(file, true);
				FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
						LinkOption.NOFOLLOW_LINKS);
				try {
					FileLock lock = channel.tryLock();
					if (lock == null) {
						return Optional.empty();
					}
					// Whoever deletes a session unlinks a file that others may wait at.
					if (before != null && before.equals(keyOf(file, false))) {
						keepClaim = true;
						return Optional.of(new LockedFile(claim, channel, lock, before));
					}
				}
				catch (OverlappingFileLockException ex) {
					// Somebody in this JVM holds the lock without a claim: closing the
					// channel
					// would take it from them.
					LeaseClaims.park(claim, channel);
					keepClaim = true;
					return Optional.empty();
				}
				finally {
					if (!keepClaim) {
						channel.close();
					}
				}
			}
			return Optional.empty();
		}
		finally {
			if (!keepClaim) {
				LeaseClaims.giveBack(claim);
			}
		}
	}

	private static @Nullable Object keyOf(Path file, boolean create) throws IOException {
		try {
			return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
		}
		catch (NoSuchFileException ex) {
			if (!create) {
				return null;
			}
		}
		try {
			Files.createFile(file, JsonFiles.PRIVATE_FILE);
		}
		catch (FileAlreadyExistsException ex) {
			// Another process was faster; the lock decides.
		}
		return keyOf(file, false);
	}

	/**
	 * Whether the lock is held and this path still names the locked file.
	 * @param file the path
	 * @return {@code true} if so
	 */
	boolean isIntact(Path file) {
		if (this.closed.get() || !this.lock.isValid()) {
			return false;
		}
		try {
			return this.key.equals(keyOf(file, false));
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Reads the number in the file.
	 * @return the number, or 0 if there is none
	 * @throws IOException if the file cannot be read
	 */
	long readNumber() throws IOException {
		ByteBuffer buffer = ByteBuffer.allocate(32);
		this.channel.read(buffer, 0);
		try {
			return Long.parseLong(new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).trim());
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	void writeNumber(long number, boolean force) throws IOException {
		byte[] bytes = (number + "\n").getBytes(StandardCharsets.US_ASCII);
		this.channel.truncate(bytes.length);
		this.channel.write(ByteBuffer.wrap(bytes), 0);
		if (force) {
			this.channel.force(true);
		}
	}

	/**
	 * Unlocks. Idempotent.
	 * @throws IOException if closing fails; the lock is gone even so
	 */
	@Override
	public void close() throws IOException {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		try {
			this.channel.close();
		}
		finally {
			LeaseClaims.giveBack(this.claim);
		}
	}

}
