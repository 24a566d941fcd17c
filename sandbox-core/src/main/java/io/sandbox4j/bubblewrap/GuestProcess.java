package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.sandbox4j.storage.ProcessIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sandbox from its birth to its proven end. States, in order: building (bubblewrap
 * makes the namespaces), built (the guest's shell waits for its line; nothing reads the
 * sandbox's output, so that waiting costs no thread), gone (no process is left). A kill
 * leads from any to gone. Who takes its output, from the hand-over of a command on, says
 * so with {@link #occupy}.
 */
final class GuestProcess implements SetupReport.Listener {

	private static final Logger logger = LoggerFactory.getLogger(GuestProcess.class);

	private final Process process;

	private final GuestContext context;

	private final Teardown teardown;

	private final SetupReport report = new SetupReport(this);

	private final CompletableFuture<ProcessIdentity> recorded = new CompletableFuture<>();

	private final CompletableFuture<Void> built = new CompletableFuture<>();

	private final CompletableFuture<Void> setUp = new CompletableFuture<>();

	private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

	private final AtomicBoolean killed = new AtomicBoolean();

	private CompletableFuture<Void> drained = CompletableFuture.completedFuture(null);

	private boolean exited;

	private volatile @Nullable ProcessIdentity init;

	private volatile String networkNamespace = "";

	private volatile String failure = "";

	private GuestProcess(Process process, GuestContext context) {
		this.process = process;
		this.context = context;
		this.teardown = new Teardown(context);
	}

	/**
	 * Starts to build a sandbox.
	 * @param launch the launcher's command line
	 * @param context the session's part
	 * @return the sandbox, building
	 */
	static GuestProcess start(List<String> launch, GuestContext context) {
		GuestProcess sandbox = new GuestProcess(context.launcher().start(launch), context);
		context.executor().execute(sandbox::readSetup);
		sandbox.process.onExit().thenRun(sandbox::onExit);
		return sandbox;
	}

	private void readSetup() {
		byte[] buffer = new byte[1024];
		boolean ready = false;
		try {
			InputStream errors = this.process.getErrorStream();
			int count = errors.read(buffer);
			while (count >= 0 && !ready) {
				ready = this.report.feed(buffer, 0, count);
				count = ready ? count : errors.read(buffer);
			}
		}
		catch (IOException ex) {
			logger.debug("The set-up of a sandbox ended early", ex);
		}
		finally {
			if (ready) {
				this.built.complete(null);
			}
			this.setUp.complete(null);
		}
	}

	@Override
	public void child(long pid, String network) {
		this.networkNamespace = network;
		ProcessIdentity namespace = ProcessIdentity.of(pid).orElse(null);
		if (namespace == null) {
			return;
		}
		this.init = namespace;
		try {
			this.context.born().accept(pid);
		}
		catch (RuntimeException ex) {
			// Unrecorded it would not be found after a crash, so it gets no command.
			this.failure = "It could not be recorded: " + ex.getMessage();
			kill();
			return;
		}
		if (this.killed.get()) {
			namespace.kill();
			return;
		}
		this.recorded.complete(namespace);
	}

	/**
	 * Waits until the sandbox is built or known not to be.
	 * @return whether it is built
	 */
	boolean awaitBuilt() {
		CompletableFuture<?> decided = CompletableFuture.anyOf(this.built, this.gone);
		if (!await(decided, this.context.launchTimeout())) {
			this.failure = "It was not built within " + this.context.launchTimeout().toSeconds()
					+ " s. A mount source on a file system that does not answer can be the cause.";
			kill();
			await(this.gone, this.context.cleanupTimeout().multipliedBy(3));
		}
		return isBuilt();
	}

	private static boolean await(CompletableFuture<?> future, Duration bound) {
		boolean interrupted = false;
		long deadline = System.nanoTime() + bound.toNanos();
		try {
			while (true) {
				try {
					future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
					return true;
				}
				catch (InterruptedException ex) {
					// Whoever started a sandbox must get it, to end it.
					interrupted = true;
				}
				catch (TimeoutException ex) {
					return false;
				}
				catch (ExecutionException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Takes the sandbox for a command, once. From now on its output is read by whoever
	 * took it.
	 * @param read completes when both outputs are at their end
	 * @return whether it was not gone already
	 */
	synchronized boolean occupy(CompletableFuture<Void> read) {
		if (this.exited) {
			return false;
		}
		this.drained = read;
		return true;
	}

	/**
	 * Completes once the namespace's init stands in the session's record of live
	 * sandboxes: before that no command may be handed over.
	 * @return the init as the host sees it
	 */
	CompletableFuture<ProcessIdentity> recorded() {
		return this.recorded;
	}

	/**
	 * Completes when the guest's shell waits for its line, or the sandbox could not be
	 * built: its outputs are free to be read from then on.
	 * @return the future
	 */
	CompletableFuture<Void> setUp() {
		return this.setUp;
	}

	boolean isBuilt() {
		return this.built.isDone();
	}

	boolean isAlive() {
		ProcessIdentity namespace = this.init;
		return !this.killed.get() && this.process.isAlive() && (namespace == null || namespace.isAlive());
	}

	/**
	 * Returns the namespace's init as the host sees it.
	 * @return the process, once it is known
	 */
	@Nullable ProcessIdentity init() {
		return this.init;
	}

	String networkNamespace() {
		return this.networkNamespace;
	}

	OutputStream stdin() {
		return this.process.getOutputStream();
	}

	InputStream stdout() {
		return this.process.getInputStream();
	}

	InputStream stderr() {
		return this.process.getErrorStream();
	}

	/**
	 * Returns what was read of standard error behind the set-up.
	 * @return the bytes, once the sandbox is built
	 */
	byte[] earlyErrors() {
		return this.report.rest();
	}

	/**
	 * Returns why it could not be built.
	 * @return a sentence or what bubblewrap said
	 */
	String failure() {
		String known = this.failure;
		return known.isEmpty() ? this.report.text() : known;
	}

	/**
	 * Kills every process of the sandbox. Returns at once, may be called often, at any
	 * moment.
	 */
	void kill() {
		// Set before the init is looked for: whichever of this and 'child' comes second
		// sees the other.
		boolean first = this.process.isAlive() && this.killed.compareAndSet(false, true);
		ProcessIdentity namespace = this.init;
		if (namespace != null) {
			// The init first: killing only bubblewrap, while it still builds the sandbox,
			// leaves the init behind.
			namespace.kill();
		}
		if (first) {
			closeStdin();
			this.context.timer()
				.schedule(this::killLauncher, this.context.cleanupTimeout().toMillis() / 4, TimeUnit.MILLISECONDS);
		}
	}

	// Ends a sandbox that does not end by itself: one without an init yet leaves when its
	// input ends, unless bubblewrap hangs.
	private void killLauncher() {
		if (this.process.isAlive()) {
			HostProcess.children(this.process.pid())
				.forEach((pid) -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
			// Not Process.destroyForcibly: that closes the streams, and loses output.
			this.process.toHandle().destroyForcibly();
		}
	}

	private void closeStdin() {
		this.context.executor().execute(() -> {
			try {
				this.process.getOutputStream().close();
			}
			catch (IOException ex) {
				logger.debug("The sandbox's input was closed already", ex);
			}
		});
	}

	private void onExit() {
		CompletableFuture<Void> read;
		synchronized (this) {
			this.exited = true;
			read = this.drained;
		}
		this.teardown.prove(CompletableFuture.allOf(this.setUp, read), () -> this.init).thenAccept(this.gone::complete);
	}

	/**
	 * Completes when the output was read and every process is gone, or could not be
	 * proven gone in time.
	 * @return whether it was proven
	 */
	CompletableFuture<Boolean> gone() {
		return this.gone;
	}

	/**
	 * Completes when every process is gone, also long after {@link #gone()} said that it
	 * could not be proven.
	 * @return the future settlement
	 */
	CompletableFuture<Void> settled() {
		return this.teardown.settled();
	}

}
