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
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.OutputSink;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.Signal;
import io.sandbox4j.storage.ProcessIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One sandbox and the one command that it runs. States, in order: building (bubblewrap
 * makes the namespaces), ready (the guest's shell waits for its line), running, ended
 * (the shell said how), gone (no process is left, output is delivered). A kill leads from
 * any to gone.
 * <p>
 * The command line is written only once the namespace's init stands in the session's
 * record of live sandboxes, so whoever takes the session over after a crash finds it.
 */
final class Guest implements SandboxDriver.Execution, GuestReport.Listener {

	private static final Logger logger = LoggerFactory.getLogger(Guest.class);

	private static final int SIGKILL = 9;

	private static final int SIGXCPU = 24;

	private static final int SIGXFSZ = 25;

	private static final int SIGINT = 2;

	private static final int SIGPIPE = 13;

	private static final Duration LINGER = Duration.ofMillis(250);

	private final Process process;

	private final GuestReport report;

	private final GuestCommand command;

	private final OutputSink output;

	private final GuestContext context;

	private final Teardown teardown;

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private final CompletableFuture<Void> started = new CompletableFuture<>();

	private final CompletableFuture<Void> stdoutDrained = new CompletableFuture<>();

	private final CompletableFuture<Void> stderrDrained = new CompletableFuture<>();

	private final CompletableFuture<Exit> exit = new CompletableFuture<>();

	private final AtomicReference<@Nullable Exit> said = new AtomicReference<>();

	private final AtomicBoolean killed = new AtomicBoolean();

	private volatile @Nullable ProcessIdentity init;

	private volatile String networkNamespace = "";

	private volatile String setupFailure = "";

	private Guest(Process process, GuestCommand command, OutputSink output, GuestContext context) {
		this.process = process;
		this.command = command;
		this.report = new GuestReport(command.mark(), this);
		this.output = output;
		this.context = context;
		this.teardown = new Teardown(context);
	}

	/**
	 * Builds a sandbox and hands it its command.
	 * @param launch the launcher's command line
	 * @param command the command
	 * @param output where the output goes
	 * @param context the session's part
	 * @return the guest, ready, or with an exit that says why it could not be built
	 */
	static Guest launch(List<String> launch, GuestCommand command, OutputSink output, GuestContext context) {
		Guest guest = new Guest(context.launcher().start(launch), command, output, context);
		context.executor().execute(guest::pumpStderr);
		context.executor().execute(guest::pumpStdout);
		guest.process.onExit().thenRun(guest::onProcessExit);
		guest.awaitReady();
		return guest;
	}

	// Waits until the sandbox is built or known not to be.
	private void awaitReady() {
		CompletableFuture<?> decided = CompletableFuture.anyOf(this.ready, this.exit);
		if (!await(decided, this.context.launchTimeout())) {
			this.setupFailure = "It was not built within " + this.context.launchTimeout().toSeconds()
					+ " s. A mount source on a file system that does not answer can be the cause.";
			kill();
			await(this.exit, this.context.cleanupTimeout().multipliedBy(3));
		}
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
	 * Returns the namespace's init as the host sees it.
	 * @return the process, once the guest is ready
	 */
	@Nullable ProcessIdentity init() {
		return this.init;
	}

	String networkNamespace() {
		return this.networkNamespace;
	}

	private void pumpStdout() {
		try {
			copy(this.process.getInputStream(), this.output::stdout);
		}
		finally {
			this.stdoutDrained.complete(null);
		}
	}

	private void pumpStderr() {
		try {
			copy(this.process.getErrorStream(), this.report::feed);
			this.report.finish();
		}
		finally {
			this.stderrDrained.complete(null);
		}
	}

	private void copy(InputStream source, Chunk target) {
		byte[] buffer = new byte[16 * 1024];
		try {
			for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
				target.take(buffer, 0, count);
			}
		}
		catch (IOException ex) {
			logger.debug("Output of a sandbox ended early", ex);
		}
		catch (RuntimeException ex) {
			// A sink that fails must not leave a sandbox behind that waits for a reader.
			logger.warn("Output of a sandbox could not be delivered", ex);
			kill();
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
			this.context.born().accept(this.command.id(), pid);
		}
		catch (RuntimeException ex) {
			// Unrecorded it would not be found after a crash, so it gets no command.
			this.setupFailure = "It could not be recorded: " + ex.getMessage();
			kill();
			return;
		}
		if (this.killed.get()) {
			namespace.kill();
			return;
		}
		try {
			OutputStream stdin = this.process.getOutputStream();
			stdin.write(this.command.line());
			stdin.flush();
		}
		catch (IOException ex) {
			logger.debug("The sandbox ended before it took its command", ex);
		}
	}

	@Override
	public void ready() {
		this.ready.complete(null);
	}

	@Override
	public void started() {
		this.started.complete(null);
	}

	@Override
	public void launchFailed() {
		end(new Exit(Exit.Kind.LAUNCH_FAILED, 127, "'" + this.command.program()
				+ "' could not be started: it, its interpreter or its working directory does not exist in the sandbox, "
				+ "or it is not executable.", true));
	}

	@Override
	public void exited(int status, boolean signalled) {
		int signal = status - 128;
		// The shell says nothing of these two: an exit code of that value reads alike.
		boolean silent = signal == SIGINT || signal == SIGPIPE;
		if (signal == SIGXCPU && signalled) {
			end(new Exit(Exit.Kind.RESOURCE_LIMIT, signal, "The program used more CPU time than its limit.", true));
		}
		else if (signal == SIGXFSZ && signalled) {
			end(new Exit(Exit.Kind.RESOURCE_LIMIT, signal, "The program wrote a file beyond its size limit.", true));
		}
		else if (signal > 0 && (signalled || silent)) {
			end(new Exit(Exit.Kind.SIGNALLED, signal, "Signal " + signal + " ended the program.", true));
		}
		else {
			end(new Exit(Exit.Kind.EXITED, status, "", true));
		}
	}

	/**
	 * Kills the sandbox because it used more than it may.
	 * @param reason what of
	 */
	void exceeded(String reason) {
		this.said.compareAndSet(null, new Exit(Exit.Kind.RESOURCE_LIMIT, SIGKILL, reason, true));
		kill();
	}

	private void end(Exit how) {
		this.said.compareAndSet(null, how);
		this.started.complete(null);
		// The shell leaves now, and the kernel kills what the program left in the
		// namespace.
		this.context.timer().schedule(this::kill, LINGER.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void output(byte[] buffer, int offset, int length) {
		this.output.stderr(buffer, offset, length);
	}

	@Override
	public String id() {
		return this.command.id();
	}

	@Override
	public OutputStream stdin() {
		return this.process.getOutputStream();
	}

	@Override
	public void signal(Signal signal) {
		this.started.thenRun(() -> {
			ProcessIdentity namespace = this.init;
			if (namespace == null || this.said.get() != null) {
				return;
			}
			HostProcess.program(namespace.pid()).ifPresent((target) -> deliver(signal, target));
		});
	}

	private void deliver(Signal signal, ProcessHandle target) {
		switch (signal) {
			case TERM -> target.destroy();
			case KILL -> target.destroyForcibly();
			// The JDK has no other signal; the shell's own 'kill' has.
			case INT -> this.context.launcher()
				.start(List.of("/bin/sh", "-c", "kill -s \"$0\" \"$1\" 2>/dev/null", "INT",
						Long.toString(target.pid())));
		}
	}

	@Override
	public void kill() {
		// Set before the init is looked for: whichever of this and 'child' comes second
		// sees
		// the other.
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

	private void onProcessExit() {
		CompletableFuture<Void> drained = CompletableFuture.allOf(this.stdoutDrained, this.stderrDrained);
		this.teardown.prove(drained, () -> this.init).thenAccept(this::finish);
	}

	private void finish(boolean proven) {
		Exit how = this.said.get();
		if (how == null) {
			how = this.ready.isDone()
					? new Exit(Exit.Kind.KILLED, 9, "The sandbox was killed before the program ended.", proven)
					: new Exit(Exit.Kind.SANDBOX_FAILED, 0, setupFailure(), proven);
		}
		this.exit.complete(new Exit(how.kind(), how.value(), how.reason(), proven));
	}

	private String setupFailure() {
		String known = this.setupFailure;
		return known.isEmpty() ? this.report.setupText() : known;
	}

	@Override
	public CompletableFuture<Exit> exit() {
		return this.exit;
	}

	@Override
	public CompletableFuture<Void> settled() {
		return this.teardown.settled();
	}

	private interface Chunk {

		void take(byte[] buffer, int offset, int length);

	}

}
