package io.sandbox4j.run;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A store in memory. A sandbox's records are one value, which a writer copies, changes
 * and puts in place of the old one; so is the map of them, which is never changed either.
 */
final class InMemoryRunStore extends AbstractRunStore {

	private final ReentrantLock commit = new ReentrantLock();

	private volatile NavigableMap<String, RunShelf> shelves = Collections
		.unmodifiableNavigableMap(new TreeMap<>(RunShelf.ORDER));

	@Override
	protected <T extends @Nullable Object> T readStored(Function<? super RunView, T> work) {
		return work.apply(new InMemoryRunView(this.shelves));
	}

	@Override
	protected <T extends @Nullable Object> T writeStored(String sandbox, Function<? super RunTransaction, T> work) {
		NavigableMap<String, RunShelf> all = new TreeMap<>(this.shelves);
		RunShelf copy = all.getOrDefault(sandbox, new RunShelf()).copy();
		all.put(sandbox, copy);
		T result = work.apply(new InMemoryRunTransaction(all, copy, sandbox));
		this.commit.lock();
		try {
			// Other sandboxes may have been written of meanwhile.
			NavigableMap<String, RunShelf> next = new TreeMap<>(this.shelves);
			next.put(sandbox, copy);
			this.shelves = Collections.unmodifiableNavigableMap(next);
		}
		finally {
			this.commit.unlock();
		}
		return result;
	}

	@Override
	protected void closeStored() {
		this.shelves = Collections.unmodifiableNavigableMap(new TreeMap<>(RunShelf.ORDER));
	}

}
