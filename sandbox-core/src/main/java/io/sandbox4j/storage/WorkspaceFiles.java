package io.sandbox4j.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileScan;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host's access to a directory that a guest writes to at the same time. No call
 * follows a link, reads or changes anything outside the directory, or waits for the
 * guest, whatever the guest swaps meanwhile. Thread-safe.
 * <p>
 * Each call walks from the workspace's root one name at a time, from open directory to
 * open directory. New content is made in the staging directory and moved to its place, so
 * a reader sees the old file or the new one, and another hard link keeps the old bytes.
 * <p>
 * Not promised: two calls are not one, so what was described may have changed when it is
 * opened; a device that the host itself put into a workspace is refused, but not if the
 * guest swaps it in at the right moment; a name that is no {@link WorkspacePath}, as it
 * is not UTF-8 or has a backslash, is left out of lists, though removed with its
 * directory.
 *
 * @since 0.1.0
 */
public final class WorkspaceFiles implements SandboxDriver.Files {

	private static final Map<PosixFilePermission, PosixFilePermission> EXECUTE = Map.of(PosixFilePermission.OWNER_READ,
			PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_EXECUTE,
			PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE);

	private static final Logger logger = LoggerFactory.getLogger(WorkspaceFiles.class);

	private final WorkspaceTree tree;

	private final Staging staging;

	private final PipeGuard guard;

	private final PathFailures failures;

	private final Runnable ensureOwned;

	private WorkspaceFiles(Path workspace, Staging staging, PipeGuard guard, Runnable ensureOwned) {
		this.staging = staging;
		this.guard = guard;
		this.failures = new PathFailures(workspace);
		this.tree = new WorkspaceTree(workspace, staging, this.failures);
		this.ensureOwned = ensureOwned;
	}

	/**
	 * Returns the files of a workspace.
	 * @param workspace the workspace's root, a directory and not a link
	 * @param staging a directory on the same file system that the guest does not see, or
	 * the workspace itself; after a crash it may hold files named {@code .sandbox4j-*}
	 * @param owner who gets what is made, which takes root; {@code null} for the own user
	 * @param durability what a finished change survives
	 * @param ensureOwned called before each change and after a failure; throws if the
	 * workspace is no longer ours
	 * @return the files
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if the host has no
	 * such owner
	 */
	public static WorkspaceFiles over(Path workspace, Path staging, @Nullable FileOwner owner, Durability durability,
			Runnable ensureOwned) {
		return over(workspace, staging, owner, durability, ensureOwned, new PipeGuard());
	}

	static WorkspaceFiles over(Path workspace, Path staging, @Nullable FileOwner owner, Durability durability,
			Runnable ensureOwned, PipeGuard guard) {
		Objects.requireNonNull(workspace, "'workspace' must not be null");
		Objects.requireNonNull(staging, "'staging' must not be null");
		Objects.requireNonNull(durability, "'durability' must not be null");
		Objects.requireNonNull(ensureOwned, "'ensureOwned' must not be null");
		try {
			boolean seenByGuest = staging.startsWith(workspace);
			return new WorkspaceFiles(workspace, new Staging(staging, seenByGuest, owner, durability, guard), guard,
					ensureOwned);
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The host's accounts could not be read.", ex);
		}
	}

	@Override
	public InputStream open(WorkspacePath path) {
		refuseRoot(path);
		return attempt(path,
				() -> Channels.newInputStream(this.guard.openFile(this.tree.openParent(path), lastName(path))));
	}

	// On this very thread, which a named pipe could hold up for ever: there is none where
	// a regular file was seen unless somebody swaps it in. In a directory of the user's,
	// programs of the host could.
	@Override
	public InputStream openUndisturbed(WorkspacePath path) {
		if (this.staging.isSeenByGuest()) {
			return open(path);
		}
		refuseRoot(path);
		return attempt(path, () -> {
			try (OpenDirectory parent = this.tree.openParent(path)) {
				return Channels.newInputStream(parent.file(lastName(path), OpenDirectory.TO_READ));
			}
		});
	}

	@Override
	public void write(WorkspacePath path, InputStream content, long maxBytes) {
		put(path, content, maxBytes, this::place);
	}

	@Override
	public void create(WorkspacePath path, InputStream content, long maxBytes) {
		put(path, content, maxBytes, this::placeNew);
	}

	private void put(WorkspacePath path, InputStream content, long maxBytes, Placing placing) {
		refuseRoot(path);
		this.ensureOwned.run();
		attempt(path, () -> {
			try (Staging.StagedFile file = this.staging.newFile()) {
				if (!file.fill(content, maxBytes)) {
					throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "The content for '" + path + "' is larger than "
							+ maxBytes + " bytes. Nothing was changed.");
				}
				this.ensureOwned.run();
				return settled(() -> placing.place(file, path));
			}
			catch (UncheckedIOException ex) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"The content for '" + path + "' could not be read. Nothing was changed.", ex.getCause());
			}
		});
	}

	private boolean place(Staging.StagedFile file, WorkspacePath path) throws IOException {
		Path name = lastName(path);
		try (OpenDirectory parent = this.tree.makeParent(path)) {
			PosixFileAttributes replaced = parent.attributesIfPresent(name);
			if (replaced != null && !replaced.isRegularFile()) {
				throw new UnexpectedTypeException(FileType.FILE, replaced);
			}
			file.finish((replaced != null) ? replaced.permissions() : Staging.FILE_PERMISSIONS);
			file.moveTo(parent, name);
			return true;
		}
	}

	// To make the name is what others fail at; what is moved there afterwards replaces
	// nothing but that.
	private boolean placeNew(Staging.StagedFile file, WorkspacePath path) throws IOException {
		Path name = lastName(path);
		try (OpenDirectory parent = this.tree.makeParent(path)) {
			file.finish(Staging.FILE_PERMISSIONS);
			try {
				parent.newFile(name, Staging.FILE_PERMISSIONS).close();
			}
			catch (FileAlreadyExistsException ex) {
				throw PathFailures.refused(path, "exists already; it is not replaced");
			}
			PosixFileAttributes made = parent.attributesIfPresent(name);
			boolean placed = false;
			try {
				file.moveTo(parent, name);
				placed = true;
				return true;
			}
			finally {
				PosixFileAttributes left = placed ? null : parent.attributesIfPresent(name);
				if (left != null && made != null && left.fileKey().equals(made.fileKey())) {
					parent.deleteFile(name);
				}
			}
		}
	}

	@Override
	public void createDirectories(WorkspacePath path) {
		this.ensureOwned.run();
		attempt(path, () -> settled(() -> {
			this.tree.make(path).close();
			return true;
		}));
	}

	@Override
	public void setExecutable(WorkspacePath path, boolean executable) {
		refuseRoot(path);
		this.ensureOwned.run();
		Path name = lastName(path);
		attempt(path, () -> settled(() -> {
			try (OpenDirectory parent = this.tree.openParent(path)) {
				PosixFileAttributes found = parent.attributes(name);
				if (!found.isRegularFile()) {
					throw new UnexpectedTypeException(FileType.FILE, found);
				}
				Set<PosixFilePermission> permissions = executable(found.permissions(), executable);
				if (!permissions.equals(found.permissions())) {
					this.guard.adjust(parent.duplicate(), name, (view) -> view.setPermissions(permissions));
				}
				return true;
			}
		}));
	}

	@Override
	public boolean remove(WorkspacePath path) {
		refuseRoot(path);
		this.ensureOwned.run();
		return attempt(path, () -> {
			try (OpenDirectory parent = this.tree.openParent(path)) {
				boolean removed = new TreeRemoval(this.guard).remove(parent, lastName(path));
				this.staging.settle(parent);
				return removed;
			}
			catch (NoSuchFileException ex) {
				return false;
			}
		});
	}

	@Override
	public void move(WorkspacePath source, WorkspacePath target) {
		refuseRoot(source);
		refuseRoot(target);
		int depth = source.segments().size();
		if (depth <= target.segments().size() && target.segments().subList(0, depth).equals(source.segments())) {
			throw PathFailures.refused(target, "is '" + source + "' or lies in it; nothing can be moved into itself");
		}
		this.ensureOwned.run();
		attempt(source, () -> {
			try (OpenDirectory parent = this.tree.openParent(source)) {
				parent.attributes(lastName(source));
				return attempt(target, () -> settled(() -> move(parent, source, target)));
			}
		});
	}

	private boolean move(OpenDirectory sourceParent, WorkspacePath source, WorkspacePath target) throws IOException {
		Path sourceName = lastName(source);
		Path targetName = lastName(target);
		try (OpenDirectory targetParent = this.tree.makeParent(target)) {
			PosixFileAttributes moved = attempt(source, () -> sourceParent.attributes(sourceName));
			PosixFileAttributes replaced = targetParent.attributesIfPresent(targetName);
			if (replaced != null && (replaced.isDirectory() || moved.isDirectory())) {
				throw PathFailures.refused(target, replaced.isDirectory() ? "is a directory; it is not replaced"
						: "is not a directory; a directory does not replace it");
			}
			sourceParent.move(sourceName, targetParent, targetName);
			if (replaced != null && replaced.fileKey().equals(moved.fileKey())) {
				// The kernel does nothing for two names of one file.
				sourceParent.deleteFile(sourceName);
			}
			this.staging.settle(targetParent);
			this.staging.settle(sourceParent);
			return true;
		}
	}

	@Override
	public FileEntry stat(WorkspacePath path) {
		return attempt(path, () -> {
			try (OpenDirectory directory = path.isRoot() ? this.tree.open(path) : this.tree.openParent(path)) {
				return DirectoryListing.entry(path,
						path.isRoot() ? directory.attributes() : directory.attributes(lastName(path)));
			}
		});
	}

	@Override
	public List<FileEntry> list(WorkspacePath path, int limit) {
		return attempt(path, () -> {
			try (OpenDirectory directory = this.tree.open(path)) {
				return DirectoryListing.of(directory, path, limit);
			}
		});
	}

	@Override
	public void scan(WorkspacePath path, FileScan<?> scan, int limit) {
		SharedDirectory root = new SharedDirectory(attempt(path, () -> this.tree.open(path)));
		try (root; ScanThreads threads = new ScanThreads(this.guard)) {
			new WorkspaceScan<>(scan, threads, this.guard, this.failures, limit).run(root, path);
		}
	}

	// Repeats what failed because the guest, or another call, changed the workspace.
	private static <T> T settled(Action<T> action) throws IOException {
		for (int attempt = 1; attempt < OpenDirectory.ATTEMPTS; attempt++) {
			try {
				return action.run();
			}
			catch (NoSuchFileException | AccessDeniedException | AtomicMoveNotSupportedException ex) {
				throw ex;
			}
			catch (FileSystemException | UnsettledException ex) {
				logger.trace("Attempt {} failed", attempt, ex);
			}
		}
		return action.run();
	}

	private <T> T attempt(WorkspacePath path, Action<T> action) {
		try {
			return action.run();
		}
		catch (IOException ex) {
			// Of a session that was deleted meanwhile nothing can be opened.
			this.ensureOwned.run();
			throw this.failures.of(path, ex);
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_UNAVAILABLE) {
				this.ensureOwned.run();
			}
			throw ex;
		}
	}

	private static void refuseRoot(WorkspacePath path) {
		if (path.isRoot()) {
			throw PathFailures.refused(path, "is the workspace itself; name an entry in it");
		}
	}

	private static Path lastName(WorkspacePath path) {
		return FileNames.toPath(path.segments().get(path.segments().size() - 1));
	}

	// Lets everybody execute who may read, and the owner; or nobody.
	private static Set<PosixFilePermission> executable(Set<PosixFilePermission> permissions, boolean executable) {
		Set<PosixFilePermission> changed = EnumSet.noneOf(PosixFilePermission.class);
		changed.addAll(permissions);
		EXECUTE.forEach((reader, execute) -> {
			changed.remove(execute);
			if (executable && (permissions.contains(reader) || execute == PosixFilePermission.OWNER_EXECUTE)) {
				changed.add(execute);
			}
		});
		return changed;
	}

	/**
	 * How a staged file gets to its place.
	 */
	private interface Placing {

		boolean place(Staging.StagedFile file, WorkspacePath path) throws IOException;

	}

	/**
	 * A call that the file system may refuse.
	 */
	private interface Action<T> {

		T run() throws IOException;

	}

}
