package io.sandbox4j.tools;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * A walk over what is below a directory, in the order of names, that leaves out what
 * nobody wants to search and counts it. Holds the entries of one directory for each
 * level. One walk, one thread.
 */
final class TreeWalk {

	private static final int MAX_DENIED = 50;

	/**
	 * How long a walk takes at most; what it found by then is answered as a part.
	 */
	private static final Duration MAX_TIME = Duration.ofSeconds(20);

	private static final int MAX_GITIGNORE_BYTES = 64 * 1024;

	private final ToolAccess access;

	private final Set<String> excluded;

	private final boolean includeIgnored;

	private final Visitor visitor;

	private final Set<String> denied = new LinkedHashSet<>();

	private final long end = System.nanoTime() + MAX_TIME.toNanos();

	private int scannedFiles;

	private int skippedDirectories;

	private int skippedLinks;

	private int ignored;

	private boolean cut;

	TreeWalk(ToolAccess access, Set<String> excluded, boolean includeIgnored, Visitor visitor) {
		this.access = access;
		this.excluded = excluded;
		this.includeIgnored = includeIgnored;
		this.visitor = visitor;
	}

	/**
	 * Walks.
	 * @param start where to begin; its path was asked for already
	 */
	void from(WorkspacePath start) {
		IgnoreRules rules = IgnoreRules.NONE;
		for (int i = 0; i < start.segments().size() && !this.includeIgnored; i++) {
			WorkspacePath way = new WorkspacePath(start.segments().subList(0, i));
			rules = rules.within(way, gitignore(this.access.files().list(way.toString())));
		}
		directory(start, rules, 1, this.access.files().list(start.toString()));
	}

	private boolean directory(WorkspacePath directory, IgnoreRules outer, int depth, List<FileEntry> entries) {
		IgnoreRules rules = this.includeIgnored ? outer : outer.within(directory, gitignore(entries));
		for (FileEntry entry : entries) {
			if (!visit(entry, rules, depth)) {
				return false;
			}
		}
		return true;
	}

	private boolean visit(FileEntry entry, IgnoreRules rules, int depth) {
		if (isOver()) {
			return false;
		}
		WorkspacePath path = entry.path();
		String name = path.segments().get(path.segments().size() - 1);
		boolean isDirectory = entry.type() == FileType.DIRECTORY;
		if (!this.visitor.wants(entry)) {
			return true;
		}
		if (entry.type() == FileType.SYMLINK) {
			this.skippedLinks++;
			return true;
		}
		boolean left = (isDirectory && this.excluded.contains(name))
				|| (!this.includeIgnored && rules.ignores(name, isDirectory));
		if (left && !this.visitor.names(path)) {
			this.skippedDirectories += isDirectory ? 1 : 0;
			this.ignored += isDirectory ? 0 : 1;
			return true;
		}
		if (!this.access.allows(path)) {
			if (this.denied.size() < MAX_DENIED) {
				this.denied.add(path.relative() + (isDirectory ? "/" : ""));
			}
			return true;
		}
		return isDirectory ? descend(path, rules, depth) : file(entry);
	}

	/**
	 * Whether the walk has used up its time, or its thread is wanted back.
	 * @return {@code true} to end it
	 */
	private boolean isOver() {
		boolean over = System.nanoTime() - this.end > 0 || Thread.currentThread().isInterrupted();
		this.cut |= over;
		return over;
	}

	private boolean file(FileEntry entry) {
		if (entry.type() != FileType.FILE) {
			return true;
		}
		if (this.scannedFiles == this.access.limits().searchFiles()) {
			this.cut = true;
			return false;
		}
		this.scannedFiles++;
		return this.visitor.file(entry);
	}

	private boolean descend(WorkspacePath path, IgnoreRules rules, int depth) {
		if (depth == this.access.limits().searchDepth()) {
			this.cut = true;
			return true;
		}
		try {
			return directory(path, rules, depth + 1, this.access.files().list(path.toString()));
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND || ex.code() == ErrorCode.SANDBOX_LIMIT) {
				// Removed meanwhile, or beyond what is listed.
				this.cut |= ex.code() == ErrorCode.SANDBOX_LIMIT;
				return true;
			}
			if (ex.code() == ErrorCode.SANDBOX_PATH) {
				// Replaced by a link after it was listed.
				this.skippedLinks++;
				return true;
			}
			throw ex;
		}
	}

	private byte @Nullable [] gitignore(List<FileEntry> entries) {
		for (FileEntry entry : entries) {
			List<String> names = entry.path().segments();
			if (names.get(names.size() - 1).equals(".gitignore") && entry.type() == FileType.FILE
					&& entry.size() <= MAX_GITIGNORE_BYTES && this.access.allows(entry.path())) {
				try {
					return this.access.files().read(entry.path().toString());
				}
				catch (SandboxException ex) {
					// Gone or replaced: as if there were none.
					return null;
				}
			}
		}
		return null;
	}

	Set<String> denied() {
		return this.denied;
	}

	int scannedFiles() {
		return this.scannedFiles;
	}

	int skippedDirectories() {
		return this.skippedDirectories;
	}

	int skippedLinks() {
		return this.skippedLinks;
	}

	int ignored() {
		return this.ignored;
	}

	boolean cut() {
		return this.cut;
	}

	/**
	 * What a walk is for.
	 */
	interface Visitor {

		/**
		 * Whether the entry, or something below it, can be a result. Asked first, so that
		 * what cannot be one is put to no policy.
		 * @param entry the entry
		 * @return {@code false} to pass it by
		 */
		boolean wants(FileEntry entry);

		/**
		 * Whether the caller named this very entry, so that no rule hides it.
		 * @param path the entry
		 * @return {@code true} if so
		 */
		boolean names(WorkspacePath path);

		/**
		 * Takes a file.
		 * @param entry the file
		 * @return {@code false} to end the walk
		 */
		boolean file(FileEntry entry);

	}

}
