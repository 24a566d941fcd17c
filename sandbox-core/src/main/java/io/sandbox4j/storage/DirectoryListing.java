package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * What is in an open directory.
 */
final class DirectoryListing {

	private DirectoryListing() {
	}

	/**
	 * Lists a directory once.
	 * @param directory the directory
	 * @param path its path
	 * @param limit how many entries it may have
	 * @return the entries, sorted by name
	 * @throws IOException if it cannot be read
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} beyond the limit
	 */
	static List<FileEntry> of(OpenDirectory directory, WorkspacePath path, int limit) throws IOException {
		List<FileEntry> entries = new ArrayList<>();
		directory.forEach((name) -> {
			WorkspacePath child = child(path, name);
			PosixFileAttributes attributes = (child != null) ? directory.attributesIfPresent(name) : null;
			if (child == null || attributes == null) {
				return;
			}
			if (entries.size() == limit) {
				throw new SandboxException(ErrorCode.SANDBOX_LIMIT, "'" + path + "' has more than " + limit
						+ " entries. List a smaller directory, or raise the entry limit.");
			}
			entries.add(entry(child, attributes));
		});
		int last = path.segments().size();
		entries.sort(Comparator.comparing((entry) -> entry.path().segments().get(last)));
		return entries;
	}

	static FileEntry entry(WorkspacePath path, PosixFileAttributes attributes) {
		FileType type = attributes.isRegularFile() ? FileType.FILE : attributes.isDirectory() ? FileType.DIRECTORY
				: attributes.isSymbolicLink() ? FileType.SYMLINK : FileType.OTHER;
		boolean file = attributes.isRegularFile();
		return new FileEntry(path, type, file ? attributes.size() : 0, attributes.lastModifiedTime().toInstant(),
				file && attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE));
	}

	private static @Nullable WorkspacePath child(WorkspacePath path, Path name) {
		String text = FileNames.toText(name);
		if (text == null) {
			return null;
		}
		try {
			return path.child(text);
		}
		catch (SandboxException ex) {
			return null;
		}
	}

}
