package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The references of a {@link FileSnapshotStore}: a file each, its version before its
 * content, replaced whole. Writers exclude each other by a lock of the operating system,
 * which ends with the process that held it. Readers take none.
 */
final class FileRefs {

	// A process has one lock of a file, whichever of its stores took it.
	private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final int MAX = 4 << 20;

	private final Path directory;

	private final Path lockFile;

	private final StoreDisk disk;

	FileRefs(Path directory, Path lockFile, StoreDisk disk) {
		this.directory = directory;
		this.lockFile = lockFile;
		this.disk = disk;
	}

	@Nullable SnapshotRef read(String name) throws IOException {
		byte[] bytes;
		try {
			bytes = Files.readAllBytes(this.directory.resolve(name));
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		if (bytes.length < Long.BYTES) {
			throw Failures.damaged("the reference '" + name + "' is not what was written");
		}
		return new SnapshotRef(Long.toString(ByteBuffer.wrap(bytes).getLong()),
				Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
	}

	boolean compareAndSet(String name, @Nullable String expected, byte[] content) throws IOException {
		if (content.length > MAX) {
			throw Failures.limit("A reference of the snapshot store may have 4 MiB. Keep fewer checkpoints.");
		}
		ReentrantLock inside = LOCKS.computeIfAbsent(this.lockFile, (path) -> new ReentrantLock());
		inside.lock();
		try (FileChannel channel = openLock(); FileLock lock = lock(channel)) {
			SnapshotRef current = read(name);
			String version = (current != null) ? current.version() : null;
			if (!lock.isValid() || ((expected != null) ? !expected.equals(version) : version != null)) {
				return false;
			}
			long next = (version != null) ? Long.parseLong(version) + 1 : 1;
			try {
				replace(name, next, content);
			}
			catch (IOException ex) {
				if (!this.disk.useReserve(ex)) {
					throw ex;
				}
				replace(name, next, content);
				return true;
			}
			this.disk.keepReserve();
			return true;
		}
		finally {
			inside.unlock();
		}
	}

	private void replace(String name, long version, byte[] content) throws IOException {
		Path target = this.directory.resolve(name);
		Path part = this.disk.newPart();
		try {
			Files.createDirectories(target.getParent(), StoreDisk.PRIVATE);
			this.disk.write(part, ByteBuffer.allocate(Long.BYTES).putLong(version).flip(), ByteBuffer.wrap(content));
			Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
			this.disk.forceName(target);
		}
		finally {
			StoreDisk.discard(part);
		}
	}

	private FileChannel openLock() throws IOException {
		return FileChannel.open(this.lockFile, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
				StoreDisk.PRIVATE_FILE);
	}

	private static FileLock lock(FileChannel channel) throws IOException {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (System.nanoTime() < end) {
			FileLock lock = tryLock(channel);
			if (lock != null) {
				return lock;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"Another process holds the lock of the snapshot store and does not end. Look for one that is stopped.");
	}

	private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
		try {
			return channel.tryLock();
		}
		catch (OverlappingFileLockException ex) {
			// Another class loader's.
			return null;
		}
	}

}
