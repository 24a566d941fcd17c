package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of a workspace, each reached from the root one name at a time.
 */
final class WorkspaceTree {

	private static final Logger logger = LoggerFactory.getLogger(WorkspaceTree.class);

	private final Path workspace;

	private final Staging staging;

	private final PathFailures failures;

	private final Lock making = new ReentrantLock();

	WorkspaceTree(Path workspace, Staging staging, PathFailures failures) {
		this.workspace = workspace;
		this.staging = staging;
		this.failures = failures;
	}

	OpenDirectory open(WorkspacePath path) throws IOException {
		return walk(path, path.segments().size(), false);
	}

	OpenDirectory openParent(WorkspacePath path) throws IOException {
		return walk(path, path.segments().size() - 1, false);
	}

	OpenDirectory make(WorkspacePath path) throws IOException {
		return walk(path, path.segments().size(), true);
	}

	OpenDirectory makeParent(WorkspacePath path) throws IOException {
		return walk(path, path.segments().size() - 1, true);
	}

	private OpenDirectory walk(WorkspacePath path, int depth, boolean make) throws IOException {
		OpenDirectory directory = openRoot();
		for (int i = 0; i < depth; i++) {
			try (OpenDirectory parent = directory) {
				Path name = FileNames.toPath(path.segments().get(i));
				if (make) {
					makeIfAbsent(parent, name);
				}
				directory = parent.child(name);
			}
			catch (UnexpectedTypeException ex) {
				throw this.failures.of(new WorkspacePath(path.segments().subList(0, i + 1)), ex);
			}
		}
		return directory;
	}

	private OpenDirectory openRoot() {
		try {
			return OpenDirectory.at(this.workspace);
		}
		catch (IOException ex) {
			logger.debug("The workspace {} cannot be opened", this.workspace, ex);
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The workspace directory cannot be opened: it was removed, replaced, or is not readable. "
							+ "Restore the directory, or delete the session.");
		}
	}

	private void makeIfAbsent(OpenDirectory parent, Path name) throws IOException {
		if (parent.attributesIfPresent(name) != null) {
			return;
		}
		// Two that make one directory at a time would replace each other's.
		this.making.lock();
		try {
			if (parent.attributesIfPresent(name) == null) {
				this.staging.makeDirectory(parent, name);
			}
		}
		finally {
			this.making.unlock();
		}
	}

}
