package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Copies trees on two threads, which all copies of a state directory share: more gain
 * nothing, as the file system's journal is one. Thread-safe.
 */
final class TreeCopy implements AutoCloseable {

	private static final int THREADS = 2;

	private final @Nullable FileOwner owner;

	private final Sync sync;

	private final ThreadPoolExecutor executor;

	TreeCopy(@Nullable FileOwner owner, Sync sync) {
		this.owner = owner;
		this.sync = sync;
		AtomicInteger number = new AtomicInteger();
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> {
					Thread thread = new Thread(task, "sandbox-copy-" + number.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Copies a tree. Links are kept; files become 0644 or 0755, directories 0755, the new
	 * root 0700; everything gets the owner.
	 * @param template what to copy
	 * @param target what to make
	 * @throws SandboxException {@link ErrorCode#SANDBOX_STOPPED} if the calling thread is
	 * interrupted; nothing is being written any more then
	 * @throws IOException if something cannot be read or written
	 */
	void copy(TemplateIndex template, Path target) throws IOException {
		Directories.make(target, Directories.PRIVATE);
		TreeCopyJob job = new TreeCopyJob(this.executor, this.owner);
		job.start(template, target);
		await(job, template.root());
		this.sync.tree(target);
	}

	private static void await(TreeCopyJob job, Path source) throws IOException {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					job.result().get();
					break;
				}
				catch (InterruptedException ex) {
					// Whoever removes the half copy must not race with its threads.
					interrupted = true;
					job.cancel();
				}
			}
		}
		catch (ExecutionException ex) {
			throw new IOException("Copying '" + source + "' failed: " + ex.getCause(), ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		if (interrupted) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED,
					"The thread was interrupted while a workspace was copied. Nothing of it is left.");
		}
	}

	/**
	 * Ends the threads when the copies under way are done.
	 */
	@Override
	public void close() {
		this.executor.shutdown();
	}

}
