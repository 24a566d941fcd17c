package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Removes one tree in a directory that nobody else writes to. It follows no link,
 * whatever the tree holds; it opens directories that their owner closed; and as a guest
 * can nest directories deeper than a path can name, it moves deep ones to the top and
 * goes on there.
 */
final class TrashedTree {

	/**
	 * Eight names of at most 255 bytes stay well below the longest path.
	 */
	private static final int MAX_DEPTH = 8;

	private static final int BATCH = 500;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final Path parent;

	private final BooleanSupplier stopped;

	private final Deque<Path> pending = new ArrayDeque<>();

	private int removed;

	TrashedTree(Path parent, BooleanSupplier stopped) {
		this.parent = parent;
		this.stopped = stopped;
	}

	/**
	 * Removes an entry of the directory.
	 * @param name its name
	 * @throws IOException if something of it cannot be removed
	 */
	void remove(Path name) throws IOException {
		try (SecureDirectoryStream<Path> top = secure(Files.newDirectoryStream(this.parent))) {
			this.pending.add(name);
			for (Path next = this.pending.poll(); next != null; next = this.pending.poll()) {
				remove(top, top, next, this.parent.resolve(next), 0);
				if (this.stopped.getAsBoolean()) {
					return;
				}
			}
		}
	}

	private void remove(SecureDirectoryStream<Path> top, SecureDirectoryStream<Path> in, Path name, Path full,
			int depth) throws IOException {
		try {
			if (!in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
				.readAttributes()
				.isDirectory()) {
				in.deleteFile(name);
				pause();
				return;
			}
			if (depth == MAX_DEPTH) {
				Path moved = Path.of(RandomIds.next());
				open(full);
				in.move(name, top, moved);
				this.pending.add(moved);
				return;
			}
			empty(top, in, name, full, depth);
			if (!this.stopped.getAsBoolean()) {
				in.deleteDirectory(name);
			}
		}
		catch (NoSuchFileException ex) {
			// Another process empties the same tree.
		}
	}

	private void empty(SecureDirectoryStream<Path> top, SecureDirectoryStream<Path> in, Path name, Path full, int depth)
			throws IOException {
		try {
			removeContent(top, in, name, full, depth);
		}
		catch (AccessDeniedException ex) {
			open(full);
			removeContent(top, in, name, full, depth);
		}
	}

	private void removeContent(SecureDirectoryStream<Path> top, SecureDirectoryStream<Path> in, Path name, Path full,
			int depth) throws IOException {
		try (SecureDirectoryStream<Path> content = in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
			for (Path child : content) {
				if (this.stopped.getAsBoolean()) {
					return;
				}
				remove(top, content, child.getFileName(), full.resolve(child.getFileName()), depth + 1);
			}
		}
	}

	private static void open(Path directory) throws IOException {
		if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
		}
	}

	private void pause() {
		this.removed++;
		if (this.removed % BATCH == 0) {
			// Others wait for the same journal.
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) throws IOException {
		if (stream instanceof SecureDirectoryStream<Path> secure) {
			return secure;
		}
		stream.close();
		throw new IOException("The file system has no relative access to files");
	}

}
