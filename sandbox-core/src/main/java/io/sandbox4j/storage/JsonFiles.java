package io.sandbox4j.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Small JSON documents of mode 0600, each replaced as a whole: a reader sees the old or
 * the new one, never half of it.
 */
final class JsonFiles {

	static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final int MAX_BYTES = 64 * 1024;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final Sync sync;

	JsonFiles(Sync sync) {
		this.sync = sync;
	}

	/**
	 * Reads a document.
	 * @param <T> its type
	 * @param file where it is
	 * @param type its type
	 * @return the document, or {@code null} if there is none
	 * @throws BrokenException if it is no such document
	 * @throws IOException if it cannot be read
	 */
	static <T> @Nullable T read(Path file, Class<T> type) throws IOException {
		byte[] bytes;
		try {
			// A FIFO would block the open for ever.
			if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isRegularFile()) {
				throw new BrokenException(file, null);
			}
			try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
				bytes = in.readNBytes(MAX_BYTES);
			}
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		try {
			T value = MAPPER.readValue(bytes, type);
			if (value == null) {
				throw new BrokenException(file, null);
			}
			return value;
		}
		catch (JacksonException ex) {
			throw new BrokenException(file, ex);
		}
	}

	static byte[] bytes(Object value) {
		return MAPPER.writeValueAsBytes(value);
	}

	void write(Path file, Object value) throws IOException {
		Path directory = file.toAbsolutePath().getParent();
		Path temporary = file.resolveSibling(file.getFileName() + "." + RandomIds.next().substring(0, 16) + ".tmp");
		try {
			Files.createFile(temporary, PRIVATE_FILE);
			Files.write(temporary, bytes(value), StandardOpenOption.WRITE);
			this.sync.file(temporary);
			Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(temporary);
		}
		if (directory != null) {
			this.sync.directory(directory);
		}
	}

	/**
	 * A document that cannot be understood.
	 */
	static final class BrokenException extends IOException {

		BrokenException(Path file, @Nullable Throwable cause) {
			super("'" + file + "' is damaged", cause);
		}

	}

}
