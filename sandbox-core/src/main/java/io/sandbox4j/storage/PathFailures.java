package io.sandbox4j.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the words of the workspace what the host's file system refused. No host path
 * gets out: not in a message, not in a cause.
 */
final class PathFailures {

	private static final Logger logger = LoggerFactory.getLogger(PathFailures.class);

	private static final int TYPE_MASK = 0170000;

	private static final Map<Integer, String> SPECIAL_TYPES = Map.of(0010000, "a named pipe", 0140000, "a socket",
			0020000, "a device", 0060000, "a device");

	private final Path workspace;

	PathFailures(Path workspace) {
		this.workspace = workspace;
	}

	static SandboxException refused(WorkspacePath path, String why) {
		return new SandboxException(ErrorCode.SANDBOX_PATH, "'" + path + "' " + why + ".");
	}

	SandboxException unexpected(WorkspacePath path, FileType wanted, BasicFileAttributes found) {
		if (found.isSymbolicLink()) {
			return refused(path, "is a symbolic link; links are not followed");
		}
		return refused(path, "is " + name(path, found) + ", not "
				+ ((wanted != FileType.DIRECTORY) ? "a regular file" : "a directory"));
	}

	SandboxException of(WorkspacePath path, IOException failure) {
		if (failure instanceof UnexpectedTypeException unexpected) {
			return unexpected(path, unexpected.wanted(), unexpected.found());
		}
		if (failure instanceof NoSuchFileException) {
			return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND,
					"'" + path + "' does not exist. List its directory to see what does.");
		}
		logger.debug("Access to '{}' failed", path, failure);
		if (failure instanceof UnsettledException) {
			return new SandboxException(ErrorCode.SANDBOX_BUSY,
					"'" + path + "' is being replaced or filled by a command. Try again when the command has ended.");
		}
		if (failure instanceof InterruptedIOException || failure instanceof ClosedByInterruptException) {
			return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The access to '" + path + "' was interrupted.");
		}
		String reason = reason(failure);
		if (failure instanceof AccessDeniedException || reason.equals("Operation not permitted")) {
			return refused(path, "cannot be accessed: permission denied");
		}
		if (failure instanceof AtomicMoveNotSupportedException) {
			return refused(path, "lies on another file system");
		}
		if (reason.equals("No space left on device") || reason.equals("Disk quota exceeded") || isFull()) {
			return new SandboxException(ErrorCode.SANDBOX_LIMIT,
					"There is no space left for '" + path + "'. Remove what is not needed.");
		}
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"'" + path + "' could not be accessed: the host's file system failed. The debug log has the cause.");
	}

	private String name(WorkspacePath path, BasicFileAttributes found) {
		if (found.isDirectory() || found.isRegularFile()) {
			return found.isDirectory() ? "a directory" : "a regular file";
		}
		try {
			Path entry = this.workspace;
			for (String segment : path.segments()) {
				entry = entry.resolve(FileNames.toPath(segment));
			}
			Map<String, Object> attributes = Files.readAttributes(entry, "unix:mode,fileKey",
					LinkOption.NOFOLLOW_LINKS);
			// The path may lead elsewhere by now; then its type is none of the caller's
			// business.
			if (found.fileKey().equals(attributes.get("fileKey")) && attributes.get("mode") instanceof Integer mode) {
				return SPECIAL_TYPES.getOrDefault(mode & TYPE_MASK, "a special file");
			}
		}
		catch (IOException ex) {
			logger.trace("No longer there", ex);
		}
		return "a special file";
	}

	private static String reason(IOException failure) {
		String reason = (failure instanceof FileSystemException system) ? system.getReason() : failure.getMessage();
		return (reason != null) ? reason : "";
	}

	// The reason is in the language of the host's locale.
	private boolean isFull() {
		try {
			return Files.getFileStore(this.workspace).getUsableSpace() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
