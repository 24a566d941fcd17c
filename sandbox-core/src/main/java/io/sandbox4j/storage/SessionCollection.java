package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Removes from sessions that nobody owns what a crash left. Each is locked meanwhile, but
 * only if there is something to remove: a lock turns an attach away.
 */
final class SessionCollection {

	private static final Duration ORPHAN_BOUND = Duration.ofSeconds(5);

	private final Path directory;

	private final Trash trash;

	SessionCollection(Path directory, Trash trash) {
		this.directory = directory;
		this.trash = trash;
	}

	/**
	 * Removes the directories that are no sessions.
	 * @return how many there were
	 * @throws IOException if the sessions cannot be read or changed
	 */
	int collectHalfMade() throws IOException {
		return collect((paths) -> !Files.exists(paths.state(), LinkOption.NOFOLLOW_LINKS)
				&& withLock(paths, () -> this.trash.discard(paths.directory())));
	}

	/**
	 * Empties the staging directories.
	 * @return how many had something in them
	 * @throws IOException if the sessions cannot be read or changed
	 */
	int collectStaging() throws IOException {
		return collect((paths) -> Files.isDirectory(paths.staging(), LinkOption.NOFOLLOW_LINKS)
				&& !StateDirectory.list(paths.staging()).isEmpty() && withLock(paths, () -> {
					boolean discarded = this.trash.discard(paths.staging());
					Directories.make(paths.staging(), Directories.PRIVATE);
					return discarded;
				}));
	}

	/**
	 * Kills the sandboxes of sessions that nobody owns.
	 * @return how many processes were killed
	 * @throws IOException if the sessions cannot be read
	 */
	int killOrphans() throws IOException {
		int[] killed = new int[1];
		for (String marker : MarkedProcesses.markers()) {
			String id = marker.substring(MarkedProcesses.PREFIX.length());
			Path path = this.directory.resolve(id.isEmpty() ? "-" : id);
			if (RandomIds.isHex64(id) && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
				SessionPaths paths = new SessionPaths(id, path);
				withLock(paths, () -> {
					killed[0] += new Guests(paths).killLeftovers(true, ORPHAN_BOUND);
					return true;
				});
			}
		}
		return killed[0];
	}

	private int collect(Collector collector) throws IOException {
		int collected = 0;
		for (Path path : StateDirectory.list(this.directory)) {
			String id = path.getFileName().toString();
			try {
				if (RandomIds.isHex64(id) && collector.collect(new SessionPaths(id, path))) {
					collected++;
				}
			}
			catch (NoSuchFileException ex) {
				// Deleted by another process in this moment.
			}
		}
		return collected;
	}

	private static boolean withLock(SessionPaths paths, Cleanup cleanup) throws IOException {
		Optional<LockedFile> lock = Uninterruptibly
			.call(() -> LockedFile.tryLock(paths.lease(), paths.lease().toString()));
		if (lock.isEmpty()) {
			return false;
		}
		try {
			return cleanup.run();
		}
		finally {
			lock.get().close();
		}
	}

	/**
	 * Looks at one session.
	 */
	@FunctionalInterface
	private interface Collector {

		boolean collect(SessionPaths paths) throws IOException;

	}

	/**
	 * Cleans under a lock.
	 */
	@FunctionalInterface
	private interface Cleanup {

		boolean run() throws IOException;

	}

}
