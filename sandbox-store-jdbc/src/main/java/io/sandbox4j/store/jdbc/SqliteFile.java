package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The database's file, which nobody else may read: it has what agents were asked and what
 * they answered. SQLite gives the files beside it the mode of this one.
 */
final class SqliteFile {

	private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

	private SqliteFile() {
	}

	/**
	 * Makes the file if it is not there.
	 * @param file the file
	 * @return its address, in which no character of its name is one of the driver's
	 */
	static URI prepare(Path file) {
		Path absolute = file.toAbsolutePath().normalize();
		try {
			Path directory = absolute.getParent();
			if (directory == null) {
				throw new IOException("It is a directory.");
			}
			Files.createDirectories(directory, PRIVATE_DIRECTORY);
			Path real = directory.toRealPath().resolve(absolute.getFileName());
			create(real);
			if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
				throw new IOException("It is no regular file.");
			}
			if (!Files.getPosixFilePermissions(real).equals(PRIVATE)) {
				Files.setPosixFilePermissions(real, PRIVATE);
			}
			return real.toUri();
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "The store's file " + absolute
					+ " cannot be used. Name a file in a directory that this application may write to.", ex);
		}
	}

	private static void create(Path file) throws IOException {
		try {
			Files.createFile(file, PosixFilePermissions.asFileAttribute(PRIVATE));
		}
		catch (FileAlreadyExistsException ex) {
			// The usual case.
		}
	}

}
