package io.sandbox4j.storage;

import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * A session whose lease was taken. Thread-safe.
 * <p>
 * States and transitions: OWNED to RELEASED ({@link #release()}), OWNED or RELEASED to
 * DELETED ({@link #delete()}). Nothing leads back.
 *
 * @since 0.1.0
 */
public final class StoredSession {

	private final ReentrantLock lock = new ReentrantLock();

	private final SessionStore store;

	private final SessionPaths paths;

	private final SessionRecord record;

	private final SessionLease lease;

	private final Guests guests;

	private final int killedGuests;

	private State state = State.OWNED;

	StoredSession(SessionStore store, SessionPaths paths, SessionRecord record, SessionLease lease, int killedGuests) {
		this.store = store;
		this.paths = paths;
		this.record = record;
		this.lease = lease;
		this.guests = new Guests(paths);
		this.killedGuests = killedGuests;
	}

	/**
	 * Returns the session's id.
	 * @return 64 hexadecimal digits
	 */
	public String id() {
		return this.paths.id();
	}

	/**
	 * Returns the key of the template that the session came from.
	 * @return the key, 64 zeros if it came from none
	 */
	public String templateKey() {
		return this.record.templateKey();
	}

	/**
	 * Returns the directory that commands see as their workspace.
	 * @return its path on the host
	 */
	public Path workspace() {
		String directory = this.record.directory();
		return (directory != null) ? Path.of(directory) : this.paths.workspace();
	}

	/**
	 * Returns where the host makes files before it moves them into the workspace, on the
	 * same file system.
	 * @return a directory that no command sees; the workspace itself if that is a
	 * directory of the caller
	 */
	public Path staging() {
		return (this.record.directory() != null) ? workspace() : this.paths.staging();
	}

	/**
	 * Returns the ownership.
	 * @return the lease
	 */
	public SessionLease lease() {
		return this.lease;
	}

	/**
	 * Returns the record of live sandboxes.
	 * @return the guests
	 */
	public Guests guests() {
		return this.guests;
	}

	/**
	 * Whether the last owner did not release the session, because it crashed.
	 * @return {@code true} after a crash
	 */
	public boolean recovered() {
		return this.lease.recovered();
	}

	/**
	 * Returns how many processes of an earlier owner were still alive, and were killed.
	 * @return the count
	 */
	public int killedGuests() {
		return this.killedGuests;
	}

	/**
	 * Gives the session back. Call it when no process of it is left. Idempotent.
	 */
	public void release() {
		this.lock.lock();
		try {
			if (this.state == State.OWNED) {
				this.state = State.RELEASED;
				this.store.released(this.paths);
				this.lease.release();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Deletes the session with its workspace, unless that is a directory of the caller.
	 * Call it when no process of it is left. Idempotent.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if the session has a new
	 * owner
	 */
	public void delete() {
		this.lock.lock();
		try {
			if (this.state == State.DELETED) {
				return;
			}
			if (this.state == State.OWNED && this.lease.isValid()) {
				removeOwned();
			}
			else {
				release();
				this.store.delete(this.paths.id());
			}
			this.state = State.DELETED;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void removeOwned() {
		try {
			this.store.remove(this.paths, this.lease);
		}
		catch (SandboxException ex) {
			release();
			throw ex;
		}
	}

	/**
	 * Where the session's life is.
	 */
	private enum State {

		OWNED, RELEASED, DELETED

	}

}
