package io.sandbox4j.agentsandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.OutputOverflow;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.WorkspacePath;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;
import org.springaicommunity.sandbox.TimeoutException;

/**
 * A session as a {@link Sandbox} of Spring AI Community's Agent Sandbox. It owns the
 * handle that it is given. Thread-safe.
 * <p>
 * <b>Closing.</b> As for the other sandboxes of that project, closing removes the session
 * with its workspace; {@link Builder#keepOnClose()} only stops it, so that somebody can
 * attach to it later. A directory that is itself the workspace stays in either case.
 * <p>
 * <b>Commands.</b> A non-zero exit code and a signal are results. A command that was
 * ended or could not be started is an {@link UnfinishedCommandException}, which keeps its
 * output: a deadline has a {@link TimeoutException} as its cause, an interrupt an
 * {@link InterruptedException}, with the interrupt flag set, and the rest an
 * {@link io.sandbox4j.SandboxException}, whose code says what it was. What was never
 * begun is any other {@link SandboxException} with such a cause. After closing, commands
 * are refused with an {@link IllegalStateException}, as by the other sandboxes.
 * <p>
 * <b>Files.</b> Paths are {@linkplain WorkspacePath workspace paths}; {@code ./} before
 * and slashes after them are ignored. No call follows a link or leaves the workspace. The
 * limits of {@link io.sandbox4j.SandboxFiles} hold.
 *
 * @since 0.1.0
 */
public final class SessionSandbox implements Sandbox {

	// How ExecSpec.Builder.shellCommand marks what a shell shall read.
	private static final String SHELL_MARKER = "__SHELL_COMMAND__";

	private static final Duration LONGEST_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);

	private final SandboxHandle handle;

	private final boolean deleteOnClose;

	private final Duration defaultTimeout;

	private final long maxOutputBytes;

	private final SandboxFiles files;

	private volatile boolean closed;

	private SessionSandbox(Builder builder) {
		this.handle = builder.handle;
		this.deleteOnClose = builder.deleteOnClose;
		this.defaultTimeout = builder.defaultTimeout;
		this.maxOutputBytes = builder.maxOutputBytes;
		this.files = new SessionSandboxFiles(this, this.handle.session().files());
	}

	/**
	 * Makes a sandbox of a session, which is deleted when the sandbox is closed.
	 * @param handle the session's handle, owned by the sandbox from now on
	 * @return the sandbox
	 */
	public static SessionSandbox of(SandboxHandle handle) {
		return builder(handle).build();
	}

	/**
	 * Starts with a session.
	 * @param handle the session's handle, owned by the sandbox that is built
	 * @return the builder
	 */
	public static Builder builder(SandboxHandle handle) {
		return new Builder(handle);
	}

	/**
	 * Runs a command to its end. Its deadline counts from its admission, and is the
	 * default one if the command names none.
	 * @param spec the command
	 * @return what it did; output that is not UTF-8 has U+FFFD in its place
	 * @throws UnfinishedCommandException if it did not run to its end
	 * @throws SandboxException if it was refused, or no sandbox could be built for it
	 * @throws IllegalStateException after closing
	 */
	@Override
	public ExecResult exec(ExecSpec spec) {
		ensureOpen();
		return Failures.translated(() -> {
			io.sandbox4j.ExecSpec command = command(spec, this.defaultTimeout).withMaxOutput(this.maxOutputBytes,
					OutputOverflow.STOP);
			return result(this.handle.session().run(command), command.timeout());
		});
	}

	/**
	 * Starts a command and hands its streams to the caller. Without a timeout it may run
	 * for 2<sup>31</sup>-1 milliseconds, about 24 days; beyond its timeout it is killed.
	 * Its output is not limited, but waits until somebody reads it.
	 * <p>
	 * {@link Process#destroy()} asks the program alone to end,
	 * {@link Process#destroyForcibly()} kills it with all of its children. What the host
	 * killed has the exit code 137, and a program that does not exist 127.
	 * @param spec the command
	 * @return the process, without a process id and a handle
	 * @throws SandboxException if the command is refused, or no sandbox could be built
	 * for it
	 * @throws IllegalStateException after closing
	 */
	@Override
	public Process startInteractive(ExecSpec spec) {
		ensureOpen();
		return Failures.translated(() -> new GuestProcess(this.handle.session().start(command(spec, LONGEST_TIMEOUT))));
	}

	/**
	 * Returns the directory that commands start in, as the guest sees it. The host has
	 * another path for it, or none.
	 * @return {@code /workspace}
	 */
	@Override
	public Path workDir() {
		return Path.of(WorkspacePath.ROOT);
	}

	/**
	 * Whether this sandbox was closed, also if closing failed. Does not tell whether the
	 * session was stopped by other means.
	 * @return {@code true} after {@link #close()}
	 */
	@Override
	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * Kills every command, waits until their processes are gone, and deletes the session,
	 * or only stops it if it is to be kept. May be repeated.
	 * @throws SandboxException if processes could not be proven gone, or the session has
	 * a new owner; another call tries again
	 */
	@Override
	public void close() {
		this.closed = true;
		Failures.translated((this.deleteOnClose) ? this.handle::delete : this.handle::stop);
	}

	@Override
	public SandboxFiles files() {
		return this.files;
	}

	/**
	 * Whether closing deletes the session.
	 * @return {@code false} if it is to be kept
	 */
	@Override
	public boolean shouldCleanupOnClose() {
		return this.deleteOnClose;
	}

	@Override
	public String toString() {
		return "SessionSandbox[session=" + this.handle.session().id() + ", deleteOnClose=" + this.deleteOnClose
				+ ", closed=" + this.closed + "]";
	}

	private void ensureOpen() {
		if (this.closed) {
			throw new IllegalStateException("The sandbox is closed");
		}
	}

	private static io.sandbox4j.ExecSpec command(ExecSpec spec, Duration defaultTimeout) {
		List<String> command = spec.command();
		if (command.size() >= 2 && command.get(0).equals(SHELL_MARKER)) {
			command = List.of("bash", "-c", command.get(1));
		}
		// Null unless the caller set one.
		Duration timeout = spec.timeout();
		return io.sandbox4j.ExecSpec.of(command.get(0), command.subList(1, command.size()))
			.withEnvironment(spec.env())
			.withTimeout((timeout != null) ? timeout : defaultTimeout);
	}

	private static ExecResult result(io.sandbox4j.ExecResult result, Duration timeout) {
		try {
			result.orThrow();
		}
		catch (io.sandbox4j.SandboxException ex) {
			throw new UnfinishedCommandException(result, cause(result, timeout, ex));
		}
		return new ExecResult(result.exitCode(), result.stdoutText(), result.stderrText(), result.duration());
	}

	private static Throwable cause(io.sandbox4j.ExecResult result, Duration timeout, io.sandbox4j.SandboxException ex) {
		return switch (result.status()) {
			case TIMED_OUT -> new TimeoutException(result.reason(), timeout, ex);
			case CANCELLED -> new InterruptedException(result.reason()).initCause(ex);
			case EXITED, SIGNALLED, OUTPUT_LIMIT, RESOURCE_LIMIT, STOPPED, LAUNCH_FAILED -> ex;
		};
	}

	/**
	 * Builds a sandbox. Not thread-safe.
	 */
	public static final class Builder {

		private final SandboxHandle handle;

		private boolean deleteOnClose = true;

		private Duration defaultTimeout = io.sandbox4j.ExecSpec.DEFAULT_TIMEOUT;

		private long maxOutputBytes = io.sandbox4j.ExecSpec.DEFAULT_MAX_OUTPUT_BYTES;

		private Builder(SandboxHandle handle) {
			this.handle = Objects.requireNonNull(handle, "'handle' must not be null");
		}

		/**
		 * Keeps the session and its workspace when the sandbox is closed.
		 * @return this builder
		 */
		public Builder keepOnClose() {
			this.deleteOnClose = false;
			return this;
		}

		/**
		 * Sets the deadline of commands that name none.
		 * @param timeout more than zero, at most 2<sup>31</sup>-1 milliseconds; 30
		 * seconds unless set
		 * @return this builder
		 */
		public Builder defaultTimeout(Duration timeout) {
			this.defaultTimeout = Objects.requireNonNull(timeout, "'timeout' must not be null");
			return this;
		}

		/**
		 * Sets how much a command may print, both streams together, before it is killed.
		 * @param bytes more than zero, less than 2 GiB; 1 MiB unless set
		 * @return this builder
		 */
		public Builder maxOutputBytes(long bytes) {
			this.maxOutputBytes = bytes;
			return this;
		}

		/**
		 * Builds the sandbox.
		 * @return the sandbox
		 * @throws SandboxException if a bound is out of its range; the handle is not
		 * owned then
		 */
		public SessionSandbox build() {
			// Refused here and not by the first command.
			Failures.translated(() -> io.sandbox4j.ExecSpec.of("true")
				.withTimeout(this.defaultTimeout)
				.withMaxOutput(this.maxOutputBytes, OutputOverflow.STOP));
			return new SessionSandbox(this);
		}

	}

}
