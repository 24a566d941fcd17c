package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Makes the state directory and refuses one that others could change, or that the user
 * who owns the workspaces could not pass through.
 */
final class Directories {

	static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

	static final Set<PosixFilePermission> PASSABLE = PosixFilePermissions.fromString("rwx--x--x");

	private static final String PROPERTY = "'sandbox.state-directory'";

	private static final int WRITABLE_BY_OTHERS = 0022;

	private final @Nullable FileOwner guest;

	Directories(@Nullable FileOwner guest) {
		this.guest = guest;
	}

	/**
	 * Makes a directory if it is absent, and checks it.
	 * @param directory the directory
	 * @return its real path
	 */
	Path prepare(Path directory) {
		try {
			make(directory.toAbsolutePath().normalize());
			Path real = directory.toRealPath();
			check(real);
			return real;
		}
		catch (IOException ex) {
			throw StorageFailures.unusable(PROPERTY + " '" + directory + "' cannot be made or opened (" + ex + ").",
					"Name a directory that user " + currentUid() + " can make and write.", ex);
		}
	}

	Set<PosixFilePermission> passable() {
		return (this.guest != null) ? PASSABLE : PRIVATE;
	}

	/**
	 * Makes a directory of the store, or adds what is missing to the mode of one that is
	 * there. Nothing is taken away: another process may need it.
	 * @param directory the directory
	 * @param mode its mode, whatever the process's umask
	 * @throws IOException if it cannot be made
	 */
	static void make(Path directory, Set<PosixFilePermission> mode) throws IOException {
		try {
			Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
		}
		catch (FileAlreadyExistsException ex) {
			if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
				throw ex;
			}
		}
		Set<PosixFilePermission> present = Files.getPosixFilePermissions(directory);
		if (!present.containsAll(mode)) {
			present.addAll(mode);
			Files.setPosixFilePermissions(directory, present);
		}
	}

	private void make(Path directory) throws IOException {
		Deque<Path> missing = new ArrayDeque<>();
		for (Path path = directory; path != null && !Files.exists(path); path = path.getParent()) {
			missing.push(path);
		}
		for (Path path : missing) {
			try {
				Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE));
				Files.setPosixFilePermissions(path, passable());
			}
			catch (FileAlreadyExistsException ex) {
				// Another process makes the same directory.
			}
		}
	}

	private void check(Path directory) throws IOException {
		if (!Files.isDirectory(directory)) {
			throw StorageFailures.unusable(PROPERTY + " '" + directory + "' is no directory.", "Name another path.",
					null);
		}
		String type = Files.getFileStore(directory).type();
		if (NetworkFileSystems.contains(type)) {
			throw StorageFailures.unusable(
					PROPERTY + " '" + directory + "' is on a network file system (" + type
							+ "), where locks and process ids prove nothing between hosts.",
					"Name a directory on a local disk.", null);
		}
		Map<String, Object> attributes = Files.readAttributes(directory, "unix:uid,mode");
		int uid = number(attributes, "uid");
		int mode = number(attributes, "mode");
		if (uid != 0 && uid != currentUid()) {
			throw StorageFailures.unusable(
					PROPERTY + " '" + directory + "' belongs to user " + uid + ", who could replace what is in it.",
					"Run 'chown " + currentUid() + " " + directory + "', or name another directory.", null);
		}
		if ((mode & WRITABLE_BY_OTHERS) != 0) {
			throw StorageFailures.unusable(PROPERTY + " '" + directory + "' can be written by others (mode "
					+ Integer.toOctalString(mode & 07777) + ").", "Run 'chmod go-w " + directory + "'.", null);
		}
		if (!Files.isWritable(directory)) {
			throw StorageFailures.unusable(
					PROPERTY + " '" + directory + "' cannot be written by user " + currentUid() + ".",
					"Change its owner or mode, or name another directory.", null);
		}
		FileOwner passing = this.guest;
		for (Path path = directory; path != null && passing != null; path = path.getParent()) {
			checkPassable(path, passing);
		}
	}

	private static void checkPassable(Path directory, FileOwner owner) throws IOException {
		Map<String, Object> attributes = Files.readAttributes(directory, "unix:uid,gid,mode");
		int mode = number(attributes, "mode");
		int execute = 01;
		if (number(attributes, "uid") == owner.uid()) {
			execute = 0100;
		}
		else if (number(attributes, "gid") == owner.gid()) {
			execute = 010;
		}
		if ((mode & execute) == 0) {
			throw StorageFailures.unusable(
					"User " + owner.uid() + ", who runs the commands, cannot pass through '" + directory
							+ "' to the sessions in " + PROPERTY + ".",
					"Run 'chmod o+x " + directory + "', or name another directory.", null);
		}
	}

	private static int number(Map<String, Object> attributes, String name) throws IOException {
		if (attributes.get(name) instanceof Integer number) {
			return number;
		}
		throw new IOException("The file system does not tell '" + name + "'");
	}

	static int currentUid() {
		try {
			for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
				if (line.startsWith("Uid:")) {
					return Integer.parseInt(line.split("\\s+")[2]);
				}
			}
		}
		catch (IOException ex) {
			// Only Linux has it, and only Linux gets here.
		}
		return -1;
	}

}
