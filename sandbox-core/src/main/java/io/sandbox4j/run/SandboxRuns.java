package io.sandbox4j.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Durable sandboxes by key, and the turns of agents in them. What was submitted is kept:
 * it is worked on once, by whichever application has the sandbox, and what ran when an
 * application died is settled as lost and never run again. Thread-safe.
 * <p>
 * Several applications may share a store and a state directory. The one that has a
 * sandbox's session works in it, and the others see what it does.
 *
 * @since 0.1.0
 */
public final class SandboxRuns implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SandboxRuns.class);

	private static final long SWEEP_MILLIS = 1000;

	private final RunSettings settings;

	private final Signals signals = new Signals();

	private final RunLedger ledger;

	private final Map<String, LiveSandbox> sandboxes = new ConcurrentHashMap<>();

	private final ScheduledThreadPoolExecutor timer;

	private final Turns turns;

	private volatile boolean closed;

	SandboxRuns(RunSettings settings) {
		this.settings = settings;
		this.ledger = new RunLedger(settings.store(), this.signals, settings.clock());
		this.timer = new ScheduledThreadPoolExecutor(3, (task) -> {
			Thread thread = new Thread(task, "sandbox-runs");
			thread.setDaemon(true);
			return thread;
		});
		this.turns = new Turns(settings, this.ledger, this::live, this.timer);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.timer.scheduleWithFixedDelay(this::sweep, 0, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
		// By itself: what is done before a stop may take minutes, and turns do not wait
		// for it.
		this.timer.scheduleWithFixedDelay(this::stopIdle, 0, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Starts building.
	 * @param backend makes the sandboxes; closed by its owner, after the runs
	 * @param template what new sandboxes start with
	 * @param store keeps the records; closed by its owner, after the runs
	 * @param adapter the agent
	 * @return a builder
	 */
	public static SandboxRunsBuilder builder(SandboxBackend backend, PreparedTemplate template, RunStore store,
			RunAdapter adapter) {
		return new SandboxRunsBuilder(backend, template, store, adapter);
	}

	/**
	 * Returns a durable sandbox. Nothing is made before it is used.
	 * @param key its key, 1 to 128 printable ASCII characters without blanks
	 * @return the sandbox
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is no key,
	 * {@link ErrorCode#SANDBOX_STOPPED} after {@link #close()}
	 */
	public DurableSandbox sandbox(String key) {
		return new DurableSandbox(Ids.require("key", key), this.settings, this.ledger, this.signals, this.turns,
				live(key), () -> this.sandboxes.remove(key));
	}

	private LiveSandbox live(String key) {
		if (this.closed) {
			throw LiveSandbox.closedFailure();
		}
		return this.sandboxes.computeIfAbsent(key, (absent) -> new LiveSandbox(key, this.settings, this.ledger));
	}

	/**
	 * Returns what is stored of durable sandboxes, sorted by key.
	 * @param after only keys that sort behind this one; empty for the first page
	 * @param limit how many at most, 1 to {@link RunView#MAX_PAGE}
	 * @return the sandboxes
	 */
	public List<SandboxRecord> list(String after, int limit) {
		return this.settings.store().read((view) -> view.sandboxes(after, limit));
	}

	/**
	 * Returns how many sandboxes run here, how many turns, and what was settled.
	 * @return a snapshot
	 */
	public RunStatus status() {
		int running = (int) this.sandboxes.values().stream().filter((sandbox) -> sandbox.session() != null).count();
		SettledTurns settled = this.ledger.settled();
		return new RunStatus(running, this.turns.active(), this.settings.maxTurns(), settled.done(),
				settled.unanswered());
	}

	/**
	 * Tells what there is to do in a durable sandbox that runs here.
	 * @param sessionId the id of its session
	 * @return the work, empty if no durable sandbox of this application has the session
	 */
	public Optional<SandboxWork> work(String sessionId) {
		return this.sandboxes.entrySet()
			.stream()
			.filter((entry) -> isOf(entry.getValue(), sessionId))
			.findFirst()
			.map((entry) -> this.settings.store().read((view) -> work(view, entry.getKey())));
	}

	private static boolean isOf(LiveSandbox sandbox, String sessionId) {
		SandboxSession session = sandbox.session();
		return session != null && session.id().equals(sessionId);
	}

	private static SandboxWork work(RunView view, String key) {
		return new SandboxWork(key,
				view.runs(key, "", RunView.MAX_PAGE)
					.stream()
					.map((run) -> new SandboxWork.Run(run.id(), run.stopped()))
					.toList(),
				view.unsettledOperations(key)
					.stream()
					.map((operation) -> new SandboxWork.Operation(operation.run(), operation.id(), operation.status()))
					.toList());
	}

	private void sweep() {
		try {
			this.turns.abortStopped();
			String after = "";
			for (List<String> page = unsettled(after); !page.isEmpty(); page = unsettled(after)) {
				page.forEach(this.turns::dispatch);
				after = page.get(page.size() - 1);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("The durable sandboxes could not be looked after", ex);
		}
	}

	private void stopIdle() {
		for (LiveSandbox sandbox : this.sandboxes.values()) {
			try {
				sandbox.stopIfIdle(this.settings.idleTimeout());
			}
			catch (RuntimeException ex) {
				logger.warn("A durable sandbox that nobody uses could not be stopped", ex);
			}
		}
	}

	private List<String> unsettled(String after) {
		return this.settings.store().read((view) -> view.unsettled(after, RunView.MAX_PAGE));
	}

	/**
	 * Refuses callers from now on, lets turns end within the drain time, and stops every
	 * sandbox. What is queued stays queued for the next application. Idempotent.
	 */
	@Override
	public void close() {
		this.closed = true;
		// Not interrupted: a backup that is cut off would be lost, and the sandbox
		// stopped without.
		this.timer.shutdown();
		this.turns.close(this.settings.drainTimeout());
		for (LiveSandbox sandbox : this.sandboxes.values()) {
			try {
				sandbox.close();
			}
			catch (RuntimeException ex) {
				logger.warn("A durable sandbox could not be stopped", ex);
			}
		}
		this.signals.close();
	}

}
