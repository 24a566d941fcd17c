package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes directories by renaming them, which takes no time whatever is in them, and
 * empties them later on a thread of its own.
 * <p>
 * Later, because on ext4 making many files soon after deleting many is several times
 * slower: the allocator walks the inodes that were just freed. Several processes may
 * share the directory: each empties what it threw away, and what it found when it
 * started.
 */
final class Trash implements AutoCloseable {

	static final Duration DEFAULT_DELAY = Duration.ofSeconds(20);

	private static final Logger logger = LoggerFactory.getLogger(Trash.class);

	private final Path directory;

	private final Duration delay;

	private final ScheduledThreadPoolExecutor executor;

	private volatile boolean closed;

	Trash(Path directory, Duration delay) {
		this.directory = directory;
		this.delay = delay;
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "sandbox-trash");
			thread.setDaemon(true);
			thread.setPriority(Thread.MIN_PRIORITY);
			return thread;
		});
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.executor.setKeepAliveTime(10, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Removes a directory or file from where it is, at once.
	 * @param path what to remove
	 * @return {@code false} if it did not exist
	 * @throws IOException if it cannot be moved
	 */
	boolean discard(Path path) throws IOException {
		Path entry = this.directory.resolve(RandomIds.next());
		try {
			Files.move(path, entry, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (NoSuchFileException ex) {
			return false;
		}
		emptyLater(entry);
		return true;
	}

	/**
	 * Takes over what others left in the trash.
	 * @return how much it was
	 * @throws IOException if the trash cannot be listed
	 */
	int collect() throws IOException {
		int found = 0;
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(this.directory)) {
			for (Path entry : entries) {
				emptyLater(entry);
				found++;
			}
		}
		return found;
	}

	private void emptyLater(Path entry) {
		if (this.closed) {
			return;
		}
		try {
			this.executor.schedule(() -> empty(entry), this.delay.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			// Closed meanwhile: the next start finds it.
		}
	}

	private void empty(Path entry) {
		try {
			new TrashedTree(this.directory, () -> this.closed).remove(entry.getFileName());
		}
		catch (NoSuchFileException ex) {
			// Another process emptied it.
		}
		catch (IOException | RuntimeException ex) {
			logger.warn("'{}' in the trash could not be emptied: {}", entry, ex.toString());
		}
	}

	/**
	 * Stops emptying. What is left is found at the next start.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.executor.shutdown();
		boolean interrupted = false;
		try {
			if (!this.executor.awaitTermination(2, TimeUnit.SECONDS)) {
				logger.warn("The trash is still being emptied");
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
