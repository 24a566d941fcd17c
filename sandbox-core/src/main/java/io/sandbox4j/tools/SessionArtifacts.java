package io.sandbox4j.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outputs of one session: a directory with a file for each, which has the name of its
 * reference and never changes. Another process may remove any of it at any time; within a
 * process one thread at a time may change it.
 */
final class SessionArtifacts {

	private static final Logger logger = LoggerFactory.getLogger(SessionArtifacts.class);

	/**
	 * How many outputs a session keeps at most. Without it, empty ones would cost nothing
	 * of the quota, and the host could run out of files.
	 */
	static final int MAX_ARTIFACTS = 4_096;

	/**
	 * After which time a file that is not complete was left by a crash.
	 */
	static final Duration LEFTOVER = Duration.ofMinutes(10);

	private static final Pattern REFERENCE = Pattern.compile("[0-9a-f]{32}");

	private static final Pattern TEMPORARY = Pattern.compile("\\.[0-9a-f]{32}\\.tmp");

	private static final FileAttribute<Set<PosixFilePermission>> MODE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final int ATTEMPTS = 100;

	private final Path directory;

	private final Retention retention;

	SessionArtifacts(Path directory, Retention retention) {
		this.directory = directory;
		this.retention = retention;
	}

	static boolean isReference(String text) {
		return REFERENCE.matcher(text).matches();
	}

	/**
	 * Writes an output, at most as large as the quota.
	 * @param reference its reference
	 * @param content its bytes
	 * @throws IOException if it cannot be written; nothing of it stays
	 */
	void put(String reference, byte[] content) throws IOException {
		for (int attempt = 1; true; attempt++) {
			try {
				write(reference, content);
				return;
			}
			catch (NoSuchFileException ex) {
				// Another process removed the session, or swept its empty directory.
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	private void write(String reference, byte[] content) throws IOException {
		PrivateDirectory.make(this.directory);
		Instant time = makeRoom(content.length);
		Path temporary = this.directory.resolve("." + reference + ".tmp");
		try {
			Files.createFile(temporary, MODE);
			Files.write(temporary, content, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
			Files.setLastModifiedTime(temporary, FileTime.from(time));
			Files.move(temporary, this.directory.resolve(reference), StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(temporary);
		}
	}

	// Returns the time of the new output. It is later than that of all others, also when
	// the clock stands or was set back: the order of the times is the order of removal.
	private Instant makeRoom(long bytes) throws IOException {
		List<Artifact> artifacts = list();
		long used = artifacts.stream().mapToLong(Artifact::bytes).sum();
		int count = artifacts.size();
		Instant time = this.retention.clock().instant().truncatedTo(ChronoUnit.MICROS);
		for (Artifact artifact : artifacts) {
			if (used > this.retention.quotaBytes() - bytes || count >= MAX_ARTIFACTS) {
				Files.deleteIfExists(artifact.file());
				used -= artifact.bytes();
				count--;
			}
			if (!artifact.modified().isBefore(time)) {
				time = artifact.modified().plus(1, ChronoUnit.MICROS);
			}
		}
		return time;
	}

	// The oldest first.
	private List<Artifact> list() throws IOException {
		List<Artifact> artifacts = new ArrayList<>();
		for (Path file : PrivateDirectory.entries(this.directory)) {
			BasicFileAttributes attributes = isReference(name(file)) ? attributes(file) : null;
			if (attributes != null && attributes.isRegularFile()) {
				Instant modified = attributes.lastModifiedTime().toInstant();
				if (this.retention.isExpired(modified)) {
					Files.deleteIfExists(file);
				}
				else {
					artifacts.add(new Artifact(file, attributes.size(), modified));
				}
			}
		}
		artifacts.sort(Comparator.comparing(Artifact::modified));
		return artifacts;
	}

	private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
		try {
			return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	private static String name(Path file) {
		return file.getFileName().toString();
	}

	/**
	 * Returns the size of an output.
	 * @param reference its reference
	 * @return its bytes
	 * @throws NoSuchFileException if there is none, or it is expired
	 * @throws IOException if it cannot be looked at
	 */
	long size(String reference) throws IOException {
		Path file = this.directory.resolve(reference);
		BasicFileAttributes attributes = PrivateDirectory.isReal(this.directory) ? attributes(file) : null;
		if (attributes == null || !attributes.isRegularFile()
				|| this.retention.isExpired(attributes.lastModifiedTime().toInstant())) {
			throw new NoSuchFileException(file.toString());
		}
		return attributes.size();
	}

	/**
	 * Opens an output, whether or not it is expired. The stream is one that an interrupt
	 * does not close.
	 * @param reference its reference
	 * @return the stream
	 * @throws IOException if it cannot be opened
	 */
	InputStream open(String reference) throws IOException {
		return Files.newInputStream(this.directory.resolve(reference), LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Removes what is expired and what a crash left, and the directory if nothing stays.
	 * @throws IOException if something cannot be removed
	 */
	void sweep() throws IOException {
		boolean empty = true;
		for (Path file : PrivateDirectory.entries(this.directory)) {
			BasicFileAttributes attributes = attributes(file);
			if (attributes != null && isOld(file, attributes)) {
				Files.deleteIfExists(file);
			}
			else if (attributes != null) {
				empty = false;
			}
		}
		if (empty) {
			removeIfEmpty();
		}
	}

	private boolean isOld(Path file, BasicFileAttributes attributes) {
		Instant modified = attributes.lastModifiedTime().toInstant();
		if (!attributes.isRegularFile()) {
			return false;
		}
		return isReference(name(file)) ? this.retention.isExpired(modified)
				: TEMPORARY.matcher(name(file)).matches() && this.retention.isOlder(modified, LEFTOVER);
	}

	/**
	 * Removes everything that is there. What another process writes meanwhile stays, and
	 * the directory with it.
	 * @throws IOException if something cannot be removed
	 */
	void removeAll() throws IOException {
		for (Path file : PrivateDirectory.entries(this.directory)) {
			if (!PrivateDirectory.isReal(file)) {
				Files.deleteIfExists(file);
			}
		}
		removeIfEmpty();
	}

	private void removeIfEmpty() throws IOException {
		try {
			if (PrivateDirectory.isReal(this.directory)) {
				Files.deleteIfExists(this.directory);
			}
		}
		catch (DirectoryNotEmptyException ex) {
			logger.trace("An output came meanwhile", ex);
		}
	}

	private record Artifact(Path file, long bytes, Instant modified) {

	}

}
