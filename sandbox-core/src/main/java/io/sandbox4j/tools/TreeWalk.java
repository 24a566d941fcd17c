package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * A walk over what is below a directory, in the order of names, that leaves out what
 * nobody wants to search and counts it. Policies are asked for all entries of a directory
 * before anything in it is opened. One walk, one thread, but for the reading of files.
 *
 * @param <T> what is made of the content of a file
 */
final class TreeWalk<T> implements FileScan<T> {

	private static final int MAX_DENIED = 50;

	/**
	 * How long a walk takes at most; what it found by then is answered as a part.
	 */
	private static final Duration MAX_TIME = Duration.ofSeconds(20);

	private static final int MAX_GITIGNORE_BYTES = 64 * 1024;

	private final ToolAccess access;

	private final Set<String> excluded;

	private final boolean includeIgnored;

	private final Visitor<T> visitor;

	private final Set<String> denied = new LinkedHashSet<>();

	private final long end;

	// What holds for the entries of the directories that were chosen and not yet entered.
	private final Map<WorkspacePath, IgnoreRules> rules = new HashMap<>();

	private int startDepth;

	private int chosenFiles;

	private int scannedFiles;

	private int skippedDirectories;

	private int skippedLinks;

	private int ignored;

	private boolean cut;

	TreeWalk(ToolAccess access, Set<String> excluded, boolean includeIgnored, Visitor<T> visitor, long end) {
		this.access = access;
		this.excluded = excluded;
		this.includeIgnored = includeIgnored;
		this.visitor = visitor;
		this.end = end;
	}

	/**
	 * Returns when a walk that begins now must have ended.
	 * @return a time of {@link System#nanoTime()}
	 */
	static long latestEnd() {
		return System.nanoTime() + MAX_TIME.toNanos();
	}

	/**
	 * Walks.
	 * @param start where to begin; its path was asked for already
	 */
	void from(WorkspacePath start) {
		IgnoreRules outer = IgnoreRules.NONE;
		for (int i = 0; i < start.segments().size() && !this.includeIgnored; i++) {
			WorkspacePath way = new WorkspacePath(start.segments().subList(0, i));
			outer = outer.within(way, gitignore(way));
		}
		this.rules.put(start, outer);
		this.startDepth = start.segments().size();
		this.access.files().scan(start.toString(), this);
	}

	private byte @Nullable [] gitignore(WorkspacePath directory) {
		WorkspacePath file = directory.child(".gitignore");
		if (!this.access.allows(file)) {
			return null;
		}
		try (InputStream content = this.access.files().open(file.toString())) {
			byte[] bytes = content.readNBytes(MAX_GITIGNORE_BYTES + 1);
			return (bytes.length > MAX_GITIGNORE_BYTES) ? null : bytes;
		}
		catch (IOException | SandboxException ex) {
			// Absent, or not to be had: as if there were none.
			return null;
		}
	}

	@Override
	public List<FileEntry> choose(Directory directory) {
		IgnoreRules outer = this.rules.remove(directory.path());
		IgnoreRules own = (outer == null || this.includeIgnored) ? IgnoreRules.NONE
				: outer.within(directory.path(), gitignore(directory));
		this.visitor.enter(directory.path());
		List<FileEntry> chosen = new ArrayList<>();
		for (FileEntry entry : directory.entries()) {
			if (isOver()) {
				break;
			}
			if (wants(entry, own)) {
				chosen.add(entry);
				if (entry.type() == FileType.DIRECTORY) {
					this.rules.put(entry.path(), own);
				}
			}
		}
		return chosen;
	}

	private byte @Nullable [] gitignore(Directory directory) {
		for (FileEntry entry : directory.entries()) {
			if (entry.type() == FileType.FILE && name(entry).equals(".gitignore") && this.access.allows(entry.path())) {
				return directory.read(entry, MAX_GITIGNORE_BYTES);
			}
		}
		return null;
	}

	private boolean wants(FileEntry entry, IgnoreRules rules) {
		boolean isDirectory = entry.type() == FileType.DIRECTORY;
		if (!this.visitor.wants(entry)) {
			return false;
		}
		if (entry.type() == FileType.SYMLINK) {
			this.skippedLinks++;
			return false;
		}
		String name = name(entry);
		boolean left = (isDirectory && this.excluded.contains(name))
				|| (!this.includeIgnored && rules.ignores(name, isDirectory));
		if (left && !this.visitor.names(entry.path())) {
			this.skippedDirectories += isDirectory ? 1 : 0;
			this.ignored += isDirectory ? 0 : 1;
			return false;
		}
		if (!this.access.allows(entry.path())) {
			if (this.denied.size() < MAX_DENIED) {
				this.denied.add(entry.path().relative() + (isDirectory ? "/" : ""));
			}
			return false;
		}
		return isDirectory ? goesInto(entry) : isTaken(entry);
	}

	private boolean goesInto(FileEntry directory) {
		boolean tooDeep = directory.path().segments().size() - this.startDepth >= this.access.limits().searchDepth();
		this.cut |= tooDeep;
		return !tooDeep;
	}

	private boolean isTaken(FileEntry entry) {
		if (entry.type() != FileType.FILE) {
			return false;
		}
		if (this.chosenFiles == this.access.limits().searchFiles()) {
			this.cut = true;
			return false;
		}
		this.chosenFiles++;
		return true;
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

	// Once there are too many files, a directory could only add what is not looked at.
	@Override
	public boolean goesOn() {
		return !isOver() && !(this.cut && this.chosenFiles == this.access.limits().searchFiles());
	}

	@Override
	public boolean readsContent() {
		return this.visitor.readsContent();
	}

	@Override
	public @Nullable T read(FileEntry file, InputStream content) throws IOException {
		return this.visitor.read(file, content);
	}

	@Override
	public boolean take(FileEntry file, @Nullable T value) {
		if (isOver()) {
			return false;
		}
		this.scannedFiles++;
		return this.visitor.file(file, value);
	}

	@Override
	public void skipped(FileEntry directory, SandboxException reason) {
		this.rules.remove(directory.path());
		switch (reason.code()) {
			case SANDBOX_NOT_FOUND -> {
				// Removed meanwhile.
			}
			// Replaced by a link after it was listed.
			case SANDBOX_PATH -> this.skippedLinks++;
			case SANDBOX_LIMIT, SANDBOX_BUSY -> {
				this.cut = true;
			}
			default -> throw reason;
		}
	}

	private static String name(FileEntry entry) {
		return entry.path().segments().get(entry.path().segments().size() - 1);
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
	 *
	 * @param <T> what is made of the content of a file
	 */
	interface Visitor<T> {

		/**
		 * Hears whose entries come next.
		 * @param directory the directory
		 */
		void enter(WorkspacePath directory);

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
		 * Whether files are read.
		 * @return {@code false} if their names are enough
		 */
		boolean readsContent();

		/**
		 * Makes something of a file, on any thread.
		 * @param file the file
		 * @param content its content
		 * @return what it made, if anything
		 * @throws IOException if it cannot be read
		 */
		@Nullable T read(FileEntry file, InputStream content) throws IOException;

		/**
		 * Takes a file.
		 * @param file the file
		 * @param value what was made of it; {@code null} if it was not read
		 * @return {@code false} to end the walk
		 */
		boolean file(FileEntry file, @Nullable T value);

	}

}
