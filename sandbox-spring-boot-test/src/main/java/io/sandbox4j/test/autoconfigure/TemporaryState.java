package io.sandbox4j.test.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directories of a real backend, which are deleted with the context. It is made
 * before the backend, and so destroyed after it.
 */
final class TemporaryState implements AutoCloseable {

	private final Path directory;

	private TemporaryState(Path directory) {
		this.directory = directory;
	}

	static TemporaryState create() {
		try {
			Path directory = Files.createTempDirectory("s4j-");
			// The guest's user passes it.
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
			return new TemporaryState(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The directory of a test's sandboxes could not be made", ex);
		}
	}

	Path state() {
		return this.directory.resolve("state");
	}

	Path runtime() {
		return this.directory.resolve("run");
	}

	@Override
	public void close() {
		try {
			delete(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The directory of a test's sandboxes could not be deleted", ex);
		}
	}

	// No guest lives any more, but one may have locked its directories.
	private static void delete(Path path) throws IOException {
		if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
			if (!Files.isWritable(path) || !Files.isExecutable(path) || !Files.isReadable(path)) {
				Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
			}
			try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
				for (Path entry : entries) {
					delete(entry);
				}
			}
		}
		Files.deleteIfExists(path);
	}

}
