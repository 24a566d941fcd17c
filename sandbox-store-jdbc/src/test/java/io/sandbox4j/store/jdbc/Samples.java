package io.sandbox4j.store.jdbc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.RunView;
import io.sandbox4j.run.SandboxRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Records to store, and what is read of them.
 */
final class Samples {

	static final Instant NOW = Instant.parse("2026-05-04T03:02:01.123456789Z");

	static final String SECRET = "what-nobody-may-read";

	private Samples() {
	}

	// A sandbox with a run and an operation that is queued, whose text is secret.
	static void fill(RunStore store, String sandbox) {
		store.write(sandbox, (transaction) -> {
			transaction.save(new SandboxRecord(sandbox, null, false, null, 1, NOW, NOW));
			transaction.save(new RunRecord(sandbox, "r", "c", null, "", false, NOW));
			transaction.save(operation(sandbox, "o", 0));
			transaction.saveMessage("r", "o", "m", SECRET);
			return append(transaction, SECRET);
		});
	}

	static OperationRecord operation(String sandbox, String id, long number) {
		return new OperationRecord(sandbox, "r", id, number, SECRET, OperationStatus.QUEUED, null, "", "", NOW, null);
	}

	static long append(RunTransaction transaction, String content) {
		return transaction.append(NOW, "test/happened", "", "", content).sequence();
	}

	static List<RunEvent> events(RunStore store, String sandbox) {
		return store.read((view) -> {
			List<RunEvent> events = new ArrayList<>();
			List<RunEvent> page = view.events(sandbox, 0, RunView.MAX_PAGE);
			while (!page.isEmpty()) {
				events.addAll(page);
				page = view.events(sandbox, page.get(page.size() - 1).sequence(), RunView.MAX_PAGE);
			}
			return events;
		});
	}

	static boolean isThere(RunStore store, String sandbox) {
		return store.read((view) -> view.sandbox(sandbox) != null);
	}

	static SandboxException failure(ThrowingCallable call) {
		SandboxException failure = catchThrowableOfType(SandboxException.class, call);
		if (failure == null) {
			throw new AssertionError("Nothing was thrown");
		}
		return failure;
	}

	static ErrorCode code(ThrowingCallable call) {
		return failure(call).code();
	}

	// Everything that a log would have of it.
	static String told(Throwable failure) {
		StringBuilder told = new StringBuilder(failure.toString());
		for (Throwable suppressed : failure.getSuppressed()) {
			told.append('\n').append(told(suppressed));
		}
		return (failure.getCause() != null) ? told + "\n" + told(failure.getCause()) : told.toString();
	}

	static <T> T result(Supplier<T> work) throws Exception {
		return CompletableFuture.supplyAsync(work).get(30, TimeUnit.SECONDS);
	}

}
