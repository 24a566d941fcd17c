package io.sandbox4j.bubblewrap;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Starts every process of a backend from one platform thread that lives as long as the
 * backend. The parent-death signal of {@code prctl(2)} follows the <em>thread</em> that
 * started a process: from a request or pool thread that ends, the kernel would kill the
 * sandbox.
 */
final class Launcher implements AutoCloseable {

	private final List<String> before = IgnoredSignals.restoring();

	private final ExecutorService thread = Executors.newSingleThreadExecutor((task) -> {
		Thread created = new Thread(task, "sandbox-launcher");
		created.setDaemon(true);
		return created;
	});

	/**
	 * Starts a process with an empty environment, in the root directory, with three
	 * pipes.
	 * @param command the program and its arguments: constants and paths, never a secret
	 * @return the process
	 */
	Process start(List<String> command) {
		Future<Process> started;
		try {
			started = this.thread.submit(() -> {
				ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(this.before)).directory(new File("/"));
				builder.command().addAll(command);
				// The launcher's own environment can be read inside, as /proc/1/environ.
				builder.environment().clear();
				return builder.start();
			});
		}
		catch (RejectedExecutionException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The sandbox backend is closed.");
		}
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return started.get();
				}
				catch (InterruptedException ex) {
					// The process exists or will: whoever asked must get it, to end it.
					interrupted = true;
				}
				catch (ExecutionException ex) {
					Throwable cause = (ex.getCause() instanceof IOException io) ? io : ex;
					throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
							"The launcher of the sandbox could not be started: " + cause.getMessage() + ".", cause);
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
	 * Ends the thread. Whatever it started must be gone before.
	 */
	@Override
	public void close() {
		this.thread.shutdown();
	}

}
