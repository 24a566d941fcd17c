package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
 * A sandbox's one command. States, in order: handed over, running, ended (the shell said
 * how, and what the program printed was delivered), gone (no process is left).
 * <p>
 * The command line is written only once the namespace's init stands in the session's
 * record of live sandboxes, so whoever takes the session over after a crash finds it.
 */
final class Guest implements SandboxDriver.Execution, CommandReport.Listener {

	private static final Logger logger = LoggerFactory.getLogger(Guest.class);

	private static final int SIGKILL = 9;

	private static final int SIGXCPU = 24;

	private static final int SIGXFSZ = 25;

	private static final int SIGINT = 2;

	private static final int SIGPIPE = 13;

	private static final Duration LINGER = Duration.ofMillis(250);

	private final GuestProcess sandbox;

	private final GuestCommand command;

	private final OutputSink output;

	private final GuestContext context;

	private final CompletableFuture<Void> started = new CompletableFuture<>();

	private final CompletableFuture<Void> stdoutDrained = new CompletableFuture<>();

	private final CompletableFuture<Void> stderrDrained = new CompletableFuture<>();

	private final CompletableFuture<Exit> ended = new CompletableFuture<>();

	private final CompletableFuture<Exit> exit = new CompletableFuture<>();

	private final AtomicReference<@Nullable Exit> said = new AtomicReference<>();

	private boolean warm;

	// Of the two streams, those that the program's own output ended on.
	private final AtomicBoolean halfEnded = new AtomicBoolean();

	private Guest(GuestProcess sandbox, GuestCommand command, OutputSink output, GuestContext context) {
		this.sandbox = sandbox;
		this.command = command;
		this.output = output;
		this.context = context;
	}

	/**
	 * Builds a sandbox and hands it its command.
	 * @param launch the launcher's command line
	 * @param command the command
	 * @param output where the output goes
	 * @param context the session's part
	 * @return the guest, running, or with an exit that says why it could not be built
	 */
	static Guest launch(List<String> launch, GuestCommand command, OutputSink output, GuestContext context) {
		GuestProcess sandbox = GuestProcess.start(launch, context);
		Guest guest = new Guest(sandbox, command, output, context);
		guest.run(sandbox.occupy(guest.drained()));
		if (!sandbox.awaitBuilt() && sandbox.gone().isDone()) {
			// Whoever asks at once is told at once that nothing ran.
			guest.ended.join();
		}
		return guest;
	}

	/**
	 * Hands a command to a sandbox that is built already.
	 * @param sandbox the sandbox, never handed a command before
	 * @param command the command
	 * @param output where the output goes
	 * @param context the session's part
	 * @return the guest, running, or {@code null} if the sandbox is gone: then nothing of
	 * the command ran
	 */
	static @Nullable Guest warm(GuestProcess sandbox, GuestCommand command, OutputSink output, GuestContext context) {
		Guest guest = new Guest(sandbox, command, output, context);
		guest.warm = true;
		if (!sandbox.occupy(guest.drained())) {
			return null;
		}
		guest.run(true);
		return guest;
	}

	private CompletableFuture<Void> drained() {
		return CompletableFuture.allOf(this.stdoutDrained, this.stderrDrained);
	}

	private void run(boolean occupied) {
		this.sandbox.gone().thenAccept(this::finish);
		if (!occupied) {
			// It ended before anybody could take it: nobody reads, and nothing was said.
			return;
		}
		this.sandbox.recorded().thenAccept(this::handOver);
		this.sandbox.setUp().thenRun(() -> {
			this.context.executor().execute(this::pumpStdout);
			this.context.executor().execute(this::pumpStderr);
		});
	}

	private void handOver(ProcessIdentity init) {
		this.context.handed().accept(this.command.id(), init.pid());
		try {
			OutputStream stdin = this.sandbox.stdin();
			stdin.write(this.command.line());
			stdin.flush();
		}
		catch (IOException ex) {
			logger.debug("The sandbox ended before it took its command", ex);
		}
	}

	/**
	 * Returns the namespace's init as the host sees it.
	 * @return the process, once the guest is running
	 */
	@Nullable ProcessIdentity init() {
		return this.sandbox.init();
	}

	String networkNamespace() {
		return this.sandbox.networkNamespace();
	}

	private void pumpStdout() {
		MarkedOutput marked = new MarkedOutput(this.command.mark(), new MarkedOutput.Listener() {

			@Override
			public void output(byte[] buffer, int offset, int length) {
				Guest.this.output.stdout(buffer, offset, length);
			}

			@Override
			public void ended() {
				streamEnded();
			}

		});
		try {
			copy(this.sandbox.stdout(), marked::feed);
			deliver(marked::finish);
		}
		finally {
			this.stdoutDrained.complete(null);
		}
	}

	private void pumpStderr() {
		CommandReport report = new CommandReport(this.command.mark(), this);
		try {
			byte[] early = this.sandbox.earlyErrors();
			deliver(() -> report.feed(early, 0, early.length));
			copy(this.sandbox.stderr(), report::feed);
			deliver(report::finish);
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
			undelivered(ex);
		}
	}

	private void deliver(Runnable delivery) {
		try {
			delivery.run();
		}
		catch (RuntimeException ex) {
			undelivered(ex);
		}
	}

	// A sink that fails must not leave a sandbox behind that waits for a reader.
	private void undelivered(RuntimeException failure) {
		logger.warn("Output of a sandbox could not be delivered", failure);
		kill();
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
		streamEnded();
	}

	private void streamEnded() {
		if (!this.halfEnded.compareAndSet(false, true)) {
			Exit how = this.said.get();
			// Not on the thread that reads: what follows is the caller's, and may wait
			// for the end of the sandbox, which waits for the reader.
			this.context.executor().execute(() -> this.ended.complete(how));
		}
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
	public boolean isWarm() {
		return this.warm;
	}

	@Override
	public OutputStream stdin() {
		return this.sandbox.stdin();
	}

	@Override
	public void signal(Signal signal) {
		this.started.thenRun(() -> {
			ProcessIdentity namespace = this.sandbox.init();
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
		this.sandbox.kill();
	}

	private void finish(boolean proven) {
		Exit how = this.said.get();
		if (how == null) {
			how = this.sandbox.isBuilt()
					? new Exit(Exit.Kind.KILLED, SIGKILL, "The sandbox was killed before the program ended.", proven)
					: new Exit(Exit.Kind.SANDBOX_FAILED, 0, this.sandbox.failure(), proven);
		}
		Exit last = new Exit(how.kind(), how.value(), how.reason(), proven);
		this.exit.complete(last);
		this.ended.complete(last);
	}

	@Override
	public CompletableFuture<Exit> ended() {
		return this.ended;
	}

	@Override
	public CompletableFuture<Exit> exit() {
		return this.exit;
	}

	@Override
	public CompletableFuture<Void> settled() {
		return this.sandbox.settled();
	}

	private interface Chunk {

		void take(byte[] buffer, int offset, int length);

	}

}
