package io.sandbox4j.tools;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * One lock for each path that is in use, and none for others: a call can wait for a
 * person while it holds its own. Thread-safe.
 */
final class PathLocks {

	private final Map<WorkspacePath, PathLock> locks = new ConcurrentHashMap<>();

	/**
	 * Waits until no other call holds one of the paths. Always in the same order, so that
	 * no two calls wait for each other.
	 * @param paths the paths
	 * @return what gives them back
	 * @throws InterruptedException if the thread is interrupted; then none is held
	 */
	Held lock(WorkspacePath... paths) throws InterruptedException {
		Held held = new Held();
		boolean all = false;
		try {
			for (WorkspacePath path : Stream.of(paths)
				.distinct()
				.sorted(Comparator.comparing(WorkspacePath::toString))
				.toList()) {
				held.add(path);
			}
			all = true;
			return held;
		}
		finally {
			if (!all) {
				held.release();
			}
		}
	}

	int size() {
		return this.locks.size();
	}

	/**
	 * The paths that a call holds.
	 */
	final class Held {

		private final List<WorkspacePath> paths = new ArrayList<>();

		private void add(WorkspacePath path) throws InterruptedException {
			PathLock lock = PathLocks.this.locks.compute(path, (key, known) -> PathLock.oneMore(known));
			boolean locked = false;
			try {
				lock.lock.lockInterruptibly();
				locked = true;
				this.paths.add(path);
			}
			finally {
				if (!locked) {
					PathLocks.this.locks.computeIfPresent(path, (key, known) -> known.oneLess());
				}
			}
		}

		void release() {
			for (WorkspacePath path : this.paths) {
				PathLocks.this.locks.computeIfPresent(path, (key, known) -> {
					known.lock.unlock();
					return known.oneLess();
				});
			}
			this.paths.clear();
		}

	}

	/**
	 * A lock, and how many hold it or wait for it; counted within the map's own atomic
	 * calls.
	 */
	private static final class PathLock {

		private final ReentrantLock lock = new ReentrantLock();

		private int users;

		private static PathLock oneMore(@Nullable PathLock known) {
			PathLock lock = (known != null) ? known : new PathLock();
			lock.users++;
			return lock;
		}

		private @Nullable PathLock oneLess() {
			this.users--;
			return (this.users > 0) ? this : null;
		}

	}

}
