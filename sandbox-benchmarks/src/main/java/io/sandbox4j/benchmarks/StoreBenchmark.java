package io.sandbox4j.benchmarks;

import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.benchmarks.Figure.Limit;
import io.sandbox4j.benchmarks.StoredRuns.Call;

/**
 * What calls of durable runs take when little is stored, and when much is.
 */
final class StoreBenchmark implements Benchmark {

	private static final int FEW = 100;

	private static final double MOST = 2;

	private static final int ROUNDS = 15;

	private static final int WARM_UP = 20;

	@Override
	public String name() {
		return "store";
	}

	@Override
	public void run(Scratch scratch, Report report) throws Exception {
		List<StoredRuns> stores = new ArrayList<>();
		try {
			for (int count : new int[] { FEW, 1_000, 10_000 }) {
				stores.add(StoredRuns.open(scratch.directory().resolve(count + ".db"), count));
			}
			for (Call call : Call.values()) {
				compare(stores, call, report);
			}
		}
		finally {
			for (StoredRuns store : stores) {
				store.close();
			}
		}
		report.note("SQLite, on " + Runtime.getRuntime().availableProcessors()
				+ " processors; the agent answers at once, and nothing waits for the disk.");
	}

	private static void compare(List<StoredRuns> stores, Call call, Report report) throws Exception {
		Rounds.run(WARM_UP, stores, (store) -> store.microseconds(call));
		Rounds<StoredRuns> measured = Rounds.run(ROUNDS, stores, (store) -> store.microseconds(call));
		StoredRuns few = stores.get(0);
		for (StoredRuns store : stores.subList(1, stores.size())) {
			report.add(Figure.of(call.label() + " at " + store.count() + " runs, us, at " + FEW, measured.of(store),
					measured.of(few), Limit.atMost(MOST)));
		}
	}

}
