package io.sandbox4j.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.PollResult;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.SandboxRecord;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.Turn;
import io.sandbox4j.storage.Durability;
import io.sandbox4j.store.jdbc.JdbcRunStore;
import io.sandbox4j.test.FakeSandboxBackend;

/**
 * Durable runs over a store with so many of them: half in one sandbox, half in sandboxes
 * of their own.
 */
final class StoredRuns implements AutoCloseable {

	private static final String CROWDED = "m-crowded";

	private static final int BATCH = 500;

	private static final int CALLS = 20;

	private static final int PAGE = 25;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final int count;

	private final JdbcRunStore store;

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final SandboxRuns runs;

	private final DurableSandbox crowded;

	private final Random random = new Random(5);

	private int submitted;

	private StoredRuns(Path file, int count) {
		this.count = count;
		this.store = JdbcRunStore.sqlite(file).durability(Durability.PROCESS).build();
		fill();
		this.runs = SandboxRuns
			.builder(this.backend, this.backend.prewarm(SandboxTemplate.named("store").build()), this.store, Turn::text)
			.network(NetworkPolicy.denyAll())
			.build();
		this.crowded = this.runs.sandbox(CROWDED);
	}

	static StoredRuns open(Path file, int count) {
		return new StoredRuns(file, count);
	}

	int count() {
		return this.count;
	}

	private void fill() {
		for (int first = 0; first < this.count / 2; first += BATCH) {
			int from = first;
			this.store.write(CROWDED, (transaction) -> {
				int end = Math.min(from + BATCH, this.count / 2);
				transaction.save(sandbox(CROWDED, end));
				for (int i = from; i < end; i++) {
					save(transaction, CROWDED, i, i);
				}
				return null;
			});
		}
		for (int i = 0; i < this.count / 2; i++) {
			String key = key(i);
			this.store.write(key, (transaction) -> {
				transaction.save(sandbox(key, 1));
				save(transaction, key, 0, 0);
				return null;
			});
		}
	}

	// Half of the keys come before the crowded one, half after it.
	private static String key(int index) {
		return ((index % 2 != 0) ? "s" : "a") + index;
	}

	private static SandboxRecord sandbox(String key, int operations) {
		return new SandboxRecord(key, null, false, null, operations, Instant.EPOCH, Instant.EPOCH);
	}

	private static void save(RunTransaction transaction, String key, int run, int number) {
		String id = "r" + run;
		transaction.save(new RunRecord(key, id, "conversation-" + run, null, "", false, Instant.EPOCH));
		transaction.save(new OperationRecord(key, id, "o", number, "asked", OperationStatus.DONE, null, "told", "owner",
				Instant.EPOCH, Instant.EPOCH));
		for (String message : new String[] { "first", "second" }) {
			transaction.saveMessage(id, "o", message, "said while it worked");
			transaction.append(Instant.EPOCH, "operation/message", id, "o", message);
		}
	}

	double microseconds(Call call) {
		long nanos = 0;
		for (int i = 0; i < CALLS; i++) {
			String run = "r" + this.random.nextInt(this.count / 2);
			String operation = "n" + this.submitted++;
			long before = System.nanoTime();
			call.work.apply(this, run, operation);
			nanos += System.nanoTime() - before;
			if (call == Call.SUBMIT) {
				settle(run, operation);
			}
		}
		return nanos / 1e3 / CALLS;
	}

	private void submit(String run, String operation) {
		this.crowded.submit(run, operation, "asked");
	}

	private void settle(String run, String operation) {
		PollResult result = this.crowded.poll(run, operation, PATIENCE, 0);
		require(result.operation().status() == OperationStatus.DONE);
	}

	private void poll(String run) {
		require(this.crowded.poll(run, "o", Duration.ZERO, 0).messages().size() == 2);
	}

	private void listRuns(String after) {
		require(this.store.read((view) -> view.runs(CROWDED, after, PAGE)).size() == PAGE);
	}

	private void listSandboxes() {
		require(this.runs.list(CROWDED, PAGE).size() == PAGE);
	}

	private static void require(boolean answered) {
		if (!answered) {
			throw new IllegalStateException("The store did not answer as it should");
		}
	}

	@Override
	public void close() {
		this.runs.close();
		this.backend.close();
		this.store.close();
	}

	/**
	 * What is measured.
	 */
	enum Call {

		/**
		 * A turn is kept.
		 */
		SUBMIT("submit", StoredRuns::submit),

		/**
		 * A turn is kept, worked on, and settled.
		 */
		TURN("submit and wait for the answer", (stored, run, operation) -> {
			stored.submit(run, operation);
			stored.settle(run, operation);
		}),

		/**
		 * A settled turn is looked at.
		 */
		POLL("poll", (stored, run, operation) -> stored.poll(run)),

		/**
		 * A page of runs.
		 */
		LIST_RUNS("list 25 runs", (stored, run, operation) -> stored.listRuns("r2")),

		/**
		 * A page of sandboxes.
		 */
		LIST_SANDBOXES("list 25 sandboxes", (stored, run, operation) -> stored.listSandboxes());

		private final String label;

		private final Work work;

		Call(String label, Work work) {
			this.label = label;
			this.work = work;
		}

		String label() {
			return this.label;
		}

	}

	/**
	 * A call.
	 */
	@FunctionalInterface
	private interface Work {

		void apply(StoredRuns stored, String run, String operation);

	}

}
