package io.sandbox4j.run;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;

/**
 * Every change of what is stored, each with its event in the same transaction. Here alone
 * is decided which change may follow which.
 */
final class RunLedger {

	private static final int ATTEMPTS = 8;

	private static final long FIRST_PAUSE_MILLIS = 10;

	private final RunStore store;

	private final Signals signals;

	private final InstantSource clock;

	private final SettledTurns settled = new SettledTurns();

	private final String owner = UUID.randomUUID().toString();

	RunLedger(RunStore store, Signals signals, InstantSource clock) {
		this.store = store;
		this.signals = signals;
		this.clock = clock;
	}

	SettledTurns settled() {
		return this.settled;
	}

	RunStore store() {
		return this.store;
	}

	Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
	}

	// Another application's write is over soon, so that one is tried again for a while.
	private <T extends @Nullable Object> T write(String sandbox, Function<RunTransaction, T> work) {
		long pause = FIRST_PAUSE_MILLIS;
		for (int attempt = 1;; attempt++) {
			try {
				this.settled.begin();
				T result = this.store.write(sandbox, work);
				this.settled.written();
				this.signals.changed(sandbox);
				return result;
			}
			catch (SandboxException ex) {
				if (ex.code() != ErrorCode.SANDBOX_BUSY || attempt == ATTEMPTS) {
					throw ex;
				}
				pause(pause, ex);
				pause *= 2;
			}
		}
	}

	private static void pause(long millis, SandboxException cause) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw cause;
		}
	}

	SandboxRecord sandbox(String key) {
		SandboxRecord known = this.store.read((view) -> view.sandbox(key));
		return (known != null) ? known : write(key, (transaction) -> known(transaction, key));
	}

	private SandboxRecord known(RunTransaction transaction, String key) {
		SandboxRecord known = transaction.sandbox(key);
		if (known == null) {
			known = SandboxRecord.create(key, now());
			transaction.save(known);
			transaction.append(now(), "sandbox/created", "", "", "");
		}
		return known;
	}

	void state(String key, @Nullable SandboxState state, boolean prepared, String event) {
		write(key, (transaction) -> {
			transaction.save(known(transaction, key).withState(state, prepared).usedAt(now()));
			return transaction.append(now(), event, "", "", (state != null) ? state.sessionId() : "");
		});
	}

	void checkpoint(String key, @Nullable String checkpoint, String event, String content) {
		write(key, (transaction) -> {
			transaction.save(known(transaction, key).withCheckpoint(checkpoint).usedAt(now()));
			return transaction.append(now(), event, "", "", content);
		});
	}

	void event(String key, String kind, String content) {
		write(key, (transaction) -> transaction.append(now(), kind, "", "", content));
	}

	RunCreation createRun(String key, RunSpec spec, String cwd) {
		return write(key, (transaction) -> {
			known(transaction, key);
			RunRecord known = transaction.run(key, spec.id());
			if (known != null) {
				requireSame(transaction, known, spec, cwd);
				return new RunCreation(known, false);
			}
			RunRecord source = source(transaction, key, spec, cwd);
			RunRecord run = run(key, spec, cwd, source);
			transaction.save(run);
			transaction.append(now(), "run/created", run.id(), "", run.conversation());
			return new RunCreation(run, true);
		});
	}

	private RunRecord run(String key, RunSpec spec, String cwd, @Nullable RunRecord source) {
		String fresh = UUID.randomUUID().toString().replace("-", "");
		if (source == null) {
			return new RunRecord(key, spec.id(), fresh, null, cwd, false, now());
		}
		if (spec.continued() != null) {
			return new RunRecord(key, spec.id(), source.conversation(), source.parent(), cwd, false, now());
		}
		return new RunRecord(key, spec.id(), fresh, source.conversation(), cwd, false, now());
	}

	private static @Nullable RunRecord source(RunTransaction transaction, String key, RunSpec spec, String cwd) {
		String id = (spec.continued() != null) ? spec.continued() : spec.forked();
		if (id == null) {
			return null;
		}
		RunRecord source = transaction.run(key, id);
		if (source == null) {
			throw notFound("run");
		}
		if (!source.cwd().equals(cwd)) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"A conversation goes on where it was: 'cwd' must be that of the run it comes from.");
		}
		return source;
	}

	private static void requireSame(RunTransaction transaction, RunRecord known, RunSpec spec, String cwd) {
		RunRecord source = source(transaction, known.sandbox(), spec, cwd);
		boolean same = known.cwd().equals(cwd);
		if (source != null) {
			same &= (spec.continued() != null) ? known.conversation().equals(source.conversation())
					: source.conversation().equals(known.parent());
		}
		if (!same) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The run was made in another way. Give another one another id.");
		}
	}

	Submission submit(String key, String run, String operation, String text) {
		return write(key, (transaction) -> {
			RunRecord record = transaction.run(key, run);
			if (record == null) {
				throw notFound("run");
			}
			OperationRecord known = transaction.operation(key, run, operation);
			if (known != null) {
				if (!known.text().equals(text)) {
					throw new SandboxException(ErrorCode.SANDBOX_INVALID,
							"The operation was submitted with another text. Give another one another id.");
				}
				return new Submission(known, false);
			}
			requireGoing(record);
			SandboxRecord sandbox = known(transaction, key);
			OperationRecord queued = new OperationRecord(key, run, operation, sandbox.operations(), text,
					OperationStatus.QUEUED, null, "", "", now(), null);
			transaction.save(sandbox.withOperation().usedAt(now()));
			transaction.save(queued);
			transaction.append(now(), "operation/queued", run, operation, "");
			return new Submission(queued, true);
		});
	}

	private static void requireGoing(RunRecord run) {
		if (run.stopped()) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
					"The run was stopped and takes no more turns. Make one that continues it.");
		}
	}

	static SandboxException notFound(String what) {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
				"There is no such " + what + " in this sandbox. Make it first.");
	}

	/**
	 * Begins an operation, so that nobody ever begins it again.
	 * @param operation the operation
	 * @return what was begun, or {@code null} if it is not to be worked on
	 */
	@Nullable Begun begin(OperationRecord operation) {
		String key = operation.sandbox();
		return write(key, (transaction) -> {
			OperationRecord known = transaction.operation(key, operation.run(), operation.id());
			RunRecord run = transaction.run(key, operation.run());
			if (known == null || run == null || known.status() != OperationStatus.QUEUED) {
				return null;
			}
			if (run.stopped()) {
				settle(transaction, known.unanswered(UnansweredReason.ABORTED, "The run was stopped.", now()));
				return null;
			}
			boolean first = !transaction.hasTurns(key, run.conversation());
			OperationRecord running = known.running(this.owner);
			transaction.save(running);
			transaction.append(now(), "operation/running", running.run(), running.id(), "");
			return new Begun(running, run, first);
		});
	}

	void message(OperationRecord operation, String id, String content) {
		write(operation.sandbox(), (transaction) -> {
			OperationRecord known = transaction.operation(operation.sandbox(), operation.run(), operation.id());
			if (known == null || known.status() != OperationStatus.RUNNING || !known.owner().equals(this.owner)) {
				throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The operation is settled; it tells no more.");
			}
			MessageRecord message = transaction.saveMessage(operation.run(), operation.id(), id, content);
			if (message != null) {
				transaction.append(now(), "operation/message", operation.run(), operation.id(), message.id());
			}
			return message;
		});
	}

	/**
	 * Settles an operation of this application.
	 * @param operation how it ended
	 */
	void settle(OperationRecord operation) {
		write(operation.sandbox(), (transaction) -> {
			OperationRecord known = transaction.operation(operation.sandbox(), operation.run(), operation.id());
			if (known != null && known.status() == OperationStatus.RUNNING && known.owner().equals(this.owner)) {
				settle(transaction, operation);
			}
			return null;
		});
	}

	private void settle(RunTransaction transaction, OperationRecord operation) {
		transaction.save(operation);
		this.settled.add(operation);
		UnansweredReason reason = operation.reason();
		transaction.append(now(), "operation/settled", operation.run(), operation.id(),
				(reason != null) ? reason.name() : OperationStatus.DONE.name());
	}

	/**
	 * Settles what another application worked on. Only for one that has the session to
	 * itself, which proves that the other one is gone.
	 * @param key the sandbox's key
	 * @return how many there were
	 */
	int settleLost(String key) {
		if (lost(this.store.read((view) -> view.unsettledOperations(key))).isEmpty()) {
			return 0;
		}
		return write(key, (transaction) -> {
			List<OperationRecord> lost = lost(transaction.unsettledOperations(key));
			lost.forEach((operation) -> settle(transaction, operation.unanswered(UnansweredReason.SANDBOX_LOST,
					"The application ended while the operation ran. Submit it anew if it is still wanted.", now())));
			return lost.size();
		});
	}

	private List<OperationRecord> lost(List<OperationRecord> unsettled) {
		return unsettled.stream()
			.filter((operation) -> operation.status() == OperationStatus.RUNNING)
			.filter((operation) -> !operation.owner().equals(this.owner))
			.toList();
	}

	void failQueued(String key, String detail) {
		write(key, (transaction) -> {
			List<OperationRecord> queued = new ArrayList<>(transaction.unsettledOperations(key));
			queued.removeIf((operation) -> operation.status() != OperationStatus.QUEUED);
			queued.forEach((operation) -> settle(transaction,
					operation.unanswered(UnansweredReason.SANDBOX_UNAVAILABLE, detail, now())));
			return queued.size();
		});
	}

	/**
	 * Lets a run take no more turns, and settles those that were not begun.
	 * @param key the sandbox's key
	 * @param run the run's id
	 */
	void stop(String key, String run) {
		write(key, (transaction) -> {
			RunRecord record = transaction.run(key, run);
			if (record == null) {
				throw notFound("run");
			}
			if (!record.stopped()) {
				transaction.save(record.withStopped());
				transaction.append(now(), "run/stopped", run, "", "");
			}
			transaction.unsettledOperations(key)
				.stream()
				.filter((operation) -> operation.run().equals(run))
				.filter((operation) -> operation.status() == OperationStatus.QUEUED)
				.forEach((operation) -> settle(transaction,
						operation.unanswered(UnansweredReason.ABORTED, "The run was stopped.", now())));
			return null;
		});
	}

	void note(String key, CheckoutRecord checkout) {
		write(key, (transaction) -> {
			transaction.save(known(transaction, key).usedAt(now()));
			transaction.save(checkout);
			return null;
		});
	}

	/**
	 * Deletes the records of a sandbox unless an operation is not settled: it may have
	 * been submitted a moment ago.
	 * @param key the sandbox's key
	 * @return {@code false} if nothing was deleted
	 */
	boolean deleteIfSettled(String key) {
		return write(key, (transaction) -> {
			if (transaction.hasUnsettled(key)) {
				return false;
			}
			transaction.delete();
			transaction.append(now(), "sandbox/deleted", "", "", "");
			return true;
		});
	}

	void delete(String key) {
		write(key, (transaction) -> {
			transaction.delete();
			return transaction.append(now(), "sandbox/deleted", "", "", "");
		});
	}

	/**
	 * Returns who this application is to the others.
	 * @return what the operations have that it began
	 */
	String owner() {
		return this.owner;
	}

	/**
	 * An operation that this application began.
	 *
	 * @param operation the operation
	 * @param run its run
	 * @param first whether it is the first turn of its conversation
	 */
	record Begun(OperationRecord operation, RunRecord run, boolean first) {

	}

}
