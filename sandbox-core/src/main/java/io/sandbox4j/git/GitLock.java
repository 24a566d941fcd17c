package io.sandbox4j.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The file beside one of Git's that says that a git command changes it. A command that is
 * killed leaves it.
 *
 * @param file the file
 */
record GitLock(Path file) {

	private static final long PAUSE_MILLIS = 20;

	static GitLock of(Path locked) {
		return new GitLock(locked.resolveSibling(locked.getFileName() + ".lock"));
	}

	/**
	 * Waits until the lock is given back.
	 * @param patience how long at most
	 * @param held whether somebody can still give it back
	 * @return {@code false} if somebody still holds it
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if the thread is
	 * interrupted
	 */
	boolean awaitGone(Duration patience, BooleanSupplier held) {
		long end = System.nanoTime() + patience.toNanos();
		try {
			while (Files.exists(this.file) && held.getAsBoolean()) {
				if (System.nanoTime() > end) {
					return false;
				}
				Thread.sleep(PAUSE_MILLIS);
			}
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The call was interrupted.", ex);
		}
	}

	void remove() {
		try {
			Files.deleteIfExists(this.file);
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

}
