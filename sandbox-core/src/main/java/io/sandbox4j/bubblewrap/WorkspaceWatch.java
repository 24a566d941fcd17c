package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.storage.WorkspaceUsage;

/**
 * Ends commands that let the workspace grow beyond its limit. Without file system quotas
 * the only way to know is to look, so it looks from time to time while a command runs,
 * never on the caller's path, and rests much longer than a look takes. A workspace can be
 * larger than its limit between two looks. Sizes are logical: a sparse file counts in
 * full.
 */
final class WorkspaceWatch {

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
		switch (WorkspaceUsage.of(this.workspace, this.limit)) {
			case BEYOND -> guest.exceeded("The workspace grew beyond " + this.limit
					+ " bytes. Remove files, or raise 'sandbox.storage.max-workspace-size'.");
			case HIDDEN ->
				guest.exceeded("The workspace holds a directory that cannot be measured, because it cannot be "
						+ "read or is too deep, and 'sandbox.storage.max-workspace-size' is set. Remove the directory.");
			case WITHIN -> again(guest, rest(System.nanoTime() - before));
		}
	}

	private static Duration rest(long takenNanos) {
		Duration rest = Duration.ofNanos(takenNanos).multipliedBy(REST_FACTOR);
		return (rest.compareTo(INTERVAL) > 0) ? rest : INTERVAL;
	}

}
