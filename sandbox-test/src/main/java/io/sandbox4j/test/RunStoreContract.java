package io.sandbox4j.test;

import io.sandbox4j.run.RunStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link RunStore} must do, as tests. A store's author extends this class, or
 * {@link DurableRunStoreContract} for a store that is there after its process, and needs
 * {@code junit-jupiter} to run it:
 *
 * <pre class="code">
 * class MyRunStoreTests extends DurableRunStoreContract {
 *
 *     &#64;TempDir
 *     Path directory;
 *
 *     &#64;Override
 *     protected RunStore openStore() {
 *         return new MyRunStore(this.directory.resolve("runs"));
 *     }
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@Timeout(120)
public abstract class RunStoreContract implements RunStoreRecordFacts, RunStoreMessageFacts, RunStoreLedgerFacts,
		RunStoreQueueFacts, RunStorePageFacts, RunStoreTransactionFacts, RunStoreArgumentFacts, RunStoreCloseFacts {

	private @Nullable RunStoreFixture stores;

	/**
	 * Opens a store. All that one test opens share what is kept; two tests share nothing.
	 * @return the store, closed after the test
	 */
	protected abstract RunStore openStore();

	/**
	 * Frees what the test's stores kept. Called once after each test, whether it passed
	 * or failed and also if a store cannot be closed. What fails here is reported
	 * together with what failed before.
	 */
	protected void cleanUp() {
	}

	@Override
	public final RunStoreFixture stores() {
		RunStoreFixture known = this.stores;
		if (known == null) {
			known = new RunStoreFixture(this::openStore);
			this.stores = known;
		}
		return known;
	}

	@AfterEach
	void closeStores() {
		RuntimeException failure = null;
		try {
			stores().close();
		}
		catch (RuntimeException ex) {
			failure = ex;
		}
		try {
			cleanUp();
		}
		catch (RuntimeException ex) {
			if (failure != null) {
				ex.addSuppressed(failure);
			}
			failure = ex;
		}
		if (failure != null) {
			throw failure;
		}
	}

}
