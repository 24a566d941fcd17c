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
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A store in a directory. Several processes may share it.
 * <p>
 * An object is written beside and then given its name by a hard link, which fails if the
 * name is taken. A reference is a file that is replaced under a lock of the operating
 * system. The file system must have hard links and such locks, and must show every
 * process the same: a local one.
 * <p>
 * The directory must belong to the application's user and be closed to others: it holds
 * whatever the workspaces held, secrets included.
 *
 * @since 0.1.0
 */
public final class FileSnapshotStore implements SnapshotStore {

	private final Path root;

	private final Path objects;

	private final Path references;

	private final StoreDisk disk;

	private final FileRefs refs;

	private FileSnapshotStore(Path root, boolean powerLoss) {
		this.root = root;
		this.objects = root.resolve("objects");
		this.references = root.resolve("refs");
		this.disk = new StoreDisk(root, powerLoss);
		this.refs = new FileRefs(this.references, root.resolve("lock"), this.disk);
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
		try {
			Files.createDirectories(directory, StoreDisk.PRIVATE);
			FileSnapshotStore store = new FileSnapshotStore(directory.toRealPath(), powerLoss);
			store.prepare();
			return store;
		}
		catch (IOException | UnsupportedOperationException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The directory of the snapshot store cannot be made or opened. "
							+ "Name one that the application's user can make and write.",
					ex);
		}
	}

	private void prepare() throws IOException {
		Set<PosixFilePermission> mode = Files.getPosixFilePermissions(this.root, LinkOption.NOFOLLOW_LINKS);
		if (mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
					"The directory of the snapshot store can be written by others. Run 'chmod go-w' on it.");
		}
		for (Path made : List.of(this.objects, this.references, this.disk.incoming())) {
			Files.createDirectories(made, StoreDisk.PRIVATE);
		}
	}

	@Override
	public SnapshotUpload create(String name) {
		Path target = this.objects.resolve(StoreNames.require(name));
		Path part = this.disk.newPart();
		try {
			return new FileUpload(part, target, StoreDisk.create(part));
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public InputStream open(String name, long offset, long length) {
		try {
			FileChannel channel = FileChannel.open(this.objects.resolve(StoreNames.require(name)),
					StandardOpenOption.READ);
			try {
				channel.position(offset);
			}
			catch (IOException | IllegalArgumentException ex) {
				channel.close();
				throw ex;
			}
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
		return names(this.objects, prefix);
	}

	@Override
	public List<String> refs(String prefix) {
		return names(this.references, prefix);
	}

	private List<String> names(Path root, String prefix) {
		Path start = root.resolve(StoreNames.require(prefix));
		try {
			if (!Files.isDirectory(start)) {
				return List.of();
			}
			try (Stream<Path> found = Files.walk(start)) {
				return found.filter(Files::isRegularFile)
					.map((file) -> root.relativize(file).toString())
					.sorted()
					.toList();
			}
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
		catch (UncheckedIOException ex) {
			if (ex.getCause() instanceof NoSuchFileException) {
				return names(root, prefix);
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
		try {
			return this.refs.read(StoreNames.require(name));
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public boolean compareAndSet(String name, @Nullable String expected, byte[] content) {
		try {
			return this.refs.compareAndSet(StoreNames.require(name), expected, content);
		}
		catch (IOException ex) {
			throw Failures.store(ex);
		}
	}

	@Override
	public void sweep(Instant before) {
		try {
			this.disk.sweep(before);
		}
		catch (IOException ex) {
			throw Failures.store(ex);
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
		this.disk.forceName(target);
		return true;
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
			FileSnapshotStore.this.disk.force(this.channel);
			this.channel.close();
			try {
				Files.createDirectories(this.target.getParent(), StoreDisk.PRIVATE);
				return link(this.target, this.part);
			}
			finally {
				StoreDisk.discard(this.part);
			}
		}

		@Override
		public void close() throws IOException {
			this.channel.close();
			StoreDisk.discard(this.part);
		}

	}

}
