package io.sandbox4j.git;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * An open directory of the host. Each name is looked up in a directory that is held open
 * and never followed, so that whatever somebody puts in its place, what is read and
 * written is in there.
 */
final class HostDirectory implements Closeable {

	/**
	 * How names begin that a call gives to what it makes, until it is in its place.
	 */
	static final String TEMPORARY = ".sandbox4j-handoff-";

	private static final Path SELF = Path.of(".");

	private final SecureDirectoryStream<Path> stream;

	private HostDirectory(DirectoryStream<Path> stream) throws IOException {
		if (!(stream instanceof SecureDirectoryStream)) {
			stream.close();
			throw new IOException("No directory-relative calls on this platform");
		}
		this.stream = (SecureDirectoryStream<Path>) stream;
	}

	static HostDirectory open(Path path) throws IOException {
		return new HostDirectory(Files.newDirectoryStream(path));
	}

	/**
	 * Opens a directory in this one. The dot behind its name makes the opening fail for
	 * all but directories, but follows a link that was swapped in after the look; so what
	 * was opened must be what stands there afterwards.
	 * @param name the directory
	 * @return the open directory
	 * @throws IOException if it cannot be opened
	 */
	HostDirectory child(String name) throws IOException {
		Path path = HostTree.relative(name);
		requireDirectory(name, attributes(name));
		HostDirectory child = new HostDirectory(
				this.stream.newDirectoryStream(path.resolve(SELF), LinkOption.NOFOLLOW_LINKS));
		boolean same = false;
		try {
			PosixFileAttributes placed = attributes(name);
			requireDirectory(name, placed);
			Object opened = child.stream.getFileAttributeView(PosixFileAttributeView.class).readAttributes().fileKey();
			same = placed != null && placed.fileKey().equals(opened);
			if (!same) {
				throw refused(name, "is being replaced");
			}
			return child;
		}
		finally {
			if (!same) {
				child.close();
			}
		}
	}

	private static void requireDirectory(String name, @Nullable PosixFileAttributes attributes) {
		if (attributes == null || !attributes.isDirectory()) {
			throw refused(name, "is no directory");
		}
	}

	static SandboxException refused(String name, String why) {
		return new SandboxException(ErrorCode.SANDBOX_PATH,
				"'" + CommitText.shown(HostTree.shown(name)) + "' of the host's directory " + why + ".");
	}

	// Can be called once.
	List<String> names() {
		List<String> names = new ArrayList<>();
		for (Path entry : this.stream) {
			names.add(name(entry));
		}
		names.sort(null);
		return names;
	}

	// A character for each byte, whatever the locale.
	private static String name(Path entry) {
		String uri = Path.of("/").resolve(entry.getFileName()).toUri().getRawPath();
		StringBuilder name = new StringBuilder();
		for (int i = 1; i < uri.length(); i++) {
			if (uri.charAt(i) == '%') {
				name.append((char) Integer.parseInt(uri, i + 1, i + 3, 16));
				i += 2;
			}
			else if (uri.charAt(i) != '/') {
				name.append(uri.charAt(i));
			}
		}
		return name.toString();
	}

	@Nullable PosixFileAttributes attributes(String name) throws IOException {
		try {
			return view(name).readAttributes();
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	private PosixFileAttributeView view(String name) {
		return this.stream.getFileAttributeView(HostTree.relative(name), PosixFileAttributeView.class,
				LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Reads a regular file.
	 * @param name the file
	 * @param most how many bytes are read at most
	 * @return its bytes, or the first of them
	 * @throws IOException if it cannot be read
	 */
	byte[] read(String name, int most) throws IOException {
		try (SeekableByteChannel channel = this.stream.newByteChannel(HostTree.relative(name),
				Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
			return Channels.newInputStream(channel).readNBytes(most);
		}
	}

	/**
	 * Writes a file that readers see whole or not at all. What stands in its place must
	 * be a regular file, whose permissions it gets.
	 * @param root an open directory on the same file system, where the file is made
	 * @param name the file
	 * @param content its bytes
	 * @throws IOException if it cannot be written; nothing of it is left then
	 */
	void write(HostDirectory root, String name, byte[] content) throws IOException {
		PosixFileAttributes old = attributes(name);
		if (old != null && !old.isRegularFile()) {
			throw refused(name, "is no file");
		}
		String fresh = temporaryName();
		boolean moved = false;
		try {
			try (OutputStream output = Channels.newOutputStream(root.stream.newByteChannel(HostTree.relative(fresh),
					Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"))))) {
				output.write(content);
			}
			root.own(fresh);
			if (old != null) {
				root.view(fresh).setPermissions(old.permissions());
			}
			root.stream.move(HostTree.relative(fresh), this.stream, HostTree.relative(name));
			moved = true;
		}
		finally {
			if (!moved) {
				root.delete(fresh);
			}
		}
	}

	void deleteTemporary() throws IOException {
		for (String name : names()) {
			PosixFileAttributes attributes = name.startsWith(TEMPORARY) ? attributes(name) : null;
			if (attributes != null && attributes.isDirectory()) {
				this.stream.deleteDirectory(HostTree.relative(name));
			}
			else if (attributes != null) {
				delete(name);
			}
		}
	}

	private void delete(String name) throws IOException {
		try {
			this.stream.deleteFile(HostTree.relative(name));
		}
		catch (NoSuchFileException ex) {
			return;
		}
	}

	/**
	 * Opens a directory in this one, and makes it if there is nothing of its name. The
	 * JDK makes directories by path alone, so it is made in the root and moved.
	 * @param root the open root, on the same file system
	 * @param rootPath the root's path
	 * @param name the directory
	 * @return the open directory
	 * @throws IOException if it cannot be made
	 */
	HostDirectory childOrNew(HostDirectory root, Path rootPath, String name) throws IOException {
		if (attributes(name) == null) {
			String fresh = temporaryName();
			Files.createDirectory(rootPath.resolve(fresh));
			boolean moved = false;
			try {
				root.own(fresh);
				root.stream.move(HostTree.relative(fresh), this.stream, HostTree.relative(name));
				moved = true;
			}
			finally {
				if (!moved) {
					root.stream.deleteDirectory(HostTree.relative(fresh));
				}
			}
		}
		return child(name);
	}

	private static String temporaryName() {
		return TEMPORARY + UUID.randomUUID().toString().replace("-", "");
	}

	// Root writes for whoever owns the directory.
	private void own(String name) throws IOException {
		PosixFileAttributes own = this.stream.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
		PosixFileAttributes made = view(name).readAttributes();
		if (!made.owner().equals(own.owner())) {
			view(name).setGroup(own.group());
			view(name).setOwner(own.owner());
		}
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

}
