package io.sandbox4j.install;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
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
 * again for five minutes, or what the builder says, unless its files changed.
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

	private final SandboxSession session;

	private final InstallPlan plan;

	private final Supplier<@Nullable StorageUse> storage;

	private final Duration pause;

	private final InstantSource clock;

	private final InstallLedger ledger;

	private final RunningInstalls running;

	private final ScheduledExecutorService watchdog;

	private boolean closed;

	Installs(InstallsBuilder builder) {
		this.session = builder.session;
		this.plan = builder.plan;
		this.storage = builder.storage;
		this.pause = builder.pause;
		this.clock = builder.clock;
		this.ledger = new InstallLedger(builder.store, builder.session.id(), builder.listener);
		this.running = new RunningInstalls(builder, this.ledger);
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
	 * Returns the states of all directories that were asked for, as they are written
	 * down. Settles nothing.
	 * @return the states by directory, sorted
	 */
	public SortedMap<String, InstallState> states() {
		SortedMap<String, InstallState> states = new TreeMap<>();
		this.ledger.directories().forEach((directory) -> states.put(directory, state(page(directory))));
		return states;
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
		long due = record.finishedMillis() + this.pause.toMillis();
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
		if (page.record().isRunning()) {
			return state(this.running.cancel(page));
		}
		return state((page.record().repairMillis() > 0) ? this.ledger.write(page, page.record().armed(0)) : page);
	}

	/**
	 * Whether a tree of the last install of a directory is there, of whatever age and
	 * however complete.
	 * @param directory a workspace path
	 * @return {@code true} if there is one
	 */
	public boolean treePresent(String directory) {
		return this.running.treePresent(page(directory));
	}

	/**
	 * Returns how full the storage is.
	 * @return what its source tells, or {@code null} if it is not known
	 */
	public @Nullable StorageUse storage() {
		return this.storage.get();
	}

	/**
	 * Kills what these installs run, which then failed, and ends the watchdog. When this
	 * returns nothing of it runs any more. What is done stays done.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.watchdog.shutdownNow();
		this.running.close();
	}

	/**
	 * Settles what has ended unseen or takes too long, and starts repairs that are due.
	 */
	void sweep() {
		try {
			this.ledger.directories().forEach(this::sweep);
		}
		catch (RuntimeException ex) {
			failed(ex);
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
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	// The next look may succeed; the watchdog must not end.
	private void failed(RuntimeException ex) {
		boolean gone = ex instanceof SandboxException failure
				&& (failure.code() == ErrorCode.SANDBOX_STOPPED || failure.code() == ErrorCode.SANDBOX_LEASE_LOST);
		logger.atLevel(gone ? Level.DEBUG : Level.WARN)
			.setCause(ex)
			.log("The installs of session {} could not be looked after", this.session.id());
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
			return written(page, InstallRecord.skipped(skip.reason()));
		}
		InstallResolution.Command command = (InstallResolution.Command) resolution;
		String fingerprint = Fingerprint.of(files, WorkspacePath.parse(page.directory()), command.command(),
				command.files());
		boolean same = known.command().equals(command.command()) && Objects.equals(known.fingerprint(), fingerprint);
		if (!repair && same && known.status() == InstallRecord.Status.DONE && fingerprint != null
				&& this.running.treePresent(page)) {
			return page.shownAs(known.notNeeded(now()));
		}
		if (!repair && same && known.status() == InstallRecord.Status.FAILED
				&& now().toEpochMilli() < known.retryMillis()) {
			return written(page, known.armed(known.retryMillis()));
		}
		return this.running.start(page, repository, command, fingerprint);
	}

	// A store may keep a trace of each write, so none is made that changes nothing.
	private Page written(Page page, InstallRecord next) {
		return page.record().equals(next) ? page : this.ledger.write(page, next);
	}

	private Page settled(Page page) {
		return this.running.settled(page);
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
		return page.record().state(this.running.tail(page));
	}

	private Instant now() {
		return this.clock.instant();
	}

}
