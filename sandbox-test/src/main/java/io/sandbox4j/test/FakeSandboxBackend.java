package io.sandbox4j.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Isolation;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.SessionInfo;
import io.sandbox4j.session.DriverSession;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.session.SessionResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A backend for tests and for machines without bubblewrap: files are kept in memory, and
 * a command is answered by a {@link FakeProgram} of the test. <b>It isolates nothing</b>,
 * and it needs no isolation, as it never starts a process: a program that is not
 * registered cannot be started, whatever the host has installed. Everything else is as in
 * the real backend, down to the error codes, deadlines, output limits, leases and events.
 *
 * <pre class="code">
 * FakeSandboxBackend backend = new FakeSandboxBackend()
 *     .on("/usr/bin/python3", (python) -&gt; {
 *         python.writeText("out.txt", "fixed");
 *         python.print("done\n");
 *         return 0;
 *     });
 * </pre>
 *
 * {@code true}, {@code false}, {@code echo}, {@code cat}, {@code pwd}, {@code env} and
 * {@code sleep} are there from the start, without options; there is no shell.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class FakeSandboxBackend implements SandboxBackend {

	private static final Logger logger = LoggerFactory.getLogger(FakeSandboxBackend.class);

	private final String owner = UUID.randomUUID().toString();

	private final FakePrograms programs = new FakePrograms();

	private final ExecutorService executor = Executors.newCachedThreadPool(threads("sandbox-fake-io"));

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads("sandbox-fake-timer"));

	private final Map<String, FakeHandle> handles = new ConcurrentHashMap<>();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final String name;

	private final FakeStorage storage;

	private final SessionLimits sessionLimits;

	private final Duration cleanupTimeout;

	private final SessionResources resources;

	private volatile boolean draining;

	/**
	 * Creates a backend named {@code fake} with a storage of its own and default limits.
	 */
	public FakeSandboxBackend() {
		this(builder());
	}

	FakeSandboxBackend(FakeSandboxBackendBuilder settings) {
		this.name = settings.name;
		this.storage = settings.storage;
		this.sessionLimits = settings.sessionLimits;
		this.cleanupTimeout = settings.cleanupTimeout;
		this.timer.setRemoveOnCancelPolicy(true);
		this.resources = new SessionResources(this.executor, this.timer, settings.listener);
		logger.warn("Sandbox backend '{}' is a fake: it isolates nothing and runs no real program. "
				+ "Use it for tests only.", this.name);
	}

	/**
	 * Starts a backend.
	 * @return a builder
	 */
	public static FakeSandboxBackendBuilder builder() {
		return new FakeSandboxBackendBuilder();
	}

	/**
	 * Registers a program, for all sessions of this backend, in place of an earlier one.
	 * @param executable its path, or its name: a program in a directory of the guest's
	 * {@code PATH} is found by both
	 * @param program what it does
	 * @return this backend
	 */
	public FakeSandboxBackend on(String executable, FakeProgram program) {
		this.programs.add(executable, program);
		return this;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public PreparedTemplate prewarm(SandboxTemplate template) {
		return this.storage.prewarm(this.name, template);
	}

	@Override
	public SandboxHandle create(SandboxRequest request) {
		ensureOpen();
		SandboxState wanted = request.state();
		FakeStorage.Lease lease = (wanted != null) ? attach(request, wanted)
				: this.storage.create(this.name, request.templateKey(), this.owner);
		SandboxState state = lease.state();
		FakeDriver driver = new FakeDriver(lease, this.programs, request.network(), this.timer, this.cleanupTimeout);
		DriverSession session = new DriverSession(state.sessionId(), driver, request.network(), this.sessionLimits,
				this.resources);
		FakeHandle handle = new FakeHandle(state, session, this.cleanupTimeout.multipliedBy(4), () -> stopped(lease),
				(deleted) -> delete(deleted.sessionId()));
		this.handles.put(state.sessionId(), handle);
		if (this.draining || this.closed.get()) {
			undo(handle, wanted == null);
			throw stopping();
		}
		this.resources.publish((wanted != null) ? new SandboxEvent.SessionAttached(state.sessionId(), false, 0)
				: new SandboxEvent.SessionCreated(state.sessionId(), state.templateKey()));
		return handle;
	}

	private static void undo(FakeHandle handle, boolean fresh) {
		if (fresh) {
			handle.delete();
		}
		else {
			handle.stop();
		}
	}

	private FakeStorage.Lease attach(SandboxRequest request, SandboxState wanted) {
		if (!wanted.backend().equals(this.name) || !wanted.templateKey().equals(request.templateKey())) {
			throw new SandboxException(ErrorCode.SANDBOX_STATE_MISMATCH,
					"The state is of backend '" + wanted.backend() + "' and its own template, not of backend '"
							+ this.name + "' and the template that was asked for. Attach with the state's own.");
		}
		return this.storage.attach(wanted, this.owner);
	}

	private void stopped(FakeStorage.Lease lease) {
		this.handles.remove(lease.state().sessionId());
		lease.release();
		this.resources.publish(new SandboxEvent.SessionStopped(lease.state().sessionId()));
	}

	/**
	 * Reports every check as not held: this is a fake.
	 */
	@Override
	public Isolation isolation() {
		return new Isolation(Stream.of(Restriction.values())
			.map((restriction) -> new Isolation.Check("fake-" + restriction.id(), restriction, false,
					"a fake backend isolates nothing"))
			.toList());
	}

	@Override
	public List<SessionInfo> sessions() {
		return this.storage.list(this.name, this.owner);
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
		boolean deleted = this.storage.delete(this.name, sessionId);
		if (deleted) {
			this.resources.publish(new SandboxEvent.SessionDeleted(sessionId));
		}
		return deleted;
	}

	@Override
	public boolean drain(Duration timeout) {
		this.draining = true;
		List<FakeHandle> running = List.copyOf(this.handles.values());
		running.forEach((handle) -> handle.session().close());
		long deadline = System.nanoTime() + timeout.toNanos();
		boolean idle = true;
		for (FakeHandle handle : running) {
			idle &= handle.session().awaitIdle(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
		}
		return idle;
	}

	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		RuntimeException failure = null;
		for (FakeHandle handle : List.copyOf(this.handles.values())) {
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
		this.timer.shutdown();
		this.executor.shutdown();
		if (failure != null) {
			throw failure;
		}
	}

	private void ensureOpen() {
		if (this.closed.get() || this.draining) {
			throw stopping();
		}
	}

	private static SandboxException stopping() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED,
				"The sandbox backend is shutting down and makes no sessions any more.");
	}

	private static ThreadFactory threads(String name) {
		return (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		};
	}

}
