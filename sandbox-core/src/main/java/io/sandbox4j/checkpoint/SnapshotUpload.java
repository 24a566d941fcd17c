package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.io.OutputStream;

/**
 * An object of a {@link SnapshotStore} that is being written. Not thread-safe. Closing it
 * without {@link #commit()} leaves nothing.
 *
 * @since 0.1.0
 */
public abstract class SnapshotUpload extends OutputStream {

	/**
	 * Creates an upload.
	 */
	protected SnapshotUpload() {
	}

	/**
	 * Publishes the object, whole, unless there is one of its name. No bytes can be
	 * written afterwards.
	 * @return {@code false} if there was one already, which stays as it is
	 * @throws IOException if the store failed
	 */
	public abstract boolean commit() throws IOException;

}
