package io.sandbox4j.agentsandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.sandbox4j.ExecResult;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.Signal;
import org.springaicommunity.sandbox.SandboxException;

/**
 * A command of a sandbox as a process. It has no process id and no handle: the host's
 * processes are none of the guest's.
 */
final class GuestProcess extends Process {

	private final SandboxProcess process;

	private final CompletableFuture<ExecResult> exit;

	GuestProcess(SandboxProcess process) {
		this.process = process;
		this.exit = process.onExit();
	}

	@Override
	public OutputStream getOutputStream() {
		return this.process.stdin();
	}

	@Override
	public InputStream getInputStream() {
		return this.process.stdout();
	}

	@Override
	public InputStream getErrorStream() {
		return this.process.stderr();
	}

	@Override
	public int waitFor() throws InterruptedException {
		try {
			return this.exit.get().exitCode();
		}
		catch (ExecutionException ex) {
			throw failed(ex);
		}
	}

	@Override
	public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
		try {
			this.exit.get(timeout, unit);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw failed(ex);
		}
	}

	@Override
	public int exitValue() {
		if (isAlive()) {
			throw new IllegalThreadStateException("The process has not ended");
		}
		try {
			return this.exit.join().exitCode();
		}
		catch (CompletionException ex) {
			throw failed(ex);
		}
	}

	@Override
	public boolean isAlive() {
		return !this.exit.isDone();
	}

	@Override
	public void destroy() {
		this.process.signal(Signal.TERM);
	}

	@Override
	public boolean supportsNormalTermination() {
		return true;
	}

	@Override
	public Process destroyForcibly() {
		this.process.cancel("The process was destroyed.");
		return this;
	}

	// Whoever then asks for the exit value hears of a sandbox that could not be built.
	@Override
	public CompletableFuture<Process> onExit() {
		return this.exit.handle((result, failure) -> this);
	}

	private static SandboxException failed(Exception failure) {
		Throwable cause = failure.getCause();
		return Failures.translated((cause != null) ? cause : failure);
	}

}
