package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.LeaseOwner;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ownership of one session: a kernel lock on its {@code lease} file, which ends with
 * the process at the latest, and a record of the owner beside it. Thread-safe.
 * <p>
 * States: held, released; nothing leads back. A held lease is lost when the file was
 * removed or replaced, or another owner stands in the record; {@link #ensureValid()}
 * tells. The file system must be this host's own: across hosts a lock proves nothing.
 *
 * @since 0.1.0
 */
public final class SessionLease {

	private static final Logger logger = LoggerFactory.getLogger(SessionLease.class);

	/**
	 * Tokens beyond this come from a damaged record: no session is acquired that often.
	 */
	private static final long MAX_TOKEN = Long.MAX_VALUE / 2;

	private final ReentrantLock recordLock = new ReentrantLock();

	private final SessionPaths paths;

	private final LockedFile lock;

	private final LeaseRecord record;

	private final JsonFiles files;

	private final boolean recovered;

	private volatile @Nullable Stamp stamp;

	private volatile boolean released;

	private SessionLease(SessionPaths paths, LockedFile lock, LeaseRecord record, JsonFiles files, boolean recovered) {
		this.paths = paths;
		this.lock = lock;
		this.record = record;
		this.files = files;
		this.recovered = recovered;
	}

	/**
	 * Takes the lease of a session, without waiting.
	 * @param paths the session, where it is to stay
	 * @param directory where it is now: a session that is being made is elsewhere
	 * @param holder who takes it
	 * @return the lease, or nothing if it has an owner
	 * @throws NoSuchFileException if there is no such directory
	 * @throws IOException if the files cannot be used
	 */
	static Optional<SessionLease> tryAcquire(SessionPaths paths, Path directory, LeaseHolder holder)
			throws IOException {
		SessionPaths current = new SessionPaths(paths.id(), directory);
		return Uninterruptibly.call(() -> {
			Optional<LockedFile> lock = LockedFile.tryLock(current.lease(), paths.lease().toString());
			if (lock.isEmpty()) {
				return Optional.empty();
			}
			try {
				return Optional.of(record(paths, current, lock.get(), holder));
			}
			catch (IOException | RuntimeException ex) {
				close(lock.get(), ex);
				throw ex;
			}
		});
	}

	private static SessionLease record(SessionPaths paths, SessionPaths current, LockedFile lock, LeaseHolder holder)
			throws IOException {
		JsonFiles files = new JsonFiles(holder.sync());
		boolean fresh = !paths.equals(current);
		LeaseRecord last = null;
		try {
			last = JsonFiles.read(current.owner(), LeaseRecord.class);
		}
		catch (JsonFiles.BrokenException ex) {
			logger.warn("The owner record of session {} is damaged and is replaced", paths.id());
		}
		// The lock file has a second copy of the token, so that it grows whatever happens
		// to
		// the record; without either, the time is beyond every count of acquisitions.
		long before = Math.max(sane((last != null) ? last.token() : 0), sane(lock.readNumber()));
		if (before == 0 && !fresh) {
			before = Math.max(0, holder.clock().instant().getEpochSecond());
		}
		long token = before + 1;
		lock.writeNumber(token, holder.sync().enabled());
		LeaseRecord record = holder.record(token);
		files.write(current.owner(), record);
		boolean recovered = !fresh && (last == null || !last.released());
		SessionLease lease = new SessionLease(paths, lock, record, files, recovered);
		lease.stamp = Stamp.of(current.owner());
		return lease;
	}

	private static long sane(long token) {
		return (token > 0 && token < MAX_TOKEN) ? token : 0;
	}

	private static void close(LockedFile lock, Exception failure) {
		try {
			lock.close();
		}
		catch (IOException ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Returns the fencing token, which grows with every acquisition of the session.
	 * @return the token
	 */
	public long token() {
		return this.record.token();
	}

	/**
	 * Returns what was recorded of this owner.
	 * @return the owner
	 */
	public LeaseOwner owner() {
		return this.record.toOwner();
	}

	/**
	 * Whether the owner before this one did not give the lease back.
	 * @return {@code true} after a crash
	 */
	boolean recovered() {
		return this.recovered;
	}

	/**
	 * Checks that the session is still this owner's. Cheap enough for every command.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LEASE_LOST} if it is not
	 */
	public void ensureValid() {
		String loss = loss();
		if (loss != null) {
			throw new SandboxException(ErrorCode.SANDBOX_LEASE_LOST, "The lease of session '" + this.paths.id()
					+ "' is lost: " + loss + ". Attach to the session's state for a new handle.");
		}
	}

	boolean isValid() {
		return loss() == null;
	}

	private @Nullable String loss() {
		if (this.released) {
			return "it was released";
		}
		if (!this.lock.isIntact(this.paths.lease())) {
			return "its lock file was removed or replaced";
		}
		try {
			Stamp now = Stamp.of(this.paths.owner());
			if (now == null || !now.equals(this.stamp)) {
				LeaseRecord found = JsonFiles.read(this.paths.owner(), LeaseRecord.class);
				if (found == null || found.token() != this.record.token()
						|| !found.owner().equals(this.record.owner())) {
					return "its record names another owner";
				}
				this.stamp = now;
			}
			return null;
		}
		catch (IOException ex) {
			return "its record cannot be read (" + ex.getMessage() + ")";
		}
	}

	/**
	 * Gives the lease back. Call it when no process of the session is left. Idempotent.
	 */
	public void release() {
		this.recordLock.lock();
		try {
			if (this.released) {
				return;
			}
			try {
				if (isValid()) {
					this.files.write(this.paths.owner(), this.record.asReleased());
				}
			}
			catch (IOException ex) {
				logger.warn("The release of session {} could not be recorded: {}", this.paths.id(), ex.toString());
			}
			abandon();
		}
		finally {
			this.recordLock.unlock();
		}
	}

	/**
	 * Unlocks without a word in the record, as a crash would.
	 */
	void abandon() {
		this.released = true;
		try {
			this.lock.close();
		}
		catch (IOException ex) {
			logger.warn("The lease of session {} could not be closed cleanly: {}", this.paths.id(), ex.toString());
		}
	}

	/**
	 * By what an unchanged file is known without reading it.
	 *
	 * @param key its inode
	 * @param modified when it was written
	 * @param size its size
	 */
	private record Stamp(Object key, FileTime modified, long size) {

		static @Nullable Stamp of(Path file) throws IOException {
			try {
				BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class,
						LinkOption.NOFOLLOW_LINKS);
				return new Stamp(Objects.requireNonNull(attributes.fileKey(), "'fileKey' must not be null"),
						attributes.lastModifiedTime(), attributes.size());
			}
			catch (NoSuchFileException ex) {
				return null;
			}
		}

	}

}
