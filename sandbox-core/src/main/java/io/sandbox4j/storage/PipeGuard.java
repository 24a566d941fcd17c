package io.sandbox4j.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what the guest may turn into a named pipe meanwhile. Opening one to read waits
 * for a writer: for ever if the guest wishes, and neither an interrupt nor a close ends
 * it.
 * <p>
 * The JDK cannot open without waiting, and a look at the type leaves a gap before the
 * opening. What never waits has a price: to open for reading and writing makes a program
 * that is being started "busy", tells file watchers of a write and needs the permission
 * to write; a hard link beyond the guest's reach alters the file's change time, which
 * Git's index compares. So an opening runs on another thread, and its caller waits for a
 * bounded time, in which it frees that thread by opening the pipe's other end.
 * <p>
 * That fails if the guest took the pipe's name away. The thread is then given up, and
 * while there is such a thread, files of this workspace are opened for reading and
 * writing after all and nothing else is opened by name. A guest can thus cost the host a
 * fixed number of idle threads, and itself the comfort.
 */
final class PipeGuard {

	private static final Logger logger = LoggerFactory.getLogger(PipeGuard.class);

	private static final int MAX_OPENINGS = 4;

	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final ExecutorService THREADS = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "sandbox-file-open");
				thread.setDaemon(true);
				return thread;
			});

	private final Duration patience;

	private final Semaphore openings = new Semaphore(MAX_OPENINGS, true);

	private final AtomicInteger givenUp = new AtomicInteger();

	PipeGuard() {
		this(PATIENCE);
	}

	PipeGuard(Duration patience) {
		this.patience = patience;
	}

	/**
	 * Opens a regular file.
	 * @param directory the file's directory, closed by this call or after it
	 * @param name the file
	 * @return the channel, to read only
	 * @throws IOException if it cannot be opened
	 */
	FileChannel openFile(OpenDirectory directory, Path name) throws IOException {
		if (isWary()) {
			try (directory) {
				return directory.file(name, OpenDirectory.NEVER_WAITING);
			}
		}
		return open(directory, name, (held) -> held.file(name, OpenDirectory.TO_READ));
	}

	private <T> T open(OpenDirectory directory, Path name, Opening<T> opening) throws IOException {
		CompletableFuture<T> result = new CompletableFuture<>();
		boolean acquired = false;
		boolean started = false;
		try {
			if (isWary() || !this.openings.tryAcquire(this.patience.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new UnsettledException("An earlier call still waits for a named pipe");
			}
			acquired = true;
			THREADS.execute(() -> run(directory, opening, result));
			started = true;
			return await(result, directory, name);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted");
		}
		finally {
			if (!started) {
				this.openings.release(acquired ? 1 : 0);
				directory.close();
			}
		}
	}

	/**
	 * Opens a regular file on the calling thread, while another looks after it.
	 * @param directory the file's directory, which stays open
	 * @param name the file
	 * @param lookout where the other thread looks
	 * @return the channel, to read only
	 * @throws IOException if it cannot be opened
	 */
	FileChannel openWatched(OpenDirectory directory, Path name, Lookout lookout) throws IOException {
		if (isWary()) {
			return directory.file(name, OpenDirectory.NEVER_WAITING);
		}
		return openWatched(directory, name, lookout, () -> directory.file(name, OpenDirectory.TO_READ));
	}

	FileChannel openWatched(OpenDirectory directory, Path name, Lookout lookout, FileOpening action)
			throws IOException {
		try {
			if (!this.openings.tryAcquire(this.patience.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new UnsettledException("An earlier call still waits for a named pipe");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted");
		}
		WatchedOpening opening = new WatchedOpening(directory, name, System.nanoTime());
		lookout.opening.set(opening);
		FileChannel channel = null;
		boolean awaited = false;
		try {
			channel = action.open();
		}
		finally {
			this.openings.release();
			awaited = lookout.opening.compareAndSet(opening, null);
			if (!awaited) {
				lookout.givenUp = true;
				this.givenUp.decrementAndGet();
			}
		}
		if (!awaited) {
			closeQuietly(channel);
			throw new UnsettledException("Waited for a named pipe");
		}
		return channel;
	}

	/**
	 * Frees the thread that opens a file, if a named pipe holds it up, or gives it up
	 * when that does not help.
	 * @param lookout what that thread does
	 * @return {@code false} if the thread was given up: it does nothing more for whoever
	 * waits for it
	 */
	boolean lookAfter(Lookout lookout) {
		WatchedOpening opening = lookout.opening.get();
		if (opening == null || lookout.givenUp) {
			return !lookout.givenUp;
		}
		long waited = System.nanoTime() - opening.since();
		if (waited > this.patience.toNanos() && lookout.opening.compareAndSet(opening, null)) {
			lookout.givenUp = true;
			this.givenUp.incrementAndGet();
			return false;
		}
		if (waited > FIRST_LOOK_NANOS) {
			openOtherEnd(opening.directory(), opening.name());
		}
		return true;
	}

	/**
	 * Runs a task on a thread that a named pipe may hold up.
	 * @param task the task
	 */
	static void execute(Runnable task) {
		THREADS.execute(task);
	}

	/**
	 * Changes an entry's owner or permissions.
	 * @param directory the entry's directory, closed by this call or after it
	 * @param name the entry
	 * @param adjustment the change
	 * @throws IOException if it cannot be changed
	 */
	void adjust(OpenDirectory directory, Path name, Adjustment adjustment) throws IOException {
		open(directory, name, (held) -> {
			adjustment.on(held.view(name));
			return Boolean.TRUE;
		});
	}

	/**
	 * Whether a thread was given up and has not come back.
	 * @return {@code true} while openings must not wait
	 */
	boolean isWary() {
		return this.givenUp.get() > 0;
	}

	private <T> void run(OpenDirectory directory, Opening<T> opening, CompletableFuture<T> result) {
		T value;
		try (directory) {
			value = opening.in(directory);
		}
		catch (Throwable ex) {
			settle(result.completeExceptionally(ex));
			return;
		}
		if (!settle(result.complete(value)) && value instanceof Closeable closeable) {
			closeQuietly(closeable);
		}
	}

	private boolean settle(boolean awaited) {
		this.openings.release();
		if (!awaited) {
			this.givenUp.decrementAndGet();
		}
		return awaited;
	}

	private <T> T await(CompletableFuture<T> result, OpenDirectory directory, Path name)
			throws IOException, InterruptedException {
		long end = System.nanoTime() + this.patience.toNanos();
		try {
			for (long wait = FIRST_LOOK_NANOS; System.nanoTime() - end < 0; wait = Math.min(2 * wait,
					LONGEST_LOOK_NANOS)) {
				try {
					return result.get(wait, TimeUnit.NANOSECONDS);
				}
				catch (TimeoutException ex) {
					openOtherEnd(directory, name);
				}
			}
			giveUp(result);
			return result.get();
		}
		catch (InterruptedException ex) {
			giveUp(result);
			throw ex;
		}
		catch (ExecutionException ex) {
			Throwable failure = ex.getCause();
			if (failure instanceof IOException io) {
				throw io;
			}
			if (failure instanceof Error error) {
				throw error;
			}
			throw (failure instanceof RuntimeException runtime) ? runtime : new IllegalStateException(failure);
		}
	}

	private void giveUp(CompletableFuture<?> result) {
		this.givenUp.incrementAndGet();
		if (!result.completeExceptionally(new UnsettledException("Waited for a named pipe"))) {
			this.givenUp.decrementAndGet();
		}
	}

	private void openOtherEnd(OpenDirectory directory, Path name) {
		try {
			directory.openOtherEnd(name);
		}
		catch (IOException | ClosedDirectoryStreamException ex) {
			// It is gone, or the opening has just ended: the caller looks again.
			logger.trace("No pipe to open", ex);
		}
	}

	private static void closeQuietly(Closeable closeable) {
		try {
			closeable.close();
		}
		catch (IOException ex) {
			logger.debug("Could not close what nobody waits for", ex);
		}
	}

	/**
	 * A call that may block while it opens.
	 */
	private interface Opening<T> {

		T in(OpenDirectory directory) throws IOException;

	}

	/**
	 * A change through the view of an entry, which opens the entry.
	 */
	interface Adjustment {

		void on(PosixFileAttributeView view) throws IOException;

	}

	/**
	 * The opening of a file.
	 */
	interface FileOpening {

		FileChannel open() throws IOException;

	}

	/**
	 * What a thread opens at the moment, for the thread that looks after it.
	 */
	static final class Lookout {

		private final AtomicReference<@Nullable WatchedOpening> opening = new AtomicReference<>();

		private volatile boolean givenUp;

		boolean isGivenUp() {
			return this.givenUp;
		}

	}

	/**
	 * An opening of a file.
	 *
	 * @param directory the file's directory
	 * @param name the file
	 * @param since when it began, as of {@link System#nanoTime()}
	 */
	private record WatchedOpening(OpenDirectory directory, Path name, long since) {

	}

}
