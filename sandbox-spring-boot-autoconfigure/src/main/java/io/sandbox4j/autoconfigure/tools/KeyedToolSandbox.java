package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.tools.CodingTools;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of one key and who uses it. The first of its users makes it, on its own
 * thread, and the others wait. Thread-safe.
 * <p>
 * States: in use or idle, then ended. Nothing leads back from ended: the key gets another
 * one.
 */
final class KeyedToolSandbox {

	private final FutureTask<Made> creation;

	private int users;

	private boolean ended;

	private long idleSince = System.nanoTime();

	KeyedToolSandbox(Supplier<Made> maker) {
		this.creation = new FutureTask<>(maker::get);
	}

	synchronized boolean enter() {
		if (this.ended) {
			return false;
		}
		this.users++;
		return true;
	}

	synchronized void leave() {
		this.users--;
		this.idleSince = System.nanoTime();
		notifyAll();
	}

	// Whoever gets true deletes it.
	synchronized boolean end() {
		boolean first = !this.ended;
		this.ended = true;
		return first;
	}

	synchronized boolean endIfIdle(Duration timeout) {
		return this.users == 0 && System.nanoTime() - this.idleSince >= timeout.toNanos() && !runsCommands() && end();
	}

	private boolean runsCommands() {
		Made made = made();
		return made != null && made.handle().session().admission().active() > 0;
	}

	CodingTools tools() {
		this.creation.run();
		try {
			return this.creation.get().tools();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The call was interrupted while it waited for its sandbox. Call again if it is still wanted.", ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException("The sandbox could not be made.", ex.getCause());
		}
	}

	/**
	 * Deletes the sandbox. One that is being made is waited for.
	 * @param patience how long to wait at most
	 * @throws SandboxException if it is still being made or cannot be deleted; then this
	 * can be tried again
	 */
	void delete(Duration patience) {
		awaitCreation(patience);
		Made made = made();
		if (made != null) {
			made.handle().delete();
		}
	}

	private synchronized void awaitCreation(Duration patience) {
		long deadline = System.nanoTime() + patience.toNanos();
		boolean interrupted = false;
		while (this.users > 0 && !this.creation.isDone() && System.nanoTime() < deadline && !interrupted) {
			try {
				wait(20);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (this.users > 0 && !this.creation.isDone()) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY, "The sandbox is still being made.");
		}
	}

	boolean failed() {
		return this.creation.isDone() && made() == null;
	}

	private @Nullable Made made() {
		if (!this.creation.isDone()) {
			return null;
		}
		boolean interrupted = Thread.interrupted();
		try {
			return this.creation.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			return null;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * A sandbox and the tools over it.
	 *
	 * @param handle the sandbox
	 * @param tools the tools
	 */
	record Made(SandboxHandle handle, CodingTools tools) {

	}

}
