package io.sandbox4j.checkpoint;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A store in a directory. Several processes may share it; readers take no lock and
 * writers wait for nobody.
 * <p>
 * An object is written beside and then given its name by a hard link, which fails if the
 * name is taken. A reference is a directory with one file for each version: whoever links
 * the next number has changed it. The file system must have hard links, and must show
 * every process the same: a local one, or NFS with a single client.
 * <p>
 * The directory must belong to the application's user and be closed to others: it holds
 * whatever the workspaces held, secrets included.
 *
 * @since 0.1.0
 */
public final class FileSnapshotStore implements SnapshotStore {

	private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final int MAX_REF = 4 << 20;

	private final Path objects;

	private final Path refs;

	private final Path incoming;

	private final boolean powerLoss;

	private FileSnapshotStore(Path directory, boolean powerLoss) {
		this.objects = directory.resolve("objects");
		this.refs = directory.resolve("refs");
		this.incoming = directory.resolve("incoming");
		this.powerLoss = powerLoss;
	}

	/**
	 * Opens a store whose checkpoints survive the end of the application, however it
	 * ends. After a power failure the newest may be lost or damaged.
	 * @param directory the directory, made if absent
	 * @return the store
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if the directory
	 * cannot be used
	 */
	public static FileSnapshotStore open(Path directory) {
		return open(directory, false);
	}

	/**
	 * Opens a store.
	 * @param directory the directory, made if absent
	 * @param powerLoss whether what was written must survive a power failure too, which
	 * makes every write wait for the disk
	 * @return the store
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if the directory
	 * cannot be used
	 */
	public static FileSnapshotStore open(Path directory, boolean powerLoss) {
		Path root = directory.toAbsolutePath().normalize();
		FileSnapshotStore store = new FileSnapshotStore(root, powerLoss);
		try {
			for (Path made : List.of(root, store.objects, store.refs, store.incoming)) {
				Files.createDirectories(made, PRIVATE);
			}
			Set<PosixFilePermission> mode = Files.getPosixFilePermissions(root, LinkOption.NOFOLLOW_LINKS);
			if (mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
						"The directory of the snapshot store can be written by others. Run 'chmod go-w' on it.");
			}
		}
		catch (IOException | UnsupportedOperationException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The directory of the snapshot store cannot be made or opened. "
							+ "Name one that the application's user can make and write.",
					ex);
		}
		return store;
	}

	@Override
	public SnapshotUpload create(String name) {
		Path target = this.objects.resolve(StoreNames.require(name));
		Path part = this.incoming.resolve(StoreNames.random());
		try {
			return new FileUpload(part, target, createPart(part));
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	private static FileChannel createPart(Path part) throws IOException {
		return FileChannel.open(part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE_FILE);
	}

	@Override
	public InputStream open(String name, long offset, long length) {
		try {
			FileChannel channel = FileChannel.open(this.objects.resolve(StoreNames.require(name)),
					StandardOpenOption.READ);
			channel.position(offset);
			return new BoundedInput(Channels.newInputStream(channel), length);
		}
		catch (NoSuchFileException ex) {
			throw notFound(name, ex);
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public long size(String name) {
		try {
			return Files.size(this.objects.resolve(StoreNames.require(name)));
		}
		catch (NoSuchFileException ex) {
			throw notFound(name, ex);
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	private static SandboxException notFound(String name, IOException cause) {
		return new SandboxException(ErrorCode.SANDBOX_NOT_FOUND, "The snapshot store has no '" + name + "'.", cause);
	}

	@Override
	public List<String> list(String prefix) {
		return names(this.objects, prefix, false);
	}

	@Override
	public List<String> refs(String prefix) {
		return names(this.refs, prefix, true);
	}

	// A reference is the directory of its versions.
	private List<String> names(Path root, String prefix, boolean parents) {
		Path start = root.resolve(StoreNames.require(prefix));
		try {
			if (!Files.isDirectory(start)) {
				return List.of();
			}
			try (Stream<Path> found = Files.walk(start)) {
				return found.filter(Files::isRegularFile)
					.map((file) -> root.relativize(parents ? file.getParent() : file).toString())
					.distinct()
					.sorted()
					.toList();
			}
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
		catch (UncheckedIOException ex) {
			if (ex.getCause() instanceof NoSuchFileException) {
				return names(root, prefix, parents);
			}
			throw Failures.store(new IOException(ex));
		}
	}

	@Override
	public boolean delete(String name) {
		try {
			return Files.deleteIfExists(this.objects.resolve(StoreNames.require(name)));
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public @Nullable SnapshotRef ref(String name) {
		Path directory = this.refs.resolve(StoreNames.require(name));
		try {
			while (true) {
				long version = newest(directory);
				if (version == 0) {
					return null;
				}
				try {
					return new SnapshotRef(Long.toString(version), Files.readAllBytes(file(directory, version)));
				}
				catch (NoSuchFileException ex) {
					// Overwritten twice since: there is a newer one.
					Thread.onSpinWait();
				}
			}
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public boolean compareAndSet(String name, @Nullable String expected, byte[] content) {
		if (content.length > MAX_REF) {
			throw Failures.limit("A reference of the snapshot store may have 4 MiB. Keep fewer checkpoints.");
		}
		Path directory = this.refs.resolve(StoreNames.require(name));
		long current = (expected != null) ? Long.parseLong(expected) : 0;
		Path part = this.incoming.resolve(StoreNames.random());
		try {
			Files.createDirectories(directory, PRIVATE);
			if (newest(directory) != current) {
				return false;
			}
			try (FileChannel channel = createPart(part); OutputStream output = Channels.newOutputStream(channel)) {
				output.write(content);
				force(channel);
			}
			if (!link(file(directory, current + 1), part)) {
				return false;
			}
			// The number may have been free only because it is long past.
			if (newest(directory) != current + 1) {
				return false;
			}
			removeOlder(directory, current);
			return true;
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
		finally {
			discard(part);
		}
	}

	// Numbers never go down, so the highest is the newest. One that is listed may be gone
	// when the next comes, and a listing can miss both: so the last but one stays.
	private static long newest(Path directory) throws IOException {
		for (int attempt = 0; attempt < 100; attempt++) {
			if (!Files.isDirectory(directory)) {
				return 0;
			}
			try (Stream<Path> files = Files.list(directory)) {
				long newest = files.mapToLong(FileSnapshotStore::version).max().orElse(0);
				if (newest > 0) {
					return newest;
				}
			}
		}
		return 0;
	}

	private static long version(Path file) {
		String name = file.getFileName().toString();
		return (name.matches("[0-9]{19}")) ? Long.parseLong(name) : 0;
	}

	private static Path file(Path directory, long version) {
		return directory.resolve(String.format("%019d", version));
	}

	private static void removeOlder(Path directory, long current) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter((one) -> version(one) < current).toList()) {
				Files.deleteIfExists(file);
			}
		}
	}

	private boolean link(Path target, Path part) throws IOException {
		try {
			Files.createLink(target, part);
		}
		catch (FileAlreadyExistsException ex) {
			return false;
		}
		catch (UnsupportedOperationException ex) {
			throw new IOException("The file system has no hard links", ex);
		}
		if (this.powerLoss) {
			Path parent = Objects.requireNonNull(target.getParent(), "every name has a directory");
			forceDirectory(parent);
			forceDirectory(Objects.requireNonNull(parent.getParent(), "every name has a directory"));
		}
		return true;
	}

	private static void forceDirectory(Path directory) throws IOException {
		try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
			channel.force(true);
		}
	}

	private void force(FileChannel channel) throws IOException {
		if (this.powerLoss) {
			channel.force(true);
		}
	}

	private static void discard(Path part) {
		try {
			Files.deleteIfExists(part);
		}
		catch (IOException ex) {
			// It has no name, so that it counts for nothing.
		}
	}

	/**
	 * A file that gets its name when it is whole.
	 */
	private final class FileUpload extends SnapshotUpload {

		private final Path part;

		private final Path target;

		private final FileChannel channel;

		private final OutputStream output;

		FileUpload(Path part, Path target, FileChannel channel) {
			this.part = part;
			this.target = target;
			this.channel = channel;
			this.output = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
		}

		@Override
		public void write(int b) throws IOException {
			this.output.write(b);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			this.output.write(bytes, offset, length);
		}

		@Override
		public boolean commit() throws IOException {
			this.output.flush();
			force(this.channel);
			this.channel.close();
			try {
				Files.createDirectories(this.target.getParent(), PRIVATE);
				return link(this.target, this.part);
			}
			finally {
				discard(this.part);
			}
		}

		@Override
		public void close() throws IOException {
			this.channel.close();
			discard(this.part);
		}

	}

}
