package io.sandbox4j.test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.sandbox4j.run.CheckoutRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.SandboxRecord;
import org.jspecify.annotations.Nullable;

/**
 * The stores of one contract test, closed after it. Tests ask for them on any thread.
 */
final class RunStoreFixture {

	static final Instant NOW = Instant.parse("2026-05-04T03:02:01.123456789Z");

	private final Supplier<RunStore> opener;

	private final List<RunStore> opened = new ArrayList<>();

	private @Nullable RunStore first;

	RunStoreFixture(Supplier<RunStore> opener) {
		this.opener = opener;
	}

	/**
	 * Returns the store of the test.
	 * @return the same store at every call
	 */
	synchronized RunStore store() {
		RunStore known = this.first;
		if (known == null) {
			known = anotherStore();
			this.first = known;
		}
		return known;
	}

	/**
	 * Opens one more store over what the test keeps, as another process would.
	 * @return the store
	 */
	synchronized RunStore anotherStore() {
		RunStore store = this.opener.get();
		this.opened.add(store);
		return store;
	}

	static SandboxRecord sandbox(String key) {
		return new SandboxRecord(key, null, false, null, 0, NOW, NOW);
	}

	static RunRecord run(String sandbox, String id) {
		return new RunRecord(sandbox, id, "conversation-" + id.length(), null, "", false, NOW);
	}

	static OperationRecord queued(String sandbox, String run, String id, long number) {
		return new OperationRecord(sandbox, run, id, number, "do " + id, OperationStatus.QUEUED, null, "", "", NOW,
				null);
	}

	static OperationRecord done(OperationRecord operation) {
		return new OperationRecord(operation.sandbox(), operation.run(), operation.id(), operation.number(),
				operation.text(), OperationStatus.DONE, null, "done", "owner", operation.submitted(), NOW);
	}

	static CheckoutRecord checkout(String directory, Instant noted) {
		return new CheckoutRecord(directory, CheckoutRecord.Kind.REPOSITORY, "owner/name", noted);
	}

	/**
	 * Saves a sandbox with runs, each with one operation that is queued.
	 * @param store where
	 * @param sandbox the sandbox's key
	 * @param runs the ids of the runs
	 */
	static void fill(RunStore store, String sandbox, String... runs) {
		store.write(sandbox, (transaction) -> {
			transaction.save(sandbox(sandbox));
			IntStream.range(0, runs.length).forEach((i) -> {
				transaction.save(run(sandbox, runs[i]));
				transaction.save(queued(sandbox, runs[i], "o", i));
			});
			return append(transaction, "filled");
		});
	}

	static long append(RunTransaction transaction, String content) {
		return transaction.append(NOW, "contract/happened", "", "", content).sequence();
	}

	synchronized void close() {
		RuntimeException failure = null;
		for (RunStore store : this.opened) {
			try {
				store.close();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
