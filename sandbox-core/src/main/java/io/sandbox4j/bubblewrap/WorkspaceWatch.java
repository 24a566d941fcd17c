package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends commands that let the workspace grow beyond its limit. Without file system quotas
 * the only way to know is to look, so it looks from time to time while a command runs,
 * never on the caller's path, and rests much longer than a look takes. A workspace can be
 * larger than its limit between two looks. Sizes are logical: a sparse file counts in
 * full.
 */
final class WorkspaceWatch {

	private static final Logger logger = LoggerFactory.getLogger(WorkspaceWatch.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final int REST_FACTOR = 20;

	private final Path workspace;

	private final long limit;

	private final GuestContext context;

	/**
	 * Creates a watch.
	 * @param workspace the workspace
	 * @param limit its bytes, 0 for no limit
	 * @param context the session's threads
	 */
	WorkspaceWatch(Path workspace, long limit, GuestContext context) {
		this.workspace = workspace;
		this.limit = limit;
		this.context = context;
	}

	/**
	 * Watches while a command runs.
	 * @param guest the command's sandbox
	 */
	void watch(Guest guest) {
		if (this.limit > 0) {
			again(guest, INTERVAL);
		}
	}

	private void again(Guest guest, Duration rest) {
		if (!guest.exit().isDone()) {
			this.context.timer()
				.schedule(() -> this.context.executor().execute(() -> look(guest)), rest.toNanos(),
						TimeUnit.NANOSECONDS);
		}
	}

	private void look(Guest guest) {
		if (guest.exit().isDone()) {
			return;
		}
		long before = System.nanoTime();
		if (isBeyond()) {
			guest.exceeded("The workspace grew beyond " + this.limit
					+ " bytes. Remove files, or raise 'sandbox.storage.max-workspace-size'.");
			return;
		}
		Duration taken = Duration.ofNanos(System.nanoTime() - before).multipliedBy(REST_FACTOR);
		again(guest, (taken.compareTo(INTERVAL) > 0) ? taken : INTERVAL);
	}

	private boolean isBeyond() {
		Sum sum = new Sum();
		try {
			Files.walkFileTree(this.workspace, sum);
		}
		catch (IOException ex) {
			logger.debug("The workspace could not be measured to its end", ex);
		}
		return sum.bytes > this.limit;
	}

	/**
	 * Adds sizes up without following a link. What vanishes meanwhile counts nothing.
	 */
	private final class Sum extends SimpleFileVisitor<Path> {

		private long bytes;

		@Override
		public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
			this.bytes += attributes.isRegularFile() ? attributes.size() : 0;
			return (this.bytes > WorkspaceWatch.this.limit) ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult visitFileFailed(Path file, IOException ex) {
			return FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException ex) {
			return FileVisitResult.CONTINUE;
		}

	}

}
