package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one session, under its lease, beside the others, and moves it among them when it
 * is complete: so what is among them always is.
 */
final class SessionCreation {

	private static final Logger logger = LoggerFactory.getLogger(SessionCreation.class);

	private final SessionPaths paths;

	private final SessionPaths temporary;

	private final SessionStore.Tools tools;

	SessionCreation(SessionPaths paths, Path temporary, SessionStore.Tools tools) {
		this.paths = paths;
		this.temporary = new SessionPaths(paths.id(), temporary);
		this.tools = tools;
	}

	/**
	 * Makes the session. A failure leaves nothing.
	 * @param record what to store
	 * @param workspace makes the workspace
	 * @return its lease
	 */
	SessionLease create(SessionRecord record, Workspace workspace) {
		SessionLease lease = null;
		boolean done = false;
		try {
			Directories.make(this.temporary.directory(), this.tools.directories().passable());
			Directories.make(this.temporary.guests(), Directories.PRIVATE);
			Directories.make(this.temporary.staging(), Directories.PRIVATE);
			lease = SessionLease.tryAcquire(this.paths, this.temporary.directory(), this.tools.holder())
				.orElseThrow(() -> StorageFailures.busy(this.paths.id()));
			workspace.make(this.temporary.workspace());
			publish(record);
			done = true;
			return lease;
		}
		catch (IOException ex) {
			throw StorageFailures.io("Session '" + this.paths.id() + "' could not be made", ex);
		}
		finally {
			if (!done) {
				discard(this.temporary.directory());
				discard(this.paths.directory());
				if (lease != null) {
					lease.abandon();
				}
			}
		}
	}

	private void publish(SessionRecord record) throws IOException {
		Sync sync = this.tools.holder().sync();
		new JsonFiles(sync).write(this.temporary.state(), record);
		Files.move(this.temporary.directory(), this.paths.directory(), StandardCopyOption.ATOMIC_MOVE);
		Path sessions = this.paths.directory().getParent();
		if (sessions != null) {
			sync.directory(sessions);
		}
	}

	private void discard(Path path) {
		try {
			this.tools.trash().discard(path);
		}
		catch (IOException ex) {
			logger.warn("'{}' stays until the next start: {}", path, ex.toString());
		}
	}

	/**
	 * Makes a workspace.
	 */
	@FunctionalInterface
	interface Workspace {

		void make(Path directory) throws IOException;

	}

}
