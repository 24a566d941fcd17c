package io.sandbox4j.lease;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Sandboxes by key. Whoever opens a key that has none makes it, once however many ask;
 * whoever comes later finds it. Nothing of one key waits for another's, but for a place
 * among those that may run at once. Thread-safe.
 * <p>
 * <b>What ends a lease:</b> somebody, its run, its time, or that nobody used it for long.
 * Then its sandbox is deleted, its credentials are revoked, and the steps that were added
 * run, in this order and whatever of it fails. A lease whose sandbox is stopped for being
 * idle has not ended: the next use attaches to the same files.
 *
 * @since 0.1.0
 */
public final class SandboxLeases implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LeaseSettings settings;

	private final @Nullable LeaseJournal journal;

	private final LeaseRecovery recovery;

	private final LeaseTable table;

	private final RunLogs logs = new RunLogs();

	private final LeaseCounters counters = new LeaseCounters();

	private final LeaseControl control;

	private final LeaseEnding ending;

	private final LeaseOpening opening;

	private final LeaseSweeper sweeper;

	private final ScheduledThreadPoolExecutor timer;

	SandboxLeases(LeaseSettings settings) {
		this.settings = settings;
		this.table = new LeaseTable(settings.places(), settings.maxWaiting(), settings.ticker());
		this.control = new LeaseControl(this.table, this.logs);
		Path directory = settings.journal();
		LeaseJournal opened = (directory != null) ? LeaseJournal.open(directory) : null;
		this.journal = opened;
		this.recovery = (opened != null) ? recovered(opened) : new LeaseRecovery(List.of(), 0, 0, 0, 0);
		this.counters.recovered.set(this.recovery.recovered().size());
		this.ending = new LeaseEnding(settings, this.table, this.counters, this.logs, opened);
		LeaseMaker maker = new LeaseMaker(settings.backend(), settings.brokers(), this.table, this.control,
				this.counters, opened);
		this.opening = new LeaseOpening(settings, this.table, maker, this.ending, this.control, this.counters);
		this.sweeper = new LeaseSweeper(this.table, this.ending, this.counters, settings.reclaimAfter());
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sandbox-leases");
			thread.setDaemon(true);
			return thread;
		});
		long interval = settings.sweepInterval().toMillis();
		this.timer.scheduleWithFixedDelay(this::sweep, interval, interval, TimeUnit.MILLISECONDS);
	}

	// Nobody would close the journal of leases that could not be built.
	private LeaseRecovery recovered(LeaseJournal opened) {
		try {
			return new LeaseRecoverer(this.settings, this.table, opened).recover();
		}
		catch (RuntimeException | Error ex) {
			opened.close();
			throw ex;
		}
	}

	/**
	 * Starts building.
	 * @param backend makes the sandboxes; closed by its owner, after the leases
	 * @return a builder with safe defaults
	 */
	public static SandboxLeasesBuilder builder(SandboxBackend backend) {
		return new SandboxLeasesBuilder(backend);
	}

	/**
	 * Opens a lease: finds and renews it, attaches to it if it is stopped, or makes it.
	 * Does not wait for a place, yet for what others do with this very lease.
	 * @param spec what to make if there is none
	 * @return a use of the lease, to be closed
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if no place is free and no
	 * lease is idle, {@link ErrorCode#SANDBOX_INVALID} for an unknown broker,
	 * {@link ErrorCode#SANDBOX_STOPPED} after close, or what the backend, the broker or
	 * the setup throws; of a lease that could not be made nothing is left
	 */
	public SandboxLease open(LeaseSpec spec) {
		return this.opening.open(spec, Patience.of(null));
	}

	/**
	 * Opens a lease as {@link #open(LeaseSpec)} does, and waits for a place behind those
	 * that came before.
	 * @param spec what to make if there is none
	 * @param patience how long to wait at most
	 * @return a use of the lease, to be closed
	 * @throws SandboxException as {@link #open(LeaseSpec)} does, and
	 * {@link ErrorCode#SANDBOX_BUSY} if the time is over, the thread is interrupted or
	 * too many wait
	 */
	public SandboxLease open(LeaseSpec spec, Duration patience) {
		return this.opening.open(spec, Patience.of(patience));
	}

	/**
	 * Opens a lease, works with it, and closes this use of it.
	 * @param <T> what the work returns
	 * @param spec what to make if there is none
	 * @param work what is done
	 * @return what the work returned
	 */
	public <T extends @Nullable Object> T use(LeaseSpec spec, Function<SandboxLease, T> work) {
		try (SandboxLease lease = open(spec)) {
			return work.apply(lease);
		}
	}

	/**
	 * Opens a lease, waiting for a place, works with it, and closes this use of it.
	 * @param <T> what the work returns
	 * @param spec what to make if there is none
	 * @param patience how long to wait at most
	 * @param work what is done
	 * @return what the work returned
	 */
	public <T extends @Nullable Object> T use(LeaseSpec spec, Duration patience, Function<SandboxLease, T> work) {
		try (SandboxLease lease = open(spec, patience)) {
			return work.apply(lease);
		}
	}

	/**
	 * Renews a lease without using it.
	 * @param key its key
	 * @return how long it lives now
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is none,
	 * {@link ErrorCode#SANDBOX_LIMIT} if it is as old as it may become; then nothing
	 * changes
	 */
	public Duration renew(LeaseKey key) {
		LeaseEntry entry = this.table.locked(() -> this.table.find(key));
		if (entry == null) {
			throw new SandboxException(ErrorCode.SANDBOX_NOT_FOUND, "There is no lease of this key. Open it.");
		}
		return this.control.renew(entry);
	}

	/**
	 * Returns what is known of a lease.
	 * @param key its key
	 * @return the lease
	 */
	public Optional<LeaseInfo> info(LeaseKey key) {
		return Optional.ofNullable(this.table.locked(() -> {
			LeaseEntry entry = this.table.find(key);
			return (entry != null) ? entry.info(this.table.now()) : null;
		}));
	}

	/**
	 * Returns what is known of all leases.
	 * @return the leases, sorted by creation
	 */
	public List<LeaseInfo> list() {
		return this.table.locked(() -> this.table.all().stream().map((entry) -> entry.info(this.table.now())))
			.sorted(Comparator.comparing(LeaseInfo::created).thenComparing((lease) -> lease.key().toString()))
			.toList();
	}

	/**
	 * Returns how many leases there are, and what happened so far.
	 * @return a snapshot
	 */
	public LeaseStatus status() {
		return this.table.locked(() -> {
			LeaseQueue queue = this.table.queue();
			int idle = (int) this.table.all()
				.stream()
				.filter((entry) -> entry.phase == Phase.IDLE || entry.phase == Phase.RECOVERED)
				.count();
			LeaseCounters counts = this.counters;
			return new LeaseStatus(queue.taken(), queue.places(), idle, queue.waiting(), counts.created.get(),
					counts.attached.get(), counts.stopped.get(), counts.ended.get(), counts.expired.get(),
					counts.reclaimed.get(), counts.recovered.get(), queue.rejected(), counts.teardownFailures.get(),
					counts.hookFailures.get());
		});
	}

	/**
	 * Returns what was found in the journal at the start.
	 * @return the report; empty without a journal
	 */
	public LeaseRecovery recovery() {
		return this.recovery;
	}

	/**
	 * Ends a lease, also one that is in use: its commands are killed. Never throws for
	 * what a sandbox, a broker or a step does. One that is being made is ended by whoever
	 * makes it, and this waits for it unless the thread is interrupted.
	 * @param key its key
	 * @return {@code false} if there is none
	 */
	public boolean end(LeaseKey key) {
		LeaseEntry entry = this.table.locked(() -> this.table.find(key));
		return entry != null && this.ending.request(entry, false);
	}

	/**
	 * Registers where the log of a run goes, in place of an earlier one.
	 * @param run the run's id
	 * @param log the log
	 */
	public void registerRunLog(String run, RunLog log) {
		this.logs.register(LeaseKey.part("run", run), Objects.requireNonNull(log, "'log' must not be null"));
	}

	/**
	 * Ends the leases of a run, those that are being made included, and forgets its log.
	 * Never throws for what a sandbox, a broker or a step does.
	 * @param run the run's id
	 * @return how many there were
	 */
	public int endRun(String run) {
		List<LeaseEntry> all = this.table.locked(this.table::all);
		int ended = (int) all.stream()
			.filter((entry) -> entry.key.isOfRun(run))
			.filter((entry) -> this.ending.request(entry, false))
			.count();
		this.logs.drop(run);
		return ended;
	}

	/**
	 * Does the work of a run, and ends the run's leases afterwards, whatever the work
	 * does.
	 * @param <T> what the work returns
	 * @param run the run's id
	 * @param work the work; what it throws is thrown
	 * @return what the work returned
	 */
	public <T extends @Nullable Object> T withRun(String run, Function<RunScope, T> work) {
		RunScope scope = new RunScope(this, LeaseKey.part("run", run));
		try {
			return work.apply(scope);
		}
		finally {
			endRun(run);
		}
	}

	/**
	 * Ends every lease and forgets every log. Never throws for what a sandbox, a broker
	 * or a step does.
	 */
	public void endAll() {
		this.table.locked(this.table::all).forEach((entry) -> this.ending.request(entry, false));
		this.logs.clear();
	}

	void sweep() {
		this.sweeper.sweep();
	}

	/**
	 * Refuses callers from now on, those that wait included, and ends every lease. With a
	 * journal the sandboxes are stopped and not deleted, and the next application that
	 * opens the journal finds their leases; all else of the end is done even so.
	 * Idempotent.
	 */
	@Override
	public void close() {
		this.table.locked(this.table::close);
		this.timer.shutdown();
		boolean interrupted = Thread.interrupted();
		try {
			this.timer.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		boolean keep = this.journal != null;
		this.table.locked(this.table::all).forEach((entry) -> this.ending.request(entry, keep));
		this.ending.retryLeftovers();
		this.logs.clear();
		if (this.journal != null) {
			this.journal.close();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
