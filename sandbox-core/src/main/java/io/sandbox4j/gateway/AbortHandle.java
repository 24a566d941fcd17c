package io.sandbox4j.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Ends a request from another thread: a deadline, a guest that left, a new policy. A
 * thread that is blocked on a socket can only be freed by closing it, so whatever the
 * request blocks on is attached while it does. Thread-safe.
 */
final class AbortHandle {

	private final Set<Closeable> attached = Collections.newSetFromMap(new IdentityHashMap<>());

	private boolean aborted;

	/**
	 * Closes what is attached, and from now on what will be. Closing must not block.
	 */
	void abort() {
		List<Closeable> closing;
		synchronized (this) {
			this.aborted = true;
			closing = List.copyOf(this.attached);
			this.attached.clear();
		}
		closing.forEach(AbortHandle::close);
	}

	synchronized boolean aborted() {
		return this.aborted;
	}

	/**
	 * Has something closed by {@link #abort()}, at once if that was called already.
	 * @param closeable what to close
	 */
	void attach(Closeable closeable) {
		synchronized (this) {
			if (!this.aborted) {
				this.attached.add(closeable);
				return;
			}
		}
		close(closeable);
	}

	/**
	 * Takes back what was attached. Afterwards {@link #abort()} does not touch it.
	 * @param closeable what was attached
	 * @return whether it is untouched; otherwise it was closed, or is being closed
	 */
	synchronized boolean detach(Closeable closeable) {
		this.attached.remove(closeable);
		return !this.aborted;
	}

	private static void close(Closeable closeable) {
		try {
			closeable.close();
		}
		catch (IOException ex) {
			// Nobody reads or writes there any more.
		}
	}

}
