package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.storage.Guests;
import io.sandbox4j.storage.MarkedProcesses;
import io.sandbox4j.storage.ProcessIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lives no longer than the application: one directory for each backend object, named
 * after the process, with one directory for each running session. Directories of
 * processes that are gone are swept at start.
 */
final class RuntimeDirectory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RuntimeDirectory.class);

	/**
	 * How many characters of a session's id its directory is named after.
	 */
	static final int SESSION_NAME = 12;

	private static final int GROUP_OTHER_WRITE = 022;

	private static final int RANDOM = 3;

	private static final String NAMESPACE_FILE = "pid-namespace";

	private final Path instance;

	private final int swept;

	private RuntimeDirectory(Path instance, int swept) {
		this.instance = instance;
		this.swept = swept;
	}

	/**
	 * Returns where runtime directories go unless configured: below {@code /run} for
	 * root, else below {@code XDG_RUNTIME_DIR}, else below {@code /tmp}.
	 * @param uid this process's user
	 * @param userRuntimeDirectory what {@code XDG_RUNTIME_DIR} says
	 * @return the directory
	 */
	static Path defaultBase(int uid, @Nullable String userRuntimeDirectory) {
		if (uid == 0) {
			return Path.of("/run/sandbox4j");
		}
		if (userRuntimeDirectory != null && Files.isWritable(Path.of(userRuntimeDirectory))) {
			return Path.of(userRuntimeDirectory, "sandbox4j");
		}
		return Path.of("/tmp/sandbox4j-" + uid);
	}

	/**
	 * Makes this process's directory.
	 * @param base where; made if missing. One that is there must be ours: below
	 * {@code /tmp} anybody can put a directory, or a link to one of our own, in its
	 * place.
	 * @param uid this process's user
	 * @return the directory
	 */
	static RuntimeDirectory open(Path base, int uid) {
		try {
			make(base);
			if (owner(base) != uid && owner(base) != 0) {
				throw unusable(base, "is a link or directory of another user", null);
			}
			Path real = base.toRealPath();
			if (owner(real) != uid) {
				throw unusable(base, "belongs to another user", null);
			}
			if ((mode(real) & GROUP_OTHER_WRITE) != 0) {
				throw unusable(base, "can be written by other users", null);
			}
			int swept = sweep(real);
			ProcessIdentity self = ProcessIdentity.self();
			byte[] random = new byte[RANDOM];
			new SecureRandom().nextBytes(random);
			Path instance = real.resolve(name(HexFormat.of().formatHex(random)));
			Files.createDirectory(instance);
			Files.setPosixFilePermissions(instance, PosixFilePermissions.fromString("rwx--x--x"));
			Files.writeString(instance.resolve(NAMESPACE_FILE), self.bootId() + "\n" + self.pidNamespace());
			return new RuntimeDirectory(instance, swept);
		}
		catch (IOException ex) {
			throw unusable(base, "cannot be used", ex);
		}
	}

	private static String name(String random) {
		ProcessIdentity self = ProcessIdentity.self();
		return self.pid() + "-" + self.startTicks() + "-" + random;
	}

	// Searchable, so that bubblewrap, under the guest's user, reaches what it mounts. One
	// that
	// is there keeps its mode: whoever made it chose it.
	private static void make(Path base) throws IOException {
		if (!Files.exists(base)) {
			Path parent = base.getParent();
			if (parent != null) {
				Files.createDirectories(parent);
			}
			try {
				Files.createDirectory(base);
				Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
			}
			catch (FileAlreadyExistsException ex) {
				logger.debug("Another process makes {} too", base);
			}
		}
	}

	private static int owner(Path path) throws IOException {
		return (int) Objects.requireNonNull(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
	}

	private static int mode(Path path) throws IOException {
		return (int) Objects.requireNonNull(Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS));
	}

	static SandboxUnavailableException unusable(Path base, String what, @Nullable Exception cause) {
		return new SandboxUnavailableException(Cause.DIRECTORY_UNUSABLE,
				"The runtime directory " + base + " " + what + ".",
				"Set 'sandbox.runtime-directory' to a directory of the application's own user, best on a tmpfs.",
				cause);
	}

	Path path() {
		return this.instance;
	}

	/**
	 * Returns what stands in place of a session's id in the probe's sandbox.
	 * @return the id
	 */
	String probeId() {
		return probeId(this.instance);
	}

	private static String probeId(Path instance) {
		return "probe-" + instance.getFileName();
	}

	/**
	 * Returns how many directories of processes that are gone were removed.
	 * @return the count
	 */
	int swept() {
		return this.swept;
	}

	/**
	 * Makes a directory in this one.
	 * @param name its name
	 * @return the directory
	 */
	Path create(String name) {
		try {
			Path directory = Files.createDirectory(this.instance.resolve(name));
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
			return directory;
		}
		catch (IOException ex) {
			throw unusable(this.instance, "cannot be written", ex);
		}
	}

	/**
	 * Removes a directory and everything in it. It holds nothing that a guest can write.
	 * @param directory the directory
	 */
	static void remove(Path directory) {
		try {
			Files.walkFileTree(directory, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
					Files.deleteIfExists(file);
					return FileVisitResult.CONTINUE;
				}

				@Override
				public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException ex) throws IOException {
					Files.deleteIfExists(visited);
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (NoSuchFileException ex) {
			logger.debug("{} is gone already", directory);
		}
		catch (IOException ex) {
			logger.warn("Could not remove the runtime directory {}; the next start tries again", directory, ex);
		}
	}

	private static int sweep(Path base) throws IOException {
		int removed = 0;
		try (DirectoryStream<Path> instances = Files.newDirectoryStream(base)) {
			for (Path instance : instances) {
				if (isLeftover(instance)) {
					MarkedProcesses.with(Guests.marker(probeId(instance))).forEach(ProcessIdentity::kill);
					remove(instance);
					removed++;
				}
			}
		}
		return removed;
	}

	private static boolean isLeftover(Path instance) {
		String[] name = instance.getFileName().toString().split("-");
		if (name.length != 3 || !Files.isDirectory(instance, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		try {
			String[] where = Files.readString(instance.resolve(NAMESPACE_FILE)).split("\n");
			ProcessIdentity owner = new ProcessIdentity(Long.parseLong(name[0]), Long.parseLong(name[1]), where[0],
					where[1]);
			boolean otherBoot = !owner.bootId().equals(ProcessIdentity.self().bootId());
			// A process of another PID namespace cannot be seen from here: not ours to
			// judge.
			return otherBoot || (owner.isLocal() && !owner.isAlive());
		}
		catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException ex) {
			logger.debug("{} is no directory of ours, or is being made", instance, ex);
			return false;
		}
	}

	@Override
	public void close() {
		remove(this.instance);
	}

}
