package io.sandbox4j.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A fair lock for each sandbox that is written of, and none for the others. An interrupt
 * ends no wait: what must be stored at the end of an interrupted turn is stored.
 */
final class SandboxLocks {

	private final Map<String, Shared> locks = new ConcurrentHashMap<>();

	<T extends @Nullable Object> T locked(String sandbox, Supplier<T> work) {
		Shared shared = this.locks.merge(sandbox, new Shared(new ReentrantLock(true), 1), Shared::plus);
		shared.lock().lock();
		try {
			return work.get();
		}
		finally {
			shared.lock().unlock();
			this.locks.computeIfPresent(sandbox, (key, known) -> (known.users() == 1) ? null : known.minusOne());
		}
	}

	int size() {
		return this.locks.size();
	}

	/**
	 * A lock and how many have it or wait for it.
	 *
	 * @param lock the lock
	 * @param users how many
	 */
	private record Shared(ReentrantLock lock, int users) {

		Shared plus(Shared other) {
			return new Shared(this.lock, this.users + other.users);
		}

		Shared minusOne() {
			return new Shared(this.lock, this.users - 1);
		}

	}

}
