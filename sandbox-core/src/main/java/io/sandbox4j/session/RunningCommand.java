package io.sandbox4j.session;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.OutputOverflow;
import io.sandbox4j.SandboxDriver.Execution;
import io.sandbox4j.SandboxDriver.Exit;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.Signal;
import org.jspecify.annotations.Nullable;

/**
 * One admitted command from its start to its settlement. The first verdict of the host
 * (deadline, output limit, stop, cancel) kills it and names the result; without one the
 * program's own end does.
 */
final class RunningCommand implements SandboxProcess {

	private static final int KILLED_EXIT_CODE = 137;

	private static final int NOT_STARTED_EXIT_CODE = 127;

	private final ExecSpec command;

	private final CommandOutput output;

	private final long admittedNanos;

	private final AtomicReference<@Nullable Verdict> verdict = new AtomicReference<>();

	private final CompletableFuture<ExecResult> result = new CompletableFuture<>();

	private volatile @Nullable Execution execution;

	private volatile @Nullable CommandInput input;

	private volatile @Nullable ScheduledExecutorService timer;

	RunningCommand(ExecSpec command, boolean collect, long admittedNanos) {
		this.command = command;
		this.output = collect ? new CollectedOutput(command.maxOutputBytes(), this::onOverflow) : new StreamedOutput();
		this.admittedNanos = admittedNanos;
	}

	CommandOutput output() {
		return this.output;
	}

	/**
	 * Takes over the started execution.
	 * @param started the execution
	 * @param collect whether the input ends after the command's own bytes
	 * @param resources the backend's threads
	 * @param listener told how it ended, before the result is there
	 */
	void attach(Execution started, boolean collect, SessionResources resources, SessionListener listener) {
		this.execution = started;
		this.timer = resources.timer();
		CommandInput stdin = new CommandInput(started.stdin());
		this.input = stdin;
		long left = this.command.timeout().toNanos() - (System.nanoTime() - this.admittedNanos);
		ScheduledFuture<?> deadline;
		try {
			deadline = resources.timer().schedule(this::onDeadline, left, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			// A command without a deadline must not run on.
			started.kill();
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The sandbox backend is closed.", ex);
		}
		started.exit().whenComplete((exit, failure) -> listener.gone(known(exit, failure)));
		started.ended().whenComplete((exit, failure) -> {
			deadline.cancel(false);
			this.output.finish();
			CompletableFuture<Exit> gone = started.exit();
			if (gone.isDone()) {
				// A slot that is free is free before the caller hears.
				gone.whenComplete((last, lastFailure) -> listener.gone(known(last, lastFailure)));
			}
			else {
				listener.ended();
			}
			complete(known(exit, failure), listener);
		});
		// A verdict can have come between the first byte of output and this line.
		if (this.verdict.get() != null) {
			kill(started);
		}
		stdin.feed(this.command.stdin(), collect, resources.executor());
	}

	private static Exit known(@Nullable Exit exit, @Nullable Throwable failure) {
		return (exit != null) ? exit : new Exit(Exit.Kind.SANDBOX_FAILED, 0,
				(failure != null) ? String.valueOf(failure.getMessage()) : "", false);
	}

	private void complete(Exit exit, SessionListener listener) {
		Verdict given = this.verdict.get();
		if (exit.kind() == Exit.Kind.SANDBOX_FAILED && given == null) {
			SandboxException failure = new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The sandbox could not be built. " + exit.reason());
			listener.failed(failure);
			this.result.completeExceptionally(failure);
			return;
		}
		ExecResult end = result(exit, given);
		listener.finished(end);
		this.result.complete(end);
	}

	private ExecResult result(Exit exit, @Nullable Verdict given) {
		if (given != null && (given.status() == ExecStatus.OUTPUT_LIMIT || exit.kind() == Exit.Kind.KILLED
				|| exit.kind() == Exit.Kind.SANDBOX_FAILED)) {
			return result(given.status(), KILLED_EXIT_CODE, given.reason());
		}
		return switch (exit.kind()) {
			case EXITED -> result(ExecStatus.EXITED, exit.value(), "");
			case SIGNALLED -> result(ExecStatus.SIGNALLED, 128 + exit.value(), exit.reason());
			case RESOURCE_LIMIT -> result(ExecStatus.RESOURCE_LIMIT, 128 + exit.value(), exit.reason());
			case LAUNCH_FAILED -> result(ExecStatus.LAUNCH_FAILED, NOT_STARTED_EXIT_CODE, exit.reason());
			case KILLED, SANDBOX_FAILED -> result(ExecStatus.SIGNALLED, KILLED_EXIT_CODE, exit.reason());
		};
	}

	private ExecResult result(ExecStatus status, int exitCode, String reason) {
		return new ExecResult(status, exitCode, this.output.stdoutBytes(), this.output.stderrBytes(),
				this.output.omittedStdout(), this.output.omittedStderr(),
				Duration.ofNanos(System.nanoTime() - this.admittedNanos), reason);
	}

	private void onDeadline() {
		end(ExecStatus.TIMED_OUT, "The command did not end within " + this.command.timeout().toMillis() + " ms.");
	}

	private void onOverflow() {
		if (this.command.overflow() == OutputOverflow.STOP) {
			end(ExecStatus.OUTPUT_LIMIT, "The command printed more than " + this.command.maxOutputBytes() + " bytes.");
		}
	}

	/**
	 * Kills the command for a reason of the host's.
	 * @param status the result's status
	 * @param reason the result's reason
	 */
	void end(ExecStatus status, String reason) {
		this.verdict.compareAndSet(null, new Verdict(status, reason));
		Execution started = this.execution;
		if (started != null) {
			kill(started);
		}
	}

	private void kill(Execution started) {
		started.kill();
		this.output.release();
	}

	/**
	 * Returns why the sandbox could not be built, if that is known.
	 * @return the failure, or {@code null}
	 */
	@Nullable SandboxException failure() {
		if (!this.result.isCompletedExceptionally()) {
			return null;
		}
		Throwable failure = this.result.handle((done, thrown) -> thrown).join();
		return (failure instanceof SandboxException known) ? known : null;
	}

	@Override
	public String id() {
		return Objects.requireNonNull(this.execution, "not started").id();
	}

	@Override
	public OutputStream stdin() {
		return Objects.requireNonNull(this.input, "not started");
	}

	@Override
	public InputStream stdout() {
		return this.output.stdout();
	}

	@Override
	public InputStream stderr() {
		return this.output.stderr();
	}

	@Override
	public CompletableFuture<ExecResult> onExit() {
		return this.result.copy();
	}

	@Override
	public void signal(Signal signal) {
		Execution started = this.execution;
		if (started != null && !this.result.isDone()) {
			started.signal(signal);
		}
	}

	@Override
	public CompletableFuture<ExecResult> stop(Duration grace) {
		ScheduledExecutorService clock = this.timer;
		if (grace.isZero() || grace.isNegative() || clock == null) {
			return cancel("The process was stopped.");
		}
		signal(Signal.TERM);
		ScheduledFuture<?> kill = clock.schedule(
				() -> end(ExecStatus.CANCELLED,
						"The program did not end within the grace of " + grace.toMillis() + " ms."),
				grace.toNanos(), TimeUnit.NANOSECONDS);
		this.result.whenComplete((done, failure) -> kill.cancel(false));
		return onExit();
	}

	@Override
	public CompletableFuture<ExecResult> cancel(String reason) {
		if (!this.result.isDone()) {
			end(ExecStatus.CANCELLED, reason);
		}
		return onExit();
	}

	/**
	 * What the session does with the end of a command.
	 */
	interface SessionListener {

		/**
		 * It has an end, and processes that may not be gone.
		 */
		void ended();

		/**
		 * Its processes are gone, or not proven to be. May be told twice.
		 * @param exit how it ended
		 */
		void gone(Exit exit);

		/**
		 * It has a result.
		 * @param result the result
		 */
		void finished(ExecResult result);

		/**
		 * Its sandbox could not be built.
		 * @param failure why
		 */
		void failed(SandboxException failure);

	}

	private record Verdict(ExecStatus status, String reason) {

	}

}
