package io.sandbox4j;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A scan that looks each path up, for drivers that have no quicker way.
 *
 * @param <T> what is made of the content of a file
 */
final class PathScan<T> {

	private final SandboxDriver.Files files;

	private final FileScan<T> scan;

	private final int limit;

	PathScan(SandboxDriver.Files files, FileScan<T> scan, int limit) {
		this.files = files;
		this.scan = scan;
		this.limit = limit;
	}

	boolean directory(WorkspacePath path, List<FileEntry> entries, int depth) {
		for (FileEntry entry : this.scan.choose(new Listed(path, entries))) {
			boolean goesOn = switch (entry.type()) {
				case FILE -> this.scan.take(entry, this.scan.readsContent() ? read(entry) : null);
				case DIRECTORY -> child(entry, depth + 1);
				case SYMLINK, OTHER -> true;
			};
			if (!goesOn) {
				return false;
			}
		}
		return true;
	}

	private boolean child(FileEntry directory, int depth) {
		if (!this.scan.goesOn()) {
			return true;
		}
		List<FileEntry> entries;
		try {
			if (depth > SandboxFiles.MAX_SCAN_DEPTH) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "'" + directory.path() + "' lies too deep.");
			}
			entries = this.files.list(directory.path(), this.limit);
		}
		catch (SandboxException ex) {
			this.scan.skipped(directory, ex);
			return true;
		}
		return directory(directory.path(), entries, depth);
	}

	private @Nullable T read(FileEntry file) {
		try (InputStream content = this.files.open(file.path())) {
			return this.scan.read(file, content);
		}
		catch (IOException | SandboxException ex) {
			// Gone or replaced since it was listed.
			return null;
		}
	}

	/**
	 * A directory whose files are looked up from the root.
	 */
	private final class Listed implements FileScan.Directory {

		private final WorkspacePath path;

		private final List<FileEntry> entries;

		Listed(WorkspacePath path, List<FileEntry> entries) {
			this.path = path;
			this.entries = entries;
		}

		@Override
		public WorkspacePath path() {
			return this.path;
		}

		@Override
		public List<FileEntry> entries() {
			return this.entries;
		}

		@Override
		public byte @Nullable [] read(FileEntry file, int maxBytes) {
			try (InputStream content = PathScan.this.files.open(file.path())) {
				byte[] bytes = content.readNBytes(maxBytes + 1);
				return (bytes.length > maxBytes) ? null : bytes;
			}
			catch (IOException | SandboxException ex) {
				return null;
			}
		}

	}

}
