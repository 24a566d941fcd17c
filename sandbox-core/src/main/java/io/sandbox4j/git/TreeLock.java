package io.sandbox4j.git;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a host's tree: one sync at a time, of all transports and processes. The
 * kernel gives it back when the process ends, and nothing is left of it.
 */
final class TreeLock implements AutoCloseable {

	// A kernel's lock is a process's; within it this set decides.
	private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

	private static final long PAUSE_MILLIS = 20;

	private final Path file;

	private final FileChannel channel;

	private TreeLock(Path file, FileChannel channel) {
		this.file = file;
		this.channel = channel;
	}

	static TreeLock acquire(Path gitDirectory, Duration patience) {
		Path file = gitDirectory.resolve("sandbox4j.lock");
		long end = System.nanoTime() + patience.toNanos();
		try {
			do {
				TreeLock lock = tryLock(file);
				if (lock != null) {
					return lock;
				}
				Thread.sleep(PAUSE_MILLIS);
			}
			while (System.nanoTime() < end);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
		throw new SandboxException(ErrorCode.SANDBOX_BUSY,
				"Another sync of this tree has been running for " + patience.toSeconds() + " s. Try again later.");
	}

	private static @Nullable TreeLock tryLock(Path file) throws IOException {
		if (!HELD.add(file)) {
			return null;
		}
		FileChannel channel = null;
		boolean locked = false;
		try {
			channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
					LinkOption.NOFOLLOW_LINKS);
			Object key = key(file);
			FileLock lock = channel.tryLock();
			// Whoever had it before has unlinked the file that we wait at.
			locked = lock != null && key != null && key.equals(key(file));
			return locked ? new TreeLock(file, channel) : null;
		}
		finally {
			if (!locked) {
				if (channel != null) {
					channel.close();
				}
				HELD.remove(file);
			}
		}
	}

	private static @Nullable Object key(Path file) throws IOException {
		try {
			return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	@Override
	public void close() {
		try {
			Files.deleteIfExists(this.file);
			this.channel.close();
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
		finally {
			HELD.remove(this.file);
		}
	}

}
