package io.sandbox4j.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.sandbox4j.install.InstallKey;
import io.sandbox4j.install.InstallStore;
import io.sandbox4j.install.InstallStore.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What every {@link InstallStore} must do, as tests. A store's author extends this class.
 *
 * @since 0.1.0
 */
@Timeout(120)
public abstract class InstallStoreContract {

	private static final String SESSION = "0123456789abcdef";

	private static final InstallKey KEY = new InstallKey(SESSION, ".");

	/**
	 * Opens the store of a test. All that one test opens are of the same entries, as
	 * several applications have them; two tests share none.
	 * @return the store
	 */
	protected abstract InstallStore openStore();

	@Test
	void whatWasNeverWrittenIsNotThere() {
		InstallStore store = openStore();
		assertThat(store.load(KEY)).isNull();
		assertThat(store.list(SESSION)).isEmpty();
		store.removeSession(SESSION);
	}

	@Test
	void whatIsWrittenIsReadByOthers() {
		assertThat(openStore().replace(KEY, 0, "one")).isTrue();
		assertThat(openStore().load(KEY)).isEqualTo(new Entry(KEY, 1, "one"));
	}

	@Test
	void eachWriteIsTheNextGeneration() {
		InstallStore store = openStore();
		for (int generation = 0; generation < 12; generation++) {
			assertThat(store.replace(KEY, generation, "document " + generation)).isTrue();
			assertThat(store.load(KEY)).isEqualTo(new Entry(KEY, generation + 1, "document " + generation));
		}
	}

	@Test
	void aWriteOverAnotherGenerationChangesNothing() {
		InstallStore store = openStore();
		assertThat(store.replace(KEY, 1, "x")).isFalse();
		store.replace(KEY, 0, "one");
		store.replace(KEY, 1, "two");
		store.replace(KEY, 2, "three");
		for (long generation : new long[] { 0, 1, 2, 4, Long.MAX_VALUE - 1 }) {
			assertThat(store.replace(KEY, generation, "x")).isFalse();
		}
		assertThat(store.load(KEY)).isEqualTo(new Entry(KEY, 3, "three"));
	}

	@Test
	void ofManyAtOnceOneSucceeds() throws InterruptedException, ExecutionException {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (long generation = 0; generation < 20; generation++) {
				long read = generation;
				List<Callable<Boolean>> writes = new ArrayList<>();
				for (int i = 0; i < 8; i++) {
					InstallStore store = openStore();
					writes.add(() -> store.replace(KEY, read, "x"));
				}
				int succeeded = 0;
				for (Future<Boolean> write : threads.invokeAll(writes)) {
					succeeded += write.get() ? 1 : 0;
				}
				assertThat(succeeded).isEqualTo(1);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void whoReadsWhileOthersWriteReadsWholeEntries() throws InterruptedException, ExecutionException {
		InstallStore store = openStore();
		// More than one read fetches.
		String filling = "x".repeat(InstallStore.MAX_DOCUMENT - 8);
		store.replace(KEY, 0, "0" + filling);
		ExecutorService threads = Executors.newSingleThreadExecutor();
		try {
			Future<?> writing = threads.submit(() -> {
				for (long generation = 1; generation < 200; generation++) {
					store.replace(KEY, generation, generation + filling);
				}
			});
			InstallStore reader = openStore();
			while (!writing.isDone()) {
				Entry entry = Objects.requireNonNull(reader.load(KEY));
				assertThat(entry.document()).isEqualTo((entry.generation() - 1) + filling);
			}
			writing.get();
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void sessionsAndDirectoriesAreKeptApart() {
		InstallStore store = openStore();
		InstallKey below = new InstallKey(SESSION, "a/b");
		InstallKey other = new InstallKey("other/../" + SESSION, ".");
		store.replace(KEY, 0, "root");
		store.replace(below, 0, "below");
		store.replace(other, 0, "other");
		assertThat(store.list(SESSION)).containsExactlyInAnyOrder(new Entry(KEY, 1, "root"),
				new Entry(below, 1, "below"));
		store.removeSession(SESSION);
		assertThat(store.list(SESSION)).isEmpty();
		assertThat(store.load(below)).isNull();
		assertThat(store.load(other)).isEqualTo(new Entry(other, 1, "other"));
	}

	@Test
	void whatWasRemovedCanBeWrittenAnew() {
		InstallStore store = openStore();
		store.replace(KEY, 0, "one");
		store.removeSession(SESSION);
		assertThat(store.replace(KEY, 0, "anew")).isTrue();
		assertThat(store.load(KEY)).isEqualTo(new Entry(KEY, 1, "anew"));
	}

	@Test
	void aDocumentOfAnyTextComesBackAndOneThatIsTooLongIsRefused() {
		InstallStore store = openStore();
		String document = "\"\\\n\t\u00e9\u2713\uD83D\uDE00 ' ; --".repeat(InstallStore.MAX_DOCUMENT / 20);
		assertThat(store.replace(KEY, 0, document)).isTrue();
		assertThat(store.load(KEY)).isEqualTo(new Entry(KEY, 1, document));
		String longest = "x".repeat(InstallStore.MAX_DOCUMENT);
		assertThat(store.replace(KEY, 1, longest)).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> store.replace(KEY, 2, longest + "x"));
	}

}
