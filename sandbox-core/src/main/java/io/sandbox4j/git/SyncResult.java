package io.sandbox4j.git;

import java.util.List;

/**
 * What a sync did, or why it did nothing.
 *
 * @param before the tree of the side that is written, before
 * @param after its tree after, equal to {@code before} if nothing was written
 * @param changes the files written, sorted by path
 * @param conflicts if there are any, nothing was written on either side
 * @param leftOut paths that a tree cannot hold and that were not carried: submodules,
 * nested repositories and, when seeding, ignored files and empty directories
 * @since 0.1.0
 */
public record SyncResult(String before, String after, List<FileChange> changes, List<SyncConflict> conflicts,
		List<String> leftOut) {

	/**
	 * Copies the lists.
	 */
	public SyncResult {
		changes = List.copyOf(changes);
		conflicts = List.copyOf(conflicts);
		leftOut = List.copyOf(leftOut);
	}

	/**
	 * Whether both sides changed a file, so that nothing was written.
	 * @return {@code true} if so
	 */
	public boolean conflicted() {
		return !this.conflicts.isEmpty();
	}

}
