package io.sandbox4j.install;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.install.InstallLedger.Page;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Installs of one session: started, left to run, and settled whatever happens.
 * Thread-safe.
 * <p>
 * <b>States.</b> Each directory is idle until {@link #start}, which makes it skipped,
 * running or done; a run becomes done or failed. Done and failed can be run again. A
 * state is written to the store before the command is started, so a run is never started
 * twice: of several that ask at once, one starts it.
 * <p>
 * <b>After a restart</b> a run of the application before has left its exit code in the
 * workspace, or it is lost, which is a failure. Nothing is run again by itself, but for
 * repairs that were asked for. The session is owned by one application at a time, so what
 * another process started is gone by then.
 * <p>
 * <b>The time.</b> A run ends at the plan's timeout; one that is still written down five
 * minutes later is failed by the watchdog, whatever became of it. What failed is not run
 * again for five minutes unless its files changed.
 *
 * @since 0.1.0
 */
public final class Installs implements AutoCloseable {

	/**
	 * How long after the timeout of a run it is given up.
	 */
	static final Duration STALE = Duration.ofMinutes(5);

	/**
	 * How long after its end the same is not run again by itself.
	 */
	static final Duration PAUSE = Duration.ofMinutes(5);

	private static final Logger logger = LoggerFactory.getLogger(Installs.class);

	private static final String PROCESS = UUID.randomUUID().toString();

	private final SandboxSession session;

	private final InstallPlan plan;

	private final Supplier<@Nullable StorageUse> storage;

	private final InstantSource clock;

	private final InstallLedger ledger;

	private final InstallSettlement settlement;

	private final String owner = PROCESS + "/" + UUID.randomUUID();

	private final Map<String, InstallProcess> running = new HashMap<>();

	private final ScheduledExecutorService watchdog;

	private boolean closed;

	Installs(InstallsBuilder builder) {
		this.session = builder.session;
		this.plan = builder.plan;
		this.storage = builder.storage;
		this.clock = builder.clock;
		this.ledger = new InstallLedger(builder.store, builder.session.id());
		this.settlement = new InstallSettlement(builder.session, builder.plan.timeout(), builder.clock);
		this.watchdog = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "sandbox-installs");
			thread.setDaemon(true);
			return thread;
		});
		// Before anything is started, so that nothing runs unwatched.
		long interval = builder.watchdog.toMillis();
		this.watchdog.scheduleWithFixedDelay(this::sweep, interval, interval, TimeUnit.MILLISECONDS);
	}

	/**
	 * Starts to build installs.
	 * @param session the session, owned by this application
	 * @param store where they are written down
	 * @return a builder
	 */
	public static InstallsBuilder builder(SandboxSession session, InstallStore store) {
		return new InstallsBuilder(session, store);
	}

	/**
	 * Starts the install of a directory without a repository.
	 * @param directory a workspace path
	 * @return its state
	 * @throws SandboxException as {@link #start(String, String)}
	 */
	public InstallState start(String directory) {
		return start(directory, null);
	}

	/**
	 * Starts the install of a directory if it needs one, and returns at once. It needs
	 * none if it runs already, if the plan has nothing for it, or if the same was done
	 * and its tree is there. If the same failed within the last five minutes, it is run
	 * again when they are over.
	 * @param directory a workspace path
	 * @param repository the repository as {@code owner/repo}, for the plan's overrides
	 * @return its state
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if the storage is full,
	 * and nothing is written; {@link ErrorCode#SANDBOX_STOPPED} after close;
	 * {@link ErrorCode#SANDBOX_PATH} for a refused path
	 */
	public synchronized InstallState start(String directory, @Nullable String repository) {
		requireOpen();
		return state(begin(settled(page(directory)), repository, false));
	}

	/**
	 * Returns the state of a directory.
	 * @param directory a workspace path
	 * @return its state
	 */
	public synchronized InstallState state(String directory) {
		return state(settled(page(directory)));
	}

	/**
	 * Has what is done or failed run again, as when its tree was lost: at once, or five
	 * minutes after it ended. Other states stay as they are.
	 * @param directory a workspace path
	 * @return its state, with the time of the repair if that is to come
	 * @throws SandboxException as {@link #start(String, String)}
	 */
	public synchronized InstallState rearm(String directory) {
		requireOpen();
		Page page = settled(page(directory));
		InstallRecord record = page.record();
		if (!record.isFinished()) {
			return state(page);
		}
		long due = record.finishedMillis() + PAUSE.toMillis();
		if (now().toEpochMilli() >= due) {
			return state(begin(page, record.repository(), true));
		}
		return state(this.ledger.write(page, record.armed(due)));
	}

	/**
	 * Kills the install of a directory, and forgets a repair that is to come.
	 * @param directory a workspace path
	 * @return its state
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if other installs of this
	 * application run it
	 */
	public synchronized InstallState cancel(String directory) {
		Page page = settled(page(directory));
		InstallRecord record = page.record();
		if (record.isRunning()) {
			InstallProcess process = this.running.remove(page.directory());
			if (process == null) {
				throw new SandboxException(ErrorCode.SANDBOX_BUSY,
						"The install is run by another part of the application. Cancel it there.");
			}
			process.cancel("The install was cancelled.");
			page = this.ledger.write(page,
					record.failed(now(), "It was cancelled.", null, process.tail(), Duration.ZERO));
		}
		else if (record.repairMillis() > 0) {
			page = this.ledger.write(page, record.armed(0));
		}
		return state(page);
	}

	/**
	 * Whether a tree of the last install of a directory is there, of whatever age and
	 * however complete.
	 * @param directory a workspace path
	 * @return {@code true} if there is one
	 */
	public boolean treePresent(String directory) {
		Page page = page(directory);
		return this.settlement.treePresent(page.directory(), page.record());
	}

	/**
	 * Returns how full the storage is.
	 * @return what its source tells, or {@code null} if it is not known
	 */
	public @Nullable StorageUse storage() {
		return this.storage.get();
	}

	/**
	 * Kills what these installs run, which then failed, and ends the watchdog. What is
	 * done stays done.
	 */
	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.watchdog.shutdownNow();
		for (Map.Entry<String, InstallProcess> entry : List.copyOf(this.running.entrySet())) {
			InstallProcess process = entry.getValue();
			process.cancel("The application stopped its installs.");
			finish(entry.getKey(), process.run(), (record) -> record.failed(now(),
					"The application ended it as it stopped.", null, process.tail(), Duration.ZERO));
		}
		this.running.clear();
	}

	/**
	 * Settles what has ended unseen or takes too long, and starts repairs that are due.
	 */
	void sweep() {
		try {
			for (String directory : this.ledger.directories()) {
				sweep(directory);
			}
		}
		catch (RuntimeException ex) {
			// The next look may succeed; the watchdog must not end.
			logger.warn("The installs of session {} could not be looked after", this.session.id(), ex);
		}
	}

	private synchronized void sweep(String directory) {
		if (this.closed) {
			return;
		}
		try {
			Page page = settled(page(directory));
			InstallRecord record = page.record();
			if (record.repairMillis() > 0 && now().toEpochMilli() >= record.repairMillis()) {
				begin(page, record.repository(), true);
			}
		}
		catch (SandboxException ex) {
			boolean gone = ex.code() == ErrorCode.SANDBOX_STOPPED || ex.code() == ErrorCode.SANDBOX_LEASE_LOST;
			logger.atLevel(gone ? Level.DEBUG : Level.WARN)
				.setCause(ex)
				.log("An install of session {} could not be looked after", this.session.id());
		}
	}

	private Page begin(Page page, @Nullable String repository, boolean repair) {
		InstallRecord known = page.record();
		if (known.isRunning()) {
			return page;
		}
		requireSpace();
		SandboxFiles files = this.session.files();
		InstallResolution resolution = this.plan.resolve(files, page.directory(), repository);
		if (resolution instanceof InstallResolution.Skip skip) {
			return this.ledger.write(page, InstallRecord.skipped(skip.reason()));
		}
		InstallResolution.Command command = (InstallResolution.Command) resolution;
		String fingerprint = Fingerprint.of(files, WorkspacePath.parse(page.directory()), command.command(),
				command.files());
		boolean same = known.command().equals(command.command()) && Objects.equals(known.fingerprint(), fingerprint);
		if (!repair && same && known.isFinished()) {
			boolean done = known.status() == InstallRecord.Status.DONE;
			if (done && fingerprint != null && this.settlement.treePresent(page.directory(), known)) {
				return this.ledger.write(page, known.stillDone(now()));
			}
			if (!done && now().toEpochMilli() < known.retryMillis()) {
				return this.ledger.write(page, known.armed(known.retryMillis()));
			}
		}
		String run = UUID.randomUUID().toString();
		Instant stale = now().plus(this.plan.timeout()).plus(STALE);
		Page claimed = this.ledger.write(page,
				InstallRecord.running(run, this.owner, repository, command, fingerprint, now(), stale));
		return claimed.record().run().equals(run) ? launch(claimed) : claimed;
	}

	private Page launch(Page page) {
		InstallRecord record = page.record();
		try {
			InstallScript script = new InstallScript(this.session.files(), page.directory());
			script.prepare();
			SandboxProcess process = this.session
				.start(script.command(record.run(), record.command(), this.plan.timeout()));
			InstallProcess install = new InstallProcess(record.run(), process);
			this.running.put(page.directory(), install);
			install.begin((ended, result) -> ended(page.directory(), ended, result));
			return page;
		}
		catch (SandboxException ex) {
			logger.warn("An install of session {} could not be started", this.session.id(), ex);
			return this.ledger.write(page,
					record.failed(now(), "It could not be started (" + ex.code() + ").", null, null, Duration.ZERO));
		}
	}

	private synchronized void ended(String directory, InstallProcess process, @Nullable ExecResult result) {
		this.running.remove(directory, process);
		try {
			finish(directory, process.run(), (record) -> this.settlement.of(directory, record, process.tail(), result));
		}
		catch (RuntimeException ex) {
			// The watchdog settles it by the file that the run left.
			logger.warn("The end of an install of session {} could not be written", this.session.id(), ex);
		}
	}

	// Another result than that of the run that is written down comes too late.
	private void finish(String directory, String run, UnaryOperator<InstallRecord> outcome) {
		Page page = this.ledger.load(directory);
		while (page.record().isRunning() && page.record().run().equals(run)) {
			page = this.ledger.write(page, outcome.apply(page.record()));
		}
	}

	private Page settled(Page page) {
		InstallRecord record = page.record();
		if (!record.isRunning()) {
			return page;
		}
		boolean stale = now().toEpochMilli() >= record.staleMillis();
		InstallProcess process = this.running.get(page.directory());
		if (process != null && process.run().equals(record.run())) {
			return stale ? giveUp(page, process) : page;
		}
		boolean elsewhere = !record.owner().equals(this.owner) && record.owner().startsWith(PROCESS + "/");
		if (elsewhere && !stale) {
			return page;
		}
		return this.ledger.write(page, this.settlement.recovered(page));
	}

	private Page giveUp(Page page, InstallProcess process) {
		this.running.remove(page.directory());
		process.cancel("The install did not end in time.");
		return this.ledger.write(page,
				page.record().failed(now(), "It did not end in time.", null, process.tail(), PAUSE));
	}

	private void requireSpace() {
		StorageUse use = this.storage.get();
		if (use != null && use.exhausted()) {
			throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The storage of the workspace is full ("
					+ use.describe() + "). Remove files before you install; nothing was started.");
		}
	}

	private void requireOpen() {
		if (this.closed) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "These installs are closed. Build new ones.");
		}
	}

	private Page page(String directory) {
		return this.ledger.load(WorkspacePath.parse(directory).relative());
	}

	private InstallState state(Page page) {
		InstallProcess process = this.running.get(page.directory());
		return page.record().state((process != null) ? process.tail() : null);
	}

	private Instant now() {
		return this.clock.instant();
	}

}
