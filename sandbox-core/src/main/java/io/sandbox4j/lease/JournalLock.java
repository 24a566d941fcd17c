package io.sandbox4j.lease;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * The lock of a journal, which the kernel releases when the process ends. A POSIX lock is
 * the process's, and lost when any descriptor of the file closes; so within this JVM,
 * whatever its class loaders, a system property tells who has it, and a file that is
 * claimed is not even opened.
 */
final class JournalLock implements AutoCloseable {

	private static final String CLAIM = "io.sandbox4j.lease-journal:";

	// Only ever added to: a lost reference would let the collector close the channel.
	private static final Queue<FileChannel> parked = new ConcurrentLinkedQueue<>();

	private final String claim;

	private final FileChannel channel;

	private final AtomicBoolean closed = new AtomicBoolean();

	private JournalLock(String claim, FileChannel channel) {
		this.claim = claim;
		this.channel = channel;
	}

	/**
	 * Takes the lock without waiting.
	 * @param file the file, made if absent
	 * @return the lock, or {@code null} if somebody else has it
	 * @throws IOException if the file cannot be opened
	 */
	static @Nullable JournalLock tryLock(Path file) throws IOException {
		String claim = CLAIM + file;
		if (System.getProperties().putIfAbsent(claim, "open") != null) {
			return null;
		}
		JournalLock lock = null;
		boolean interrupted = Thread.interrupted();
		try {
			lock = lock(file, claim);
			return lock;
		}
		finally {
			if (lock == null) {
				System.getProperties().remove(claim);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static @Nullable JournalLock lock(Path file, String claim) throws IOException {
		FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
				LinkOption.NOFOLLOW_LINKS);
		try {
			FileLock held = channel.tryLock();
			if (held != null) {
				return new JournalLock(claim, channel);
			}
		}
		catch (OverlappingFileLockException ex) {
			// Another name of the same file. To close the channel would lose its lock.
			parked.add(channel);
			return null;
		}
		catch (IOException ex) {
			channel.close();
			throw ex;
		}
		channel.close();
		return null;
	}

	@Override
	public void close() throws IOException {
		// A second time the claim may be that of the next owner.
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		try {
			this.channel.close();
		}
		finally {
			System.getProperties().remove(this.claim);
		}
	}

}
