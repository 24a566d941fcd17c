package io.sandbox4j.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * What one thread does with a lease while the others wait.
 */
final class Transition {

	private final Thread owner = Thread.currentThread();

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	boolean isMine() {
		return this.owner == Thread.currentThread();
	}

	void succeed() {
		this.end.complete(null);
	}

	void fail(Throwable failure) {
		this.end.completeExceptionally(failure);
	}

	/**
	 * Waits for the end.
	 * @param patience until when
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if it takes longer, or the
	 * thread is interrupted, or it is the very thread that is waited for
	 */
	void await(Patience patience) {
		if (isMine()) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"A lease was asked for by what is done to it: its setup, a hook or a step of its end. "
							+ "Use what was handed over.");
		}
		try {
			if (patience.endless()) {
				this.end.get();
			}
			else {
				this.end.get(patience.left(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The call was interrupted while it waited for its lease. Call again if it is still wanted.", ex);
		}
		catch (TimeoutException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_BUSY,
					"The lease was still being made, stopped or ended when the time to wait was over.", ex);
		}
		catch (ExecutionException ex) {
			throw failure(ex.getCause());
		}
	}

	private static RuntimeException failure(@Nullable Throwable cause) {
		if (cause instanceof SandboxException failure) {
			return new SandboxException(failure.code(), String.valueOf(failure.getMessage()), failure);
		}
		if (cause instanceof Error error) {
			throw error;
		}
		return (cause instanceof RuntimeException failure) ? failure : new IllegalStateException(cause);
	}

	/**
	 * Waits for the end, whatever it is.
	 * @return {@code false} if the thread was interrupted, which it stays
	 */
	boolean awaitEnd() {
		try {
			this.end.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException ex) {
			// It is told to those who asked for it.
		}
		return true;
	}

}
