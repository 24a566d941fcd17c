package io.sandbox4j.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.sandbox4j.FileType;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is held open: whatever happens to its path, the calls go to this
 * directory. Every name is a single one, as the JDK follows links in the middle of a
 * longer name.
 */
final class OpenDirectory implements Closeable {

	/**
	 * How often something is tried that the guest can foil by chance.
	 */
	static final int ATTEMPTS = 8;

	static final Set<OpenOption> TO_READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	/**
	 * Linux opens a named pipe at once when it is opened for both directions.
	 */
	static final Set<OpenOption> NEVER_WAITING = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
			LinkOption.NOFOLLOW_LINKS);

	private static final Path SELF = Path.of(".");

	private final SecureDirectoryStream<Path> stream;

	private OpenDirectory(DirectoryStream<Path> stream) throws IOException {
		if (!(stream instanceof SecureDirectoryStream)) {
			stream.close();
			throw new IOException("No directory-relative calls on this platform");
		}
		this.stream = (SecureDirectoryStream<Path>) stream;
	}

	/**
	 * Opens a directory of the host's.
	 * @param path the directory, not a link; its parents are trusted
	 * @return the open directory
	 * @throws IOException if it cannot be opened
	 */
	static OpenDirectory at(Path path) throws IOException {
		PosixFileAttributes placed = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		if (!placed.isDirectory()) {
			throw new UnexpectedTypeException(FileType.DIRECTORY, placed);
		}
		OpenDirectory directory = new OpenDirectory(Files.newDirectoryStream(path.resolve(SELF)));
		directory.verify(() -> placed);
		return directory;
	}

	/**
	 * Opens a directory in this one.
	 * <p>
	 * The name is opened with a dot behind it. That fails for all but directories, where
	 * the bare name of a named pipe would block and that of a file leak a descriptor of
	 * the JDK's. It also follows a link that is swapped in between the look and the
	 * opening; so what was opened must be what stands there, unfollowed, afterwards.
	 * While it is open its inode number cannot be given to another directory.
	 * @param name the directory
	 * @return the open directory
	 * @throws IOException if it cannot be opened
	 */
	OpenDirectory child(Path name) throws IOException {
		return open(name, FileType.DIRECTORY, () -> {
			OpenDirectory child = new OpenDirectory(
					this.stream.newDirectoryStream(name.resolve(SELF), LinkOption.NOFOLLOW_LINKS));
			child.verify(() -> attributes(name));
			return child;
		});
	}

	/**
	 * Opens a regular file in this directory. May block for ever if the guest swaps in a
	 * named pipe and the options are not {@link #NEVER_WAITING}: see {@link PipeGuard}.
	 * @param name the file
	 * @param options how it is opened
	 * @return the channel
	 * @throws IOException if it cannot be opened
	 */
	FileChannel file(Path name, Set<OpenOption> options) throws IOException {
		return open(name, FileType.FILE, () -> {
			FileChannel channel = (FileChannel) this.stream.newByteChannel(name, options);
			boolean regular = false;
			try {
				// A pipe has no positions and a directory no bytes, so this fails for
				// both. Devices are not the guest's to make.
				channel.read(ByteBuffer.allocate(1), 0);
				regular = true;
				return channel;
			}
			finally {
				if (!regular) {
					channel.close();
				}
			}
		});
	}

	private <T> T open(Path name, FileType wanted, Opening<T> opening) throws IOException {
		for (int attempt = 1;; attempt++) {
			PosixFileAttributes placed = attributes(name);
			if ((wanted == FileType.DIRECTORY) ? !placed.isDirectory() : !placed.isRegularFile()) {
				throw new UnexpectedTypeException(wanted, placed);
			}
			try {
				return opening.open();
			}
			catch (IOException ex) {
				if (attempt == ATTEMPTS) {
					throw placed.fileKey().equals(attributes(name).fileKey()) ? ex
							: new UnsettledException("Replaced while it was opened");
				}
			}
		}
	}

	FileChannel newFile(Path name, Set<PosixFilePermission> permissions) throws IOException {
		return (FileChannel) this.stream.newByteChannel(name,
				Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
				PosixFilePermissions.asFileAttribute(permissions));
	}

	/**
	 * Opens a named pipe for both directions, which frees whoever waits for its other
	 * end.
	 * @param name the entry that may be the pipe
	 * @throws IOException if it cannot be opened
	 */
	void openOtherEnd(Path name) throws IOException {
		if (attributes(name).isOther()) {
			this.stream.newByteChannel(name, NEVER_WAITING).close();
		}
	}

	OpenDirectory duplicate() throws IOException {
		return new OpenDirectory(this.stream.newDirectoryStream(SELF, LinkOption.NOFOLLOW_LINKS));
	}

	PosixFileAttributes attributes() throws IOException {
		return this.stream.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
	}

	PosixFileAttributes attributes(Path name) throws IOException {
		return view(name).readAttributes();
	}

	@Nullable PosixFileAttributes attributesIfPresent(Path name) throws IOException {
		try {
			return attributes(name);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
		this.stream.getFileAttributeView(PosixFileAttributeView.class).setPermissions(permissions);
	}

	/**
	 * Returns the view of an entry, of a link itself. Its setters open the entry to read,
	 * so they block where {@link #file} does.
	 * @param name the entry
	 * @return its view
	 */
	PosixFileAttributeView view(Path name) {
		return this.stream.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Calls the action for each name in this directory. Can be called once.
	 * @param action what is done with a name
	 * @throws IOException if the directory cannot be read, or by the action
	 */
	void forEach(NameAction action) throws IOException {
		try {
			for (Path entry : this.stream) {
				action.on(entry.getFileName());
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
	}

	/**
	 * Moves an entry.
	 * @param name the entry, which was there a moment ago
	 * @param target the directory it goes to
	 * @param targetName its new name
	 * @throws UnsettledException if the entry or the target is gone
	 * @throws IOException if it cannot be moved
	 */
	void move(Path name, OpenDirectory target, Path targetName) throws IOException {
		try {
			this.stream.move(name, target.stream, targetName);
		}
		catch (NoSuchFileException ex) {
			throw new UnsettledException("The entry or the target directory was removed");
		}
	}

	void deleteFile(Path name) throws IOException {
		this.stream.deleteFile(name);
	}

	void deleteDirectory(Path name) throws IOException {
		this.stream.deleteDirectory(name);
	}

	/**
	 * Flushes the names in this directory to the disk.
	 * @throws IOException if the disk fails
	 */
	void sync() throws IOException {
		try (FileChannel channel = (FileChannel) this.stream.newByteChannel(SELF, TO_READ)) {
			channel.force(true);
		}
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

	private void verify(Placement placement) throws IOException {
		boolean same = false;
		try {
			PosixFileAttributes placed = placement.attributes();
			same = placed.isDirectory() && placed.fileKey().equals(attributes().fileKey());
		}
		finally {
			if (!same) {
				close();
			}
		}
		if (!same) {
			throw new UnsettledException("Replaced while it was opened");
		}
	}

	/**
	 * What is done with a name.
	 */
	interface NameAction {

		void on(Path name) throws IOException;

	}

	/**
	 * One attempt to open an entry.
	 */
	private interface Opening<T> {

		T open() throws IOException;

	}

	/**
	 * What must stand where a directory was opened.
	 */
	private interface Placement {

		PosixFileAttributes attributes() throws IOException;

	}

}
