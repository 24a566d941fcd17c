package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Isolation;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.session.DriverSession;
import io.sandbox4j.session.SessionResources;
import io.sandbox4j.storage.FileOwner;
import io.sandbox4j.storage.Leftovers;
import io.sandbox4j.storage.StateDirectory;
import io.sandbox4j.storage.StorageSettings;
import io.sandbox4j.storage.StoredSession;
import io.sandbox4j.storage.WorkspaceFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sandboxes of Linux namespaces, built by bubblewrap on this host. Needs Linux,
 * bubblewrap 0.8 or later and user namespaces; without them it refuses, it never runs
 * anything on the host instead. Thread-safe. Close it: it owns threads, leases and a
 * runtime directory.
 *
 * @since 0.1.0
 */
public final class BubblewrapBackend implements SandboxBackend {

	private static final Logger logger = LoggerFactory.getLogger(BubblewrapBackend.class);

	private static final String IN_PLACE_TEMPLATE = "0".repeat(64);

	private final BackendSettings settings;

	private final GuestUser user;

	private final byte[] seccomp;

	private final StateDirectory state;

	private final RuntimeDirectory runtime;

	private final Path etc;

	private final Launcher launcher = new Launcher();

	private final ExecutorService executor = Executors.newCachedThreadPool(threads("sandbox-io-"));

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads("sandbox-timer-"));

	private final SessionResources resources;

	private final WarmPool warm;

	private final Leftovers leftovers;

	private final HostProbe probe;

	private final SandboxGateway gateway;

	private final Map<String, BubblewrapHandle> handles = new ConcurrentHashMap<>();

	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile boolean draining;

	BubblewrapBackend(BackendSettings settings) {
		this.settings = settings;
		if (ProcessHandle.current().pid() == 1) {
			logger.warn("This application is process 1 and reaps no orphans: each command can leave a zombie. "
					+ "Start the container with an init, for example 'docker run --init'.");
		}
		int uid = GuestUser.ownUid();
		this.user = GuestUser.of(uid, GuestUser.ownGid(), settings.runAs());
		this.seccomp = SeccompFilter.current().bytes();
		this.resources = new SessionResources(this.executor, this.timer, settings.listener());
		this.timer.setRemoveOnCancelPolicy(true);
		this.warm = new WarmPool(settings.warm(), this.executor, this.timer,
				new HostMemory(Path.of("/proc/meminfo"))::isShort);
		Path directory = Objects.requireNonNullElseGet(settings.stateDirectory(), () -> defaultStateDirectory(uid));
		Path base = Objects.requireNonNullElseGet(settings.runtimeDirectory(),
				() -> RuntimeDirectory.defaultBase(uid, System.getenv("XDG_RUNTIME_DIR")));
		this.gateway = Objects.requireNonNullElseGet(settings.gateway(), () -> SandboxGateway.builder().build());
		this.state = StateDirectory.open(directory, settings.name(), new StorageSettings(settings.durability(),
				this.user.fileOwner(), settings.maxTemplateBytes(), settings.maxTemplateFiles()));
		RuntimeDirectory opened = null;
		try {
			opened = RuntimeDirectory.open(base, uid);
			this.runtime = opened;
			this.etc = opened.path().resolve("etc");
			GuestEtc.create(this.etc, settings.rootfs(), this.user.owner());
			this.leftovers = this.state.collectLeftovers();
			if (!this.leftovers.isEmpty() || opened.swept() > 0) {
				logger.info("Removed what earlier processes had left: {} and {} runtime directories", this.leftovers,
						opened.swept());
			}
			this.probe = new HostProbe(settings, this.user, this.seccomp, this.runtime, new GuestContext((pid) -> {
			}, (id, pid) -> {
			}, (pid) -> {
			}, this.launcher, this.executor, this.timer, settings.launchTimeout(), settings.cleanupTimeout()),
					(workspace, socketDirectory) -> options(workspace, socketDirectory, NetworkPolicy.denyAll()));
		}
		catch (IOException ex) {
			discard(opened);
			throw RuntimeDirectory.unusable(base, "cannot be written", ex);
		}
		catch (RuntimeException ex) {
			discard(opened);
			throw ex;
		}
	}

	private void discard(@Nullable RuntimeDirectory opened) {
		if (opened != null) {
			opened.close();
		}
		this.state.close();
	}

	/**
	 * Starts a backend.
	 * @return a builder with safe defaults
	 */
	public static BubblewrapBackendBuilder builder() {
		return new BubblewrapBackendBuilder();
	}

	@Override
	public String name() {
		return this.settings.name();
	}

	@Override
	public PreparedTemplate prewarm(SandboxTemplate template) {
		return this.state.templates().prewarm(template);
	}

	@Override
	public SandboxHandle create(SandboxRequest request) {
		this.gateway.validate(request.network());
		ensureOpen();
		SandboxState wanted = request.state();
		if (wanted == null) {
			isolation();
			return open(this.state.sessions().create(request.templateKey()), request.network(), true);
		}
		if (!wanted.backend().equals(name()) || !wanted.templateKey().equals(request.templateKey())) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The state is of backend '" + wanted.backend() + "' and its own template, not of backend '" + name()
							+ "' and the template that was asked for. Attach with the state's own.");
		}
		isolation();
		return open(this.state.sessions().attach(wanted), request.network(), false);
	}

	/**
	 * Makes a session over an existing directory of the caller, in place of a copy: what
	 * commands write there stays when the session is deleted. The session itself cannot
	 * be attached to again.
	 * @param directory the directory; when the application is root, commands run as its
	 * owner
	 * @param network the policy
	 * @return the handle
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is not a
	 * directory, or belongs to root
	 */
	public SandboxHandle createInPlace(Path directory, NetworkPolicy network) {
		this.gateway.validate(network);
		ensureOpen();
		FileOwner owner = ownerOf(directory);
		if (this.user.setpriv() != null && owner.uid() == 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'directory' " + directory
					+ " belongs to root, and commands never run as root. Give it to another user, or use a copy.");
		}
		isolation();
		return open(this.state.sessions().createInPlace(directory), network, true);
	}

	private FileOwner ownerOf(Path directory) {
		try {
			if (!Files.isDirectory(directory)) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'directory' " + directory + " is not a directory.");
			}
			int gid = (int) Objects.requireNonNull(Files.getAttribute(directory, "unix:gid"));
			// The host's root group could read what only that group may.
			return new FileOwner((int) Objects.requireNonNull(Files.getAttribute(directory, "unix:uid")),
					(gid != 0) ? gid : this.settings.runAs().gid());
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'directory' " + directory + " cannot be read.", ex);
		}
	}

	private SandboxHandle open(StoredSession stored, NetworkPolicy network, boolean fresh) {
		Path directory = null;
		try {
			directory = this.runtime.create(stored.id().substring(0, RuntimeDirectory.SESSION_NAME));
			BubblewrapHandle handle = handle(stored, network, directory);
			this.handles.put(stored.id(), handle);
			if (this.draining || this.closed.get()) {
				handle.stop();
				throw draining();
			}
			handle.shelf().open();
			this.resources.publish(fresh ? new SandboxEvent.SessionCreated(stored.id(), stored.templateKey())
					: new SandboxEvent.SessionAttached(stored.id(), stored.recovered(), stored.killedGuests()));
			return handle;
		}
		catch (RuntimeException ex) {
			undo(stored, directory, fresh, ex);
			throw ex;
		}
	}

	private void undo(StoredSession stored, @Nullable Path directory, boolean fresh, RuntimeException failure) {
		try {
			this.handles.remove(stored.id());
			if (directory != null) {
				RuntimeDirectory.remove(directory);
			}
			stored.release();
			if (fresh) {
				stored.delete();
			}
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	private BubblewrapHandle handle(StoredSession stored, NetworkPolicy policy, Path directory) {
		boolean inPlace = stored.templateKey().equals(IN_PLACE_TEMPLATE);
		GuestUser guest = (inPlace && this.user.setpriv() != null)
				? new GuestUser(ownerOf(stored.workspace()), this.user.setpriv()) : this.user;
		HostProbe.Result probed = this.probe.result();
		LaunchPlan plan = new LaunchPlan(directory, stored.id(), probed.executable().path(), guest, this.seccomp,
				this.settings.resourceLimits());
		GuestProcesses processes = new GuestProcesses();
		SessionNetwork network = SessionNetwork.open(new SessionNetwork.Setup(this.gateway, stored.id(), directory,
				guest, plan, (next, socketDirectory) -> options(stored.workspace(), socketDirectory, next),
				probed.relay(), processes, this.resources::publish), policy);
		try {
			WorkspaceFiles files = WorkspaceFiles.over(stored.workspace(), stored.staging(), guest.fileOwner(),
					this.settings.durability(), stored.lease()::ensureValid);
			GuestContext context = context(stored, processes);
			WarmShelf shelf = this.warm.shelf(() -> GuestProcess.start(plan.command(), context));
			BubblewrapDriver driver = new BubblewrapDriver(plan, files, stored.lease(), context, shelf,
					new WorkspaceWatch(stored.workspace(), this.settings.maxWorkspaceBytes(), context), network,
					() -> this.probe.known().map(Isolation::held).orElse(Set.of()));
			DriverSession session = new DriverSession(stored.id(), driver, policy, this.settings.sessionLimits(),
					this.resources);
			return new BubblewrapHandle(new SandboxState(name(), stored.id(), stored.templateKey()), session, stored,
					network, shelf, directory, this.settings.cleanupTimeout(), this.resources,
					(stopped) -> this.handles.remove(stored.id(), stopped));
		}
		catch (RuntimeException ex) {
			network.close();
			throw ex;
		}
	}

	private byte[] options(Path workspace, Path socketDirectory, NetworkPolicy network) {
		return BwrapArguments.build(
				new GuestMounts(this.settings.rootfs(), this.etc, socketDirectory, workspace, this.settings.mounts()),
				this.settings.resourceLimits(), network);
	}

	private GuestContext context(StoredSession stored, GuestProcesses processes) {
		return new GuestContext(stored.guests()::add, (id, pid) -> processes.add(pid, id), (pid) -> {
			processes.remove(pid);
			stored.guests().remove(pid);
		}, this.launcher, this.executor, this.timer, this.settings.launchTimeout(), this.settings.cleanupTimeout());
	}

	@Override
	public Isolation isolation() {
		return this.probe.result().isolation();
	}

	/**
	 * Returns what the probe found, without probing.
	 * @return the report, if a probe succeeded
	 */
	public Optional<Isolation> knownIsolation() {
		return this.probe.known();
	}

	/**
	 * Returns what was left behind by processes that are gone, and was removed at start.
	 * @return the counts
	 */
	public Leftovers leftovers() {
		return this.leftovers;
	}

	/**
	 * Returns the bounds of every command.
	 * @return the limits
	 */
	public ResourceLimits resourceLimits() {
		return this.settings.resourceLimits();
	}

	/**
	 * Returns how warm sandboxes do.
	 * @return the counts
	 */
	public WarmStatus warmStatus() {
		return this.warm.status();
	}

	/**
	 * Returns where bubblewrap is looked for.
	 * @return the program
	 */
	public Path executable() {
		return this.settings.executable();
	}

	/**
	 * Returns where templates and sessions are kept.
	 * @return the directory's real path
	 */
	public Path stateDirectory() {
		return this.state.path();
	}

	/**
	 * Returns where this object keeps sockets and launch options.
	 * @return the directory's real path
	 */
	public Path runtimeDirectory() {
		return this.runtime.path();
	}

	@Override
	public List<SessionInfo> sessions() {
		return this.state.sessions()
			.list()
			.stream()
			.map((session) -> (!this.handles.containsKey(session.id())) ? session
					: new SessionInfo(session.id(), session.templateKey(), session.created(),
							SessionInfo.Status.RUNNING, session.owner()))
			.toList();
	}

	@Override
	public List<SandboxHandle> handles() {
		return List.copyOf(this.handles.values());
	}

	@Override
	public boolean delete(String sessionId) {
		Optional<SandboxHandle> running = handle(sessionId);
		if (running.isPresent()) {
			running.get().delete();
			return true;
		}
		boolean deleted = this.state.sessions().delete(sessionId);
		if (deleted) {
			this.resources.publish(new SandboxEvent.SessionDeleted(sessionId));
		}
		return deleted;
	}

	@Override
	public boolean drain(Duration timeout) {
		this.draining = true;
		List<BubblewrapHandle> running = List.copyOf(this.handles.values());
		running.forEach((handle) -> handle.driverSession().close());
		this.warm.close();
		long deadline = System.nanoTime() + timeout.toNanos();
		boolean idle = true;
		for (BubblewrapHandle handle : running) {
			long left = Math.max(0, deadline - System.nanoTime());
			idle &= handle.driverSession().awaitIdle(Duration.ofNanos(left));
		}
		return idle;
	}

	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		RuntimeException failure = null;
		for (BubblewrapHandle handle : List.copyOf(this.handles.values())) {
			try {
				handle.stop();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		this.warm.close();
		this.launcher.close();
		this.timer.shutdown();
		this.executor.shutdown();
		if (this.settings.gateway() == null) {
			this.gateway.close();
		}
		this.runtime.close();
		this.state.close();
		if (failure != null) {
			throw failure;
		}
	}

	private void ensureOpen() {
		if (this.closed.get() || this.draining) {
			throw draining();
		}
	}

	private static SandboxException draining() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED,
				"The sandbox backend is shutting down and makes no sessions any more.");
	}

	private static Path defaultStateDirectory(int uid) {
		if (uid == 0) {
			return Path.of("/var/lib/sandbox4j");
		}
		String configured = System.getenv("XDG_STATE_HOME");
		Path base = (configured != null && !configured.isEmpty()) ? Path.of(configured)
				: Path.of(System.getProperty("user.home"), ".local", "state");
		return base.resolve("sandbox4j");
	}

	private static ThreadFactory threads(String prefix) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(task, prefix + number.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		};
	}

}
