package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes an entry and everything below it while the guest may work on the same tree. A
 * link is removed itself, a directory is entered only when it is one.
 * <p>
 * A tree may be deeper than the process has descriptors and than a path can be long. What
 * lies at {@link #MAX_DEPTH} is therefore moved up, into the directory that is removed,
 * and taken from there later.
 */
final class TreeRemoval {

	private static final Logger logger = LoggerFactory.getLogger(TreeRemoval.class);

	private static final int MAX_DEPTH = 32;

	private static final int MAX_PASSES = 10_000;

	private static final Set<PosixFilePermission> ACCESS = EnumSet.of(PosixFilePermission.OWNER_READ,
			PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

	private final PipeGuard guard;

	TreeRemoval(PipeGuard guard) {
		this.guard = guard;
	}

	/**
	 * Removes an entry.
	 * @param directory the entry's directory
	 * @param name the entry
	 * @return whether there was one
	 * @throws IOException if something of it cannot be removed
	 */
	boolean remove(OpenDirectory directory, Path name) throws IOException {
		boolean present = directory.attributesIfPresent(name) != null;
		remove(directory, name, null, 0);
		return present;
	}

	private void remove(OpenDirectory directory, Path name, @Nullable OpenDirectory top, int depth) throws IOException {
		int failures = 0;
		for (int pass = 0; pass < MAX_PASSES; pass++) {
			OpenDirectory opened;
			try {
				opened = unlink(directory, name, top, depth);
			}
			catch (FileSystemException | UnexpectedTypeException | UnsettledException ex) {
				// It may have become a directory, or ceased to be one, after the look at
				// it.
				failures++;
				if (failures == OpenDirectory.ATTEMPTS) {
					throw ex;
				}
				continue;
			}
			if (opened == null) {
				return;
			}
			try (opened) {
				OpenDirectory newTop = (top != null) ? top : opened;
				opened.forEach((child) -> remove(opened, child, newTop, depth + 1));
			}
		}
		throw new UnsettledException("Filled while it was removed");
	}

	// Returns the directory, opened, that must be emptied first.
	private @Nullable OpenDirectory unlink(OpenDirectory directory, Path name, @Nullable OpenDirectory top, int depth)
			throws IOException {
		try {
			if (directory.attributes(name).isDirectory()) {
				directory.deleteDirectory(name);
			}
			else {
				directory.deleteFile(name);
			}
			return null;
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (DirectoryNotEmptyException ex) {
			OpenDirectory opened = openToEmpty(directory, name);
			if (top == null || depth < MAX_DEPTH) {
				return opened;
			}
			try (opened) {
				directory.move(name, top, Staging.randomName());
				return null;
			}
		}
	}

	private OpenDirectory openToEmpty(OpenDirectory directory, Path name) throws IOException {
		OpenDirectory opened;
		try {
			opened = directory.child(name);
		}
		catch (AccessDeniedException ex) {
			this.guard.adjust(directory.duplicate(), name, (view) -> view.setPermissions(ACCESS));
			opened = directory.child(name);
		}
		try {
			if (!opened.attributes().permissions().containsAll(ACCESS)) {
				opened.setPermissions(ACCESS);
			}
		}
		catch (IOException ex) {
			logger.trace("Removing what is in it will tell", ex);
		}
		return opened;
	}

}
