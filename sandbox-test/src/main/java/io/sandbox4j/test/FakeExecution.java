package io.sandbox4j.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.sandbox4j.OutputSink;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.SandboxException;
import io.sandbox4j.Signal;
import org.jspecify.annotations.Nullable;

/**
 * A program's thread. What ends it first, its own return, a signal or a kill, decides how
 * it ended; it is gone when the thread is.
 */
final class FakeExecution implements Execution {

	private final String id = UUID.randomUUID().toString();

	private final OutputSink sink;

	private final ScheduledExecutorService timer;

	private final Duration cleanupTimeout;

	private final Pipe stdin = new Pipe();

	private final AtomicReference<@Nullable Exit> end = new AtomicReference<>();

	private final CompletableFuture<Exit> exit = new CompletableFuture<>();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private volatile @Nullable Consumer<Signal> handler;

	private volatile @Nullable Thread thread;

	FakeExecution(OutputSink sink, ScheduledExecutorService timer, Duration cleanupTimeout) {
		this.sink = sink;
		this.timer = timer;
		this.cleanupTimeout = cleanupTimeout;
	}

	void start(FakeProgram program, FakeInvocation invocation) {
		Thread started = new Thread(() -> run(program, invocation), "sandbox-fake-" + invocation.executable());
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	void fail(String reason) {
		finish(new Exit(Exit.Kind.LAUNCH_FAILED, 127, reason, true));
	}

	private void run(FakeProgram program, FakeInvocation invocation) {
		int code = 1;
		try {
			code = program.run(invocation) & 0xff;
		}
		catch (Throwable ex) {
			report(ex);
		}
		finally {
			finish(new Exit(Exit.Kind.EXITED, code, "", true));
		}
	}

	private void report(Throwable failure) {
		if (isEnded()) {
			return;
		}
		StringWriter text = new StringWriter();
		if (failure instanceof SandboxException expected) {
			text.append(expected.getMessage()).append('\n');
		}
		else {
			failure.printStackTrace(new PrintWriter(text));
		}
		byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
		this.sink.stderr(bytes, 0, bytes.length);
	}

	private void finish(Exit own) {
		this.end.compareAndSet(null, own);
		// Listeners run on this thread, and the interrupt was not theirs.
		Thread.interrupted();
		this.stdin.breakOff();
		this.settled.complete(null);
		this.exit.complete(Objects.requireNonNull(this.end.get()));
	}

	@Override
	public void kill() {
		die(new Exit(Exit.Kind.KILLED, 9, "The program was killed.", true));
		if (!this.exit.isDone()) {
			this.timer.schedule(this::giveUp, this.cleanupTimeout.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private void giveUp() {
		Exit how = Objects.requireNonNull(this.end.get());
		this.exit.complete(new Exit(how.kind(), how.value(), how.reason(), false));
	}

	void die(Signal signal) {
		int number = switch (signal) {
			case TERM -> 15;
			case INT -> 2;
			case KILL -> 9;
		};
		die(new Exit(Exit.Kind.SIGNALLED, number, "Signal " + number + " ended the program.", true));
	}

	private void die(Exit how) {
		if (this.end.compareAndSet(null, how)) {
			this.stdin.breakOff();
			Thread running = this.thread;
			if (running != null) {
				running.interrupt();
			}
		}
	}

	@Override
	public void signal(Signal signal) {
		Consumer<Signal> caught = this.handler;
		if (caught == null || signal == Signal.KILL) {
			die(signal);
		}
		else if (!isEnded()) {
			caught.accept(signal);
		}
	}

	void catchSignals(Consumer<Signal> caught) {
		this.handler = caught;
	}

	boolean isEnded() {
		return this.end.get() != null;
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public OutputStream stdin() {
		return this.stdin.writer();
	}

	InputStream input() {
		return this.stdin.reader();
	}

	OutputStream output() {
		return new Output(this.sink::stdout);
	}

	OutputStream error() {
		return new Output(this.sink::stderr);
	}

	@Override
	public CompletableFuture<Exit> exit() {
		return this.exit;
	}

	@Override
	public CompletableFuture<Void> settled() {
		return this.settled;
	}

	private interface Target {

		void write(byte[] bytes, int offset, int length);

	}

	private final class Output extends OutputStream {

		private final Target target;

		Output(Target target) {
			this.target = target;
		}

		@Override
		public void write(int value) throws IOException {
			write(new byte[] { (byte) value }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			if (isEnded()) {
				throw new InterruptedIOException("The program was killed");
			}
			this.target.write(bytes, offset, length);
		}

	}

}
