package io.sandbox4j.git;

/**
 * A file that a sync changes.
 *
 * @param path the file, relative to the root of the tree
 * @param kind what becomes of it
 * @since 0.1.0
 */
public record FileChange(String path, Kind kind) {

	static FileChange of(TreeChange change) {
		Kind kind = change.added() ? Kind.ADDED : (change.deleted() ? Kind.DELETED : Kind.MODIFIED);
		return new FileChange(change.shownPath(), kind);
	}

	/**
	 * What becomes of a file.
	 */
	public enum Kind {

		/**
		 * It was not there.
		 */
		ADDED,

		/**
		 * Its content, mode or type changes.
		 */
		MODIFIED,

		/**
		 * It goes.
		 */
		DELETED

	}

}
