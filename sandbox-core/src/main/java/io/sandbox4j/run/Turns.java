package io.sandbox4j.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on what was submitted: turns of one conversation one after the other, those of
 * different ones side by side.
 */
final class Turns {

	private static final Logger logger = LoggerFactory.getLogger(Turns.class);

	private static final int MAX_FAILURES = 5;

	private static final long RETRY_MILLIS = 1000;

	private static final long LONGEST_PAUSE_MILLIS = 30_000;

	private static final long SETTLE_PAUSE_MILLIS = 500;

	private final RunSettings settings;

	private final RunLedger ledger;

	private final Function<String, LiveSandbox> sandboxes;

	private final ScheduledExecutorService timer;

	private final ThreadPoolExecutor workers;

	// Conversations that have a worker.
	private final Set<Conversation> busy = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> failures = new ConcurrentHashMap<>();

	private final Set<RunningTurn> running = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	Turns(RunSettings settings, RunLedger ledger, Function<String, LiveSandbox> sandboxes,
			ScheduledExecutorService timer) {
		this.settings = settings;
		this.ledger = ledger;
		this.sandboxes = sandboxes;
		this.timer = timer;
		this.workers = new ThreadPoolExecutor(settings.maxTurns(), settings.maxTurns(), 30, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread thread = new Thread(task, "sandbox-turn");
					thread.setDaemon(true);
					return thread;
				});
		this.workers.allowCoreThreadTimeOut(true);
	}

	/**
	 * Sees that what is queued of a sandbox is worked on. Idempotent.
	 * @param sandbox the sandbox's key
	 */
	void dispatch(String sandbox) {
		List<String> conversations = this.settings.store().read((view) -> view.unsettledConversations(sandbox));
		conversations.forEach((conversation) -> dispatch(new Conversation(sandbox, conversation)));
	}

	/**
	 * Sees that what is queued of one run is worked on, however much else is queued.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 */
	void dispatch(String sandbox, String run) {
		RunRecord record = this.settings.store().read((view) -> view.run(sandbox, run));
		if (record != null) {
			dispatch(new Conversation(sandbox, record.conversation()));
		}
	}

	private void dispatch(Conversation next) {
		if (!this.closed && this.busy.add(next)) {
			execute(next);
		}
	}

	private void execute(Conversation conversation) {
		try {
			this.workers.execute(() -> work(conversation));
		}
		catch (RejectedExecutionException ex) {
			this.busy.remove(conversation);
		}
	}

	private void work(Conversation conversation) {
		boolean idle = false;
		try {
			idle = workUntilIdle(conversation);
		}
		catch (RuntimeException ex) {
			logger.warn("The turns of the durable sandbox '{}' could not be worked on", conversation.sandbox(), ex);
			later(conversation.sandbox(), RETRY_MILLIS);
		}
		finally {
			this.busy.remove(conversation);
		}
		if (idle && next(conversation) != null) {
			// It came while this worker was leaving.
			later(conversation.sandbox(), 0);
		}
	}

	// Returns false if somebody else, or a later time, has to go on.
	private boolean workUntilIdle(Conversation conversation) {
		OperationRecord next = next(conversation);
		while (next != null) {
			if (this.closed || !turn(next)) {
				return false;
			}
			next = next(conversation);
		}
		return true;
	}

	private @Nullable OperationRecord next(Conversation conversation) {
		return this.settings.store()
			.read((view) -> view.nextOperation(conversation.sandbox(), conversation.id(), this.ledger.owner()));
	}

	private void later(String sandbox, long millis) {
		try {
			this.timer.schedule(() -> dispatch(sandbox), millis, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application ends", ex);
		}
	}

	// Returns whether the conversation goes on at once.
	private boolean turn(OperationRecord operation) {
		LiveSandbox sandbox = this.sandboxes.apply(operation.sandbox());
		SandboxSession session;
		try {
			session = sandbox.enter();
			this.failures.remove(operation.sandbox());
		}
		catch (SandboxException ex) {
			failed(operation.sandbox(), ex);
			return false;
		}
		RunningTurn turn = null;
		try {
			turn = begin(operation, session);
			if (turn != null) {
				work(turn);
			}
		}
		finally {
			// Before it is settled: whoever sees the end may release the sandbox.
			sandbox.leave();
			if (turn != null) {
				settle(turn);
			}
		}
		return true;
	}

	private @Nullable RunningTurn begin(OperationRecord operation, SandboxSession session) {
		if (operation.status() == OperationStatus.RUNNING) {
			// Of an application that is gone, as the session is this one's now.
			this.ledger.settleLost(operation.sandbox());
			return null;
		}
		RunLedger.Begun begun = this.ledger.begin(operation);
		if (begun == null) {
			return null;
		}
		TurnSession own = new TurnSession(session, this.settings.environment(), begun.run().cwd());
		RunningTurn turn = new RunningTurn(begun, own, this.ledger);
		this.running.add(turn);
		return turn;
	}

	// Whoever has the session in another application works on it there.
	private void failed(String sandbox, SandboxException failure) {
		if (failure.code() == ErrorCode.SANDBOX_BUSY) {
			later(sandbox, RETRY_MILLIS);
			return;
		}
		int count = this.failures.merge(sandbox, 1, Integer::sum);
		if (count >= MAX_FAILURES || this.closed) {
			this.failures.remove(sandbox);
			logger.warn("No sandbox could be had for '{}'", sandbox, failure);
			if (!this.closed) {
				this.ledger.failQueued(sandbox, "No sandbox could be had: " + failure.getMessage());
			}
			return;
		}
		later(sandbox, Math.min(LONGEST_PAUSE_MILLIS, this.settings.firstPause().toMillis() << (count - 1)));
	}

	private void work(RunningTurn turn) {
		try {
			String answer = this.settings.adapter().answer(turn);
			UnansweredReason aborted = turn.returned();
			turn.end((aborted != null) ? aborted(turn, aborted) : turn.record().done(answer, this.ledger.now()));
		}
		catch (Exception | Error ex) {
			UnansweredReason aborted = turn.returned();
			turn.end((aborted != null) ? aborted(turn, aborted) : failed(turn, ex));
		}
	}

	private OperationRecord aborted(RunningTurn turn, UnansweredReason reason) {
		String detail = (reason == UnansweredReason.ABORTED) ? "The run was stopped." : "The application ended.";
		return turn.record().unanswered(reason, detail, this.ledger.now());
	}

	private OperationRecord failed(RunningTurn turn, Throwable failure) {
		boolean lost = failure instanceof SandboxException ex
				&& (ex.code() == ErrorCode.SANDBOX_STOPPED || ex.code() == ErrorCode.SANDBOX_LEASE_LOST);
		boolean told = failure instanceof AgentFailedException || failure instanceof SandboxException;
		if (!told) {
			logger.warn("The agent failed in {}", turn, failure);
		}
		String detail = told ? String.valueOf(failure.getMessage())
				: "The agent failed: " + failure.getClass().getSimpleName() + ". The application's log says more.";
		return turn.record()
			.unanswered(lost ? UnansweredReason.SANDBOX_LOST : UnansweredReason.FAILED, detail, this.ledger.now());
	}

	// One that cannot be settled now is tried again: to do its work twice would be worse.
	private void settle(RunningTurn turn) {
		boolean interrupted = false;
		try {
			while (!settled(turn)) {
				try {
					Thread.sleep(SETTLE_PAUSE_MILLIS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			this.running.remove(turn);
			turn.settled().complete(null);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean settled(RunningTurn turn) {
		try {
			this.ledger.settle(turn.end());
			return true;
		}
		catch (RuntimeException ex) {
			logger.warn("{} could not be settled yet", turn, ex);
			return this.closed;
		}
	}

	/**
	 * Ends the turns of a run that this application works on.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 * @return completes when they are settled and their commands are gone
	 */
	CompletableFuture<Void> abort(String sandbox, String run) {
		return abort(this.running.stream()
			.filter((turn) -> turn.sandbox().equals(sandbox) && turn.run().equals(run))
			.toList(), UnansweredReason.ABORTED);
	}

	CompletableFuture<Void> abortAll(String sandbox) {
		return abort(this.running.stream().filter((turn) -> turn.sandbox().equals(sandbox)).toList(),
				UnansweredReason.ABORTED);
	}

	private static CompletableFuture<Void> abort(List<RunningTurn> turns, UnansweredReason reason) {
		List<CompletableFuture<Void>> ends = new ArrayList<>();
		turns.forEach((turn) -> {
			turn.abort(reason);
			ends.add(turn.settled());
		});
		return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
	}

	/**
	 * Ends the turns whose run another application stopped.
	 */
	void abortStopped() {
		for (RunningTurn turn : this.running) {
			RunRecord run = this.settings.store().read((view) -> view.run(turn.sandbox(), turn.run()));
			if (run == null || run.stopped()) {
				turn.abort(UnansweredReason.ABORTED);
			}
		}
	}

	int active() {
		return this.running.size();
	}

	/**
	 * Begins nothing any more, lets turns go on for a while and ends those that are left.
	 * @param drain how long they may go on
	 */
	void close(Duration drain) {
		this.closed = true;
		this.workers.shutdown();
		boolean interrupted = Thread.interrupted();
		try {
			if (!this.workers.awaitTermination(drain.toMillis(), TimeUnit.MILLISECONDS)) {
				abort(List.copyOf(this.running), UnansweredReason.SANDBOX_LOST);
				this.workers.awaitTermination(1, TimeUnit.MINUTES);
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
			abort(List.copyOf(this.running), UnansweredReason.SANDBOX_LOST);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A conversation of a sandbox.
	 *
	 * @param sandbox the sandbox's key
	 * @param id the conversation's id
	 */
	private record Conversation(String sandbox, String id) {

	}

}
