package io.sandbox4j.storage;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open directory that several threads use, closed by the last of them: to close it
 * while a thread opens something in it would wait for that thread, which a named pipe may
 * hold up.
 */
final class SharedDirectory implements Closeable {

	private static final Logger logger = LoggerFactory.getLogger(SharedDirectory.class);

	private final OpenDirectory directory;

	private final AtomicInteger users = new AtomicInteger(1);

	SharedDirectory(OpenDirectory directory) {
		this.directory = directory;
	}

	OpenDirectory get() {
		return this.directory;
	}

	/**
	 * Adds a user, who must close it too.
	 * @return this directory
	 */
	SharedDirectory share() {
		this.users.incrementAndGet();
		return this;
	}

	@Override
	public void close() {
		if (this.users.decrementAndGet() == 0) {
			try {
				this.directory.close();
			}
			catch (IOException ex) {
				logger.debug("Could not close a directory", ex);
			}
		}
	}

}
