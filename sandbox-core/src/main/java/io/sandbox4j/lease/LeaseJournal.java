package io.sandbox4j.lease;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The leases of a process on disk: one document of mode 0600 for each session, replaced
 * as a whole. One process at a time has the directory. Nothing is flushed to the disk.
 */
final class LeaseJournal implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeaseJournal.class);

	private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

	private static final Set<PosixFilePermission> PRIVATE_FILE = PosixFilePermissions.fromString("rw-------");

	private static final Set<PosixFilePermission> WRITABLE = Set.of(PosixFilePermission.GROUP_WRITE,
			PosixFilePermission.OTHERS_WRITE);

	private static final int MAX_BYTES = 64 * 1024;

	private static final String SUFFIX = ".json";

	private static final String TEMPORARY = ".tmp";

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final Path directory;

	private final JournalLock lock;

	private LeaseJournal(Path directory, JournalLock lock) {
		this.directory = directory;
		this.lock = lock;
	}

	/**
	 * Opens a journal.
	 * @param directory the directory, made if missing
	 * @return the journal
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if somebody has it,
	 * {@link ErrorCode#SANDBOX_UNAVAILABLE} if it cannot be used
	 */
	static LeaseJournal open(Path directory) {
		try {
			Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
			Path real = directory.toRealPath();
			if (Files.getPosixFilePermissions(real).stream().anyMatch(WRITABLE::contains)) {
				throw unusable(directory, "can be written by others. Run 'chmod go-w' on it", null);
			}
			JournalLock lock = JournalLock.tryLock(real.resolve("lock"));
			if (lock == null) {
				throw new SandboxException(ErrorCode.SANDBOX_BUSY, "'sandbox.lease.journal.directory' '" + directory
						+ "' is used by another application, or by other leases of this one. Name another directory.");
			}
			return new LeaseJournal(real, lock);
		}
		catch (IOException | UnsupportedOperationException ex) {
			throw unusable(directory, "cannot be made or opened", ex);
		}
	}

	private static SandboxException unusable(Path directory, String why, @Nullable Throwable cause) {
		return new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
				"'sandbox.lease.journal.directory' '" + directory + "' " + why + ".", cause);
	}

	void write(LeaseRecord lease) {
		Path file = file(lease.sessionId());
		Path temporary = this.directory.resolve(UUID.randomUUID() + TEMPORARY);
		boolean interrupted = Thread.interrupted();
		try {
			try {
				Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
				interrupted |= fill(temporary, MAPPER.writeValueAsBytes(lease));
				Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
			}
			finally {
				Files.deleteIfExists(temporary);
			}
		}
		catch (IOException ex) {
			throw unusable(this.directory, "cannot be written", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	// An interrupt closes the channel, and half a document is none.
	private static boolean fill(Path file, byte[] content) throws IOException {
		boolean interrupted = false;
		while (true) {
			try {
				Files.write(file, content, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
				return interrupted;
			}
			catch (ClosedByInterruptException ex) {
				interrupted |= Thread.interrupted();
			}
		}
	}

	void remove(String sessionId) {
		try {
			Files.deleteIfExists(file(sessionId));
		}
		catch (IOException ex) {
			throw unusable(this.directory, "cannot be written", ex);
		}
	}

	/**
	 * Reads what is there, and removes what cannot be understood.
	 * @return the leases, and how many files were removed
	 */
	Content read() {
		List<LeaseRecord> leases = new ArrayList<>();
		int broken = 0;
		try (DirectoryStream<Path> files = Files.newDirectoryStream(this.directory, "*{.json,.tmp}")) {
			for (Path file : files) {
				LeaseRecord lease = read(file);
				if (lease != null) {
					leases.add(lease);
				}
				else if (removed(file) && file.toString().endsWith(SUFFIX)) {
					broken++;
				}
			}
		}
		catch (IOException ex) {
			throw unusable(this.directory, "cannot be read", ex);
		}
		return new Content(leases, broken);
	}

	private @Nullable LeaseRecord read(Path file) throws IOException {
		// A FIFO would block the open for ever.
		if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || file.toString().endsWith(TEMPORARY)) {
			return null;
		}
		byte[] content;
		try (InputStream stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
			content = stream.readNBytes(MAX_BYTES);
		}
		try {
			LeaseRecord lease = MAPPER.readValue(content, LeaseRecord.class);
			return (lease != null && file(lease.sessionId()).equals(file)) ? lease : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static boolean removed(Path file) {
		try {
			Files.delete(file);
			return true;
		}
		catch (IOException ex) {
			logger.warn("A damaged file of the journal of leases could not be removed", ex);
			return false;
		}
	}

	// Ids of other backends may be anything.
	private Path file(String sessionId) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(sessionId.getBytes(StandardCharsets.UTF_8));
			return this.directory.resolve(HexFormat.of().formatHex(digest) + SUFFIX);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.lock.close();
		}
		catch (IOException ex) {
			logger.warn("The journal of leases could not be closed", ex);
		}
	}

	/**
	 * What a journal held.
	 *
	 * @param leases the leases
	 * @param broken how many files could not be understood
	 */
	record Content(List<LeaseRecord> leases, int broken) {

	}

}
