package io.sandbox4j.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where new files and directories are made before they are moved to their place in one
 * step. What was not moved is removed.
 */
final class Staging {

	static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-r--r--");

	private static final Set<PosixFilePermission> DIRECTORY_PERMISSIONS = PosixFilePermissions.fromString("rwxr-xr-x");

	private static final Logger logger = LoggerFactory.getLogger(Staging.class);

	private final Path path;

	private final boolean seenByGuest;

	private final @Nullable Owner owner;

	private final Durability durability;

	private final PipeGuard guard;

	Staging(Path path, boolean seenByGuest, @Nullable FileOwner owner, Durability durability, PipeGuard guard)
			throws IOException {
		this.path = path;
		this.seenByGuest = seenByGuest;
		this.owner = (owner != null) ? Owner.of(owner, path) : null;
		this.durability = durability;
		this.guard = guard;
	}

	boolean isSeenByGuest() {
		return this.seenByGuest;
	}

	/**
	 * Returns a name that nobody can guess.
	 * @return the name
	 */
	static Path randomName() {
		return Path.of(".sandbox4j-" + UUID.randomUUID());
	}

	StagedFile newFile() throws IOException {
		OpenDirectory directory = open();
		Path name = randomName();
		boolean made = false;
		try {
			StagedFile file = new StagedFile(directory, name, directory.newFile(name, FILE_PERMISSIONS));
			made = true;
			return file;
		}
		finally {
			if (!made) {
				directory.close();
			}
		}
	}

	/**
	 * Makes a directory in an open one. Takes the place of an empty directory that was
	 * made there meanwhile.
	 * @param parent where it goes
	 * @param name its name
	 * @throws IOException if it cannot be made
	 */
	void makeDirectory(OpenDirectory parent, Path name) throws IOException {
		try (OpenDirectory directory = open()) {
			Path made = randomName();
			Files.createDirectory(this.path.resolve(made), PosixFilePermissions.asFileAttribute(DIRECTORY_PERMISSIONS));
			boolean moved = false;
			try {
				settle(directory, made, DIRECTORY_PERMISSIONS);
				directory.move(made, parent, name);
				moved = true;
			}
			finally {
				if (!moved) {
					discard(directory, made);
				}
			}
		}
		settle(parent);
	}

	/**
	 * Makes the names in a directory as durable as was asked for.
	 * @param directory the directory
	 * @throws IOException if the disk fails
	 */
	void settle(OpenDirectory directory) throws IOException {
		if (this.durability == Durability.POWER_LOSS) {
			directory.sync();
		}
	}

	private OpenDirectory open() throws IOException {
		try {
			return OpenDirectory.at(this.path);
		}
		catch (IOException ex) {
			// Not of a type that speaks of the caller's path.
			throw new IOException("No staging directory", ex);
		}
	}

	private void settle(OpenDirectory directory, Path name, Set<PosixFilePermission> permissions) throws IOException {
		try {
			if (this.owner == null && directory.attributes(name).permissions().equals(permissions)) {
				return;
			}
			if (this.seenByGuest) {
				this.guard.adjust(directory.duplicate(), name, (view) -> settle(view, permissions));
			}
			else {
				settle(directory.view(name), permissions);
			}
		}
		catch (FileSystemException ex) {
			PosixFileAttributes found = directory.attributesIfPresent(name);
			if (found == null || found.isSymbolicLink() || found.isOther()) {
				throw new UnsettledException("Replaced in the staging directory");
			}
			throw ex;
		}
	}

	private void settle(PosixFileAttributeView view, Set<PosixFilePermission> permissions) throws IOException {
		if (this.owner != null) {
			view.setOwner(this.owner.user());
			view.setGroup(this.owner.group());
		}
		if (!view.readAttributes().permissions().equals(permissions)) {
			view.setPermissions(permissions);
		}
	}

	private void discard(OpenDirectory directory, Path name) {
		try {
			new TreeRemoval(this.guard).remove(directory, name);
		}
		catch (IOException ex) {
			logger.debug("Could not remove {}", name, ex);
		}
	}

	/**
	 * A file that has no place yet.
	 */
	final class StagedFile implements Closeable {

		private final OpenDirectory directory;

		private final Path name;

		private final FileChannel channel;

		private boolean moved;

		private StagedFile(OpenDirectory directory, Path name, FileChannel channel) {
			this.directory = directory;
			this.name = name;
			this.channel = channel;
		}

		/**
		 * Takes the content.
		 * @param content the bytes
		 * @param maxBytes how many there may be
		 * @return whether all of it fits
		 * @throws IOException if it cannot be written
		 * @throws UncheckedIOException if the content cannot be read
		 */
		boolean fill(InputStream content, long maxBytes) throws IOException {
			byte[] buffer = new byte[16 * 1024];
			long size = 0;
			for (int count = read(content, buffer); count >= 0; count = read(content, buffer)) {
				size += count;
				if (size > maxBytes) {
					return false;
				}
				ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
				while (bytes.hasRemaining()) {
					this.channel.write(bytes);
				}
			}
			return true;
		}

		/**
		 * Ends the writing: a file that is open for writing cannot be executed.
		 * @param permissions who may do what
		 * @throws IOException if it cannot be written
		 */
		void finish(Set<PosixFilePermission> permissions) throws IOException {
			settle(this.directory, this.name, permissions);
			if (this.channel.isOpen() && Staging.this.durability == Durability.POWER_LOSS) {
				this.channel.force(true);
			}
			this.channel.close();
		}

		void moveTo(OpenDirectory target, Path targetName) throws IOException {
			this.directory.move(this.name, target, targetName);
			this.moved = true;
			settle(target);
		}

		@Override
		public void close() throws IOException {
			try (this.directory; this.channel) {
				if (!this.moved) {
					discard(this.directory, this.name);
				}
			}
		}

		private static int read(InputStream content, byte[] buffer) {
			try {
				return content.read(buffer);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	private record Owner(UserPrincipal user, GroupPrincipal group) {

		// A number without an account is taken as the number.
		private static Owner of(FileOwner owner, Path path) throws IOException {
			UserPrincipalLookupService principals = path.getFileSystem().getUserPrincipalLookupService();
			return new Owner(principals.lookupPrincipalByName(Integer.toString(owner.uid())),
					principals.lookupPrincipalByGroupName(Integer.toString(owner.gid())));
		}

	}

}
