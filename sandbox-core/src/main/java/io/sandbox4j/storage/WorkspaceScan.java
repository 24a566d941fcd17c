package io.sandbox4j.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One scan. Each directory is opened from the one that it was listed in, the next ones
 * are listed ahead and files are read in batches, on other threads; what is chosen and
 * taken stays on the calling thread and in order.
 * <p>
 * Holds the chosen entries of the directories it is in, which are together no more than a
 * directory may have, a few directories that were listed ahead, and a few batches.
 *
 * @param <T> what is made of the content of a file
 */
final class WorkspaceScan<T> {

	private static final Logger logger = LoggerFactory.getLogger(WorkspaceScan.class);

	private static final int DIRECTORIES_AHEAD = 3;

	// A larger one is listed when its turn comes.
	private static final int ENTRIES_AHEAD = 1_000;

	private static final int FILES_IN_BATCH = 32;

	private static final int BATCHES_AHEAD = 16;

	private final FileScan<T> scan;

	private final ScanThreads threads;

	private final PipeGuard guard;

	private final PathFailures failures;

	private final int limit;

	private final Deque<Batch> batches = new ArrayDeque<>();

	private int held;

	WorkspaceScan(FileScan<T> scan, ScanThreads threads, PipeGuard guard, PathFailures failures, int limit) {
		this.scan = scan;
		this.threads = threads;
		this.guard = guard;
		this.failures = failures;
		this.limit = limit;
	}

	void run(SharedDirectory root, WorkspacePath path) {
		List<FileEntry> entries;
		try {
			entries = DirectoryListing.of(root.get(), path, this.limit);
		}
		catch (IOException ex) {
			throw this.failures.of(path, ex);
		}
		if (directory(new Opened(root, path, entries), 0)) {
			takeUntil(0);
		}
	}

	private boolean directory(Opened directory, int depth) {
		List<FileEntry> chosen = this.scan.choose(directory);
		List<FileEntry> directories = chosen.stream().filter((entry) -> entry.type() == FileType.DIRECTORY).toList();
		this.held += chosen.size();
		Map<FileEntry, Listing> ahead = new HashMap<>();
		List<FileEntry> files = new ArrayList<>();
		int next = 0;
		try {
			for (FileEntry entry : chosen) {
				boolean goesOn = true;
				if (entry.type() == FileType.FILE) {
					goesOn = file(directory, entry, files);
				}
				else if (entry.type() == FileType.DIRECTORY) {
					goesOn = read(directory, files);
					if (goesOn && this.scan.goesOn()) {
						listAhead(directory, directories, next++, ahead);
						goesOn = child(directory, entry, ahead.remove(entry), depth + 1);
					}
				}
				if (!goesOn) {
					return false;
				}
			}
			return read(directory, files);
		}
		finally {
			this.held -= chosen.size();
			ahead.values().forEach(Listing::drop);
		}
	}

	private void listAhead(Opened parent, List<FileEntry> directories, int current, Map<FileEntry, Listing> ahead) {
		int end = Math.min(directories.size(), current + 1 + DIRECTORIES_AHEAD);
		for (FileEntry entry : directories.subList(Math.min(current + 1, end), end)) {
			ahead.computeIfAbsent(entry, (absent) -> {
				Listing listing = new Listing(parent.directory(), entry);
				this.threads.execute(listing);
				return listing;
			});
		}
	}

	private boolean child(Opened parent, FileEntry entry, @Nullable Listing listing, int depth) {
		Opened child = null;
		try {
			int room = this.limit - this.held;
			if (depth > SandboxFiles.MAX_SCAN_DEPTH || room <= 0) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT,
						"'" + entry.path() + "' lies too deep, or too much lies around it.");
			}
			child = (listing != null) ? listing.result(room) : null;
			if (child == null) {
				child = open(parent.directory(), entry, room);
			}
		}
		catch (SandboxException ex) {
			this.scan.skipped(entry, ex);
			return true;
		}
		finally {
			if (listing != null) {
				listing.drop();
			}
		}
		try {
			return directory(child, depth);
		}
		finally {
			child.directory().close();
		}
	}

	private Opened open(SharedDirectory parent, FileEntry entry, int limit) {
		try {
			SharedDirectory directory = new SharedDirectory(parent.get().child(FileNames.toPath(name(entry))));
			try {
				return new Opened(directory, entry.path(), DirectoryListing.of(directory.get(), entry.path(), limit));
			}
			catch (IOException | SandboxException ex) {
				directory.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw this.failures.of(entry.path(), ex);
		}
	}

	private boolean file(Opened directory, FileEntry entry, List<FileEntry> files) {
		if (!this.scan.readsContent()) {
			return this.scan.take(entry, null);
		}
		files.add(entry);
		return files.size() < FILES_IN_BATCH || read(directory, files);
	}

	private boolean read(Opened directory, List<FileEntry> files) {
		if (files.isEmpty()) {
			return true;
		}
		Batch batch = new Batch(directory.directory().share(), List.copyOf(files));
		files.clear();
		this.batches.add(batch);
		this.threads.execute(batch);
		return takeUntil(BATCHES_AHEAD);
	}

	private boolean takeUntil(int most) {
		while (this.batches.size() > most) {
			Batch batch = this.batches.remove();
			List<@Nullable T> values = this.threads.await(batch.result);
			for (int i = 0; i < batch.files.size(); i++) {
				if (!this.scan.take(batch.files.get(i), values.get(i))) {
					return false;
				}
			}
		}
		return true;
	}

	private static String name(FileEntry entry) {
		return entry.path().segments().get(entry.path().segments().size() - 1);
	}

	/**
	 * A directory that is open and listed.
	 */
	private final class Opened implements FileScan.Directory {

		private final SharedDirectory directory;

		private final WorkspacePath path;

		private final List<FileEntry> entries;

		Opened(SharedDirectory directory, WorkspacePath path, List<FileEntry> entries) {
			this.directory = directory;
			this.path = path;
			this.entries = entries;
		}

		SharedDirectory directory() {
			return this.directory;
		}

		@Override
		public WorkspacePath path() {
			return this.path;
		}

		@Override
		public List<FileEntry> entries() {
			return Collections.unmodifiableList(this.entries);
		}

		@Override
		public byte @Nullable [] read(FileEntry file, int maxBytes) {
			try (FileChannel channel = WorkspaceScan.this.guard.openFile(this.directory.get().duplicate(),
					FileNames.toPath(name(file))); InputStream content = Channels.newInputStream(channel)) {
				byte[] bytes = content.readNBytes(maxBytes + 1);
				return (bytes.length > maxBytes) ? null : bytes;
			}
			catch (IOException ex) {
				logger.trace("Gone or replaced since it was listed", ex);
				return null;
			}
		}

	}

	/**
	 * A directory that is listed before its turn comes.
	 */
	private final class Listing implements ScanThreads.Job {

		private final SharedDirectory parent;

		private final FileEntry entry;

		private final AtomicBoolean begun = new AtomicBoolean();

		private final CompletableFuture<@Nullable Opened> result = new CompletableFuture<>();

		private boolean taken;

		Listing(SharedDirectory parent, FileEntry entry) {
			this.parent = parent.share();
			this.entry = entry;
		}

		@Override
		public void run(PipeGuard.Lookout lookout) {
			if (!this.begun.compareAndSet(false, true)) {
				return;
			}
			Opened opened = null;
			try (SharedDirectory shared = this.parent) {
				opened = open(shared, this.entry, ENTRIES_AHEAD);
			}
			catch (SandboxException ex) {
				logger.trace("To be listed when its turn comes", ex);
			}
			finally {
				if (!this.result.complete(opened) && opened != null) {
					opened.directory().close();
				}
			}
		}

		@Override
		public void abandon() {
			drop();
		}

		/**
		 * Waits for the directory.
		 * @param room how many entries it may have
		 * @return the directory, or {@code null} if it is still to be listed
		 */
		@Nullable Opened result(int room) {
			if (this.begun.compareAndSet(false, true)) {
				this.parent.close();
				return null;
			}
			Opened opened = WorkspaceScan.this.threads.await(this.result);
			this.taken = opened != null && opened.entries().size() <= room;
			return this.taken ? opened : null;
		}

		// Closes what was not taken.
		void drop() {
			if (this.taken) {
				return;
			}
			if (this.begun.compareAndSet(false, true)) {
				this.parent.close();
			}
			else if (!this.result.complete(null)) {
				Opened opened = this.result.getNow(null);
				if (opened != null) {
					opened.directory().close();
				}
			}
		}

	}

	/**
	 * Files of one directory that are read one after the other.
	 */
	private final class Batch implements ScanThreads.Job {

		private final SharedDirectory directory;

		private final List<FileEntry> files;

		private final List<@Nullable T> values;

		private final CompletableFuture<List<@Nullable T>> result = new CompletableFuture<>();

		private final AtomicBoolean begun = new AtomicBoolean();

		Batch(SharedDirectory directory, List<FileEntry> files) {
			this.directory = directory;
			this.files = files;
			this.values = new ArrayList<>(Collections.nCopies(files.size(), null));
		}

		@Override
		public void run(PipeGuard.Lookout lookout) {
			if (!this.begun.compareAndSet(false, true)) {
				return;
			}
			try (SharedDirectory shared = this.directory) {
				for (int i = 0; i < this.files.size() && !lookout.isGivenUp(); i++) {
					T value = read(shared.get(), this.files.get(i), lookout);
					if (value != null) {
						this.values.set(i, value);
					}
				}
				this.result.complete(this.values);
			}
			catch (Throwable ex) {
				this.result.completeExceptionally(ex);
			}
		}

		private @Nullable T read(OpenDirectory directory, FileEntry file, PipeGuard.Lookout lookout) {
			try (FileChannel channel = WorkspaceScan.this.guard.openWatched(directory, FileNames.toPath(name(file)),
					lookout); InputStream content = Channels.newInputStream(channel)) {
				return WorkspaceScan.this.scan.read(file, content);
			}
			catch (IOException ex) {
				logger.trace("Gone or replaced since it was listed", ex);
				return null;
			}
		}

		@Override
		public void abandon() {
			if (this.begun.compareAndSet(false, true)) {
				this.directory.close();
			}
			this.result.complete(this.values);
		}

	}

}
