package io.sandbox4j.tools;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes directories that only this user can enter, and tells what is wrong with one that
 * is there already.
 */
final class PrivateDirectory {

	private static final Logger logger = LoggerFactory.getLogger(PrivateDirectory.class);

	private static final FileAttribute<Set<PosixFilePermission>> MODE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private static final int WRITABLE_BY_OTHERS = 0022;

	private static final int USABLE_BY_OWNER = 0700;

	private PrivateDirectory() {
	}

	/**
	 * Makes a directory and its parents. The mode is given to the kernel with the name,
	 * so there is no moment at which others can enter.
	 * @param directory the directory; one that is there is left as it is
	 * @throws IOException if it cannot be made
	 */
	static void makeAll(Path directory) throws IOException {
		Files.createDirectories(directory, MODE);
	}

	/**
	 * Makes a directory in one that is there.
	 * @param directory the directory; one that is there is left as it is
	 * @throws IOException if it cannot be made, or what is there is no directory
	 */
	static void make(Path directory) throws IOException {
		try {
			Files.createDirectory(directory, MODE);
		}
		catch (FileAlreadyExistsException ex) {
			requireDirectory(directory);
		}
	}

	// One look: another process may remove the directory meanwhile, and then it is no
	// directory at the second.
	private static void requireDirectory(Path directory) throws IOException {
		try {
			if (!Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isDirectory()) {
				throw new NotDirectoryException(directory.toString());
			}
		}
		catch (NoSuchFileException ex) {
			logger.trace("A directory went as it was looked at", ex);
		}
	}

	static boolean isReal(Path directory) {
		return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Looks for what would let others read or replace what is in a directory.
	 * @param directory the directory
	 * @return the flaw, or {@code null}
	 * @throws IOException if it cannot be looked at
	 */
	static @Nullable Flaw flaw(Path directory) throws IOException {
		if (Files.isSymbolicLink(directory)) {
			return new Flaw("is a symbolic link", "Name the directory that it leads to.");
		}
		if (!isReal(directory)) {
			return new Flaw("is no directory", "Name another path.");
		}
		Map<String, Object> attributes = Files.readAttributes(directory, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
		int uid = number(attributes, "uid");
		int mode = number(attributes, "mode");
		if (uid != currentUid()) {
			return new Flaw("belongs to user " + uid + ", not to user " + currentUid(),
					"Name a directory of the application's own user.");
		}
		if ((mode & WRITABLE_BY_OTHERS) != 0) {
			return new Flaw("can be written by others (mode " + Integer.toOctalString(mode & 07777) + ")",
					"Run 'chmod go-w " + directory + "'.");
		}
		if ((mode & USABLE_BY_OWNER) != USABLE_BY_OWNER || !Files.isWritable(directory)) {
			return new Flaw("cannot be read and written by its owner", "Run 'chmod u+rwx " + directory + "'.");
		}
		return null;
	}

	private static int number(Map<String, Object> attributes, String name) throws IOException {
		if (attributes.get(name) instanceof Integer number) {
			return number;
		}
		throw new IOException("The file system does not tell '" + name + "'");
	}

	// The effective user: it owns what this process makes.
	private static int currentUid() throws IOException {
		for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
			if (line.startsWith("Uid:")) {
				return Integer.parseInt(line.split("\\s+")[2]);
			}
		}
		throw new IOException("The kernel does not tell this process's user");
	}

	/**
	 * Lists a directory.
	 * @param directory the directory
	 * @return its entries in no order; none if it is gone
	 * @throws IOException if it cannot be read
	 */
	static List<Path> entries(Path directory) throws IOException {
		List<Path> entries = new ArrayList<>();
		if (isReal(directory)) {
			try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
				stream.forEach(entries::add);
			}
			catch (NoSuchFileException ex) {
				return List.of();
			}
			catch (DirectoryIteratorException ex) {
				throw ex.getCause();
			}
		}
		return entries;
	}

	/**
	 * Why a directory cannot be used.
	 *
	 * @param what the flaw, to follow the directory's name in a sentence
	 * @param remedy a sentence that says what to do
	 */
	record Flaw(String what, String remedy) {

	}

}
