package io.sandbox4j.run;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * What stores have in common: calls that close waits for, one writer of a sandbox at a
 * time within the process, arguments that are looked at before the store sees them, and
 * transactions that a failure spoils. Who implements a store extends this class and keeps
 * records.
 *
 * @since 0.1.0
 */
public abstract class AbstractRunStore implements RunStore {

	private final StoreCalls calls = new StoreCalls();

	private final SandboxLocks locks = new SandboxLocks();

	private final ReentrantLock closing = new ReentrantLock();

	private boolean freed;

	/**
	 * Creates a store that is open.
	 */
	protected AbstractRunStore() {
	}

	@Override
	public final <T extends @Nullable Object> T read(Function<? super RunView, T> work) {
		return called(() -> readStored((stored) -> {
			CheckedView view = new CheckedView(stored);
			try {
				return work.apply(view);
			}
			finally {
				view.end();
			}
		}));
	}

	@Override
	public final <T extends @Nullable Object> T write(String sandbox, Function<? super RunTransaction, T> work) {
		return change(sandbox, (checked, stored) -> work.apply(checked));
	}

	/**
	 * Writes of one sandbox, for stores that offer more than {@link #write}.
	 * @param <T> the type of the result
	 * @param sandbox the sandbox's key
	 * @param work gets the transaction for the caller, and the one of
	 * {@link #writeStored}
	 * @return what the work returns
	 */
	protected final <T extends @Nullable Object> T change(String sandbox,
			BiFunction<RunTransaction, RunTransaction, T> work) {
		StoreArguments.id("sandbox", sandbox);
		return called(() -> this.locks.locked(sandbox, () -> writeStored(sandbox, (stored) -> {
			CheckedTransaction checked = new CheckedTransaction(stored, sandbox);
			try {
				T result = work.apply(checked, stored);
				checked.requireWhole();
				return result;
			}
			finally {
				checked.end();
			}
		})));
	}

	private <T extends @Nullable Object> T called(Supplier<T> call) {
		this.calls.enter();
		try {
			return call.get();
		}
		finally {
			this.calls.leave();
		}
	}

	/**
	 * Waits for the calls that are under way and refuses new ones. Idempotent; not from
	 * within a call.
	 */
	@Override
	public final void close() {
		this.calls.close();
		this.closing.lock();
		try {
			if (!this.freed) {
				this.freed = true;
				closeStored();
			}
		}
		finally {
			this.closing.unlock();
		}
	}

	/**
	 * Reads one consistent state. Several threads may be here.
	 * @param <T> the type of the result
	 * @param work reads, with arguments that were looked at
	 * @return what the work returns
	 */
	protected abstract <T extends @Nullable Object> T readStored(Function<? super RunView, T> work);

	/**
	 * Writes of one sandbox; if the work throws, nothing is written. Several threads may
	 * be here, each with another sandbox.
	 * @param <T> the type of the result
	 * @param sandbox the sandbox's key
	 * @param work reads and writes, with arguments that were looked at
	 * @return what the work returns
	 */
	protected abstract <T extends @Nullable Object> T writeStored(String sandbox,
			Function<? super RunTransaction, T> work);

	/**
	 * Frees what the store holds. Called once, when nobody is in the store and nobody
	 * will come.
	 */
	protected abstract void closeStored();

}
