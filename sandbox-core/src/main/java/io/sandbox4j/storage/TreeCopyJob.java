package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * One copy of a tree, cut into directories and, where they are large, batches of their
 * files.
 */
final class TreeCopyJob {

	private static final int BATCH = 64;

	private static final int BUFFER = 64 * 1024;

	private static final long MAX_TRANSFER = 1L << 30;

	private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");

	private static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");

	private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE = PosixFilePermissions.asFileAttribute(FILE);

	private static final FileAttribute<Set<PosixFilePermission>> EXECUTABLE_MODE = PosixFilePermissions
		.asFileAttribute(EXECUTABLE);

	private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);

	private final Executor executor;

	private final @Nullable FileOwner owner;

	private final boolean umask = UmaskProbe.hidesModes();

	private final AtomicInteger pending = new AtomicInteger();

	private final CompletableFuture<Void> result = new CompletableFuture<>();

	private volatile @Nullable Throwable failure;

	private volatile boolean cancelled;

	TreeCopyJob(Executor executor, @Nullable FileOwner owner) {
		this.executor = executor;
		this.owner = owner;
	}

	void start(Path source, Path target) {
		fork(() -> directory(source, target));
	}

	/**
	 * Completes when no thread works on the copy any more.
	 * @return the future end
	 */
	Future<Void> result() {
		return this.result;
	}

	void cancel() {
		this.cancelled = true;
	}

	private void fork(Task task) {
		this.pending.incrementAndGet();
		try {
			this.executor.execute(() -> run(task));
		}
		catch (RuntimeException ex) {
			this.failure = ex;
			finish();
		}
	}

	private void run(Task task) {
		try {
			if (!this.cancelled && this.failure == null) {
				task.run();
			}
		}
		catch (IOException | RuntimeException | Error ex) {
			this.failure = ex;
		}
		finally {
			finish();
		}
	}

	private void finish() {
		if (this.pending.decrementAndGet() > 0) {
			return;
		}
		Throwable failed = this.failure;
		if (failed != null) {
			this.result.completeExceptionally(failed);
		}
		else {
			this.result.complete(null);
		}
	}

	private void directory(Path source, Path target) throws IOException {
		List<Path> batch = new ArrayList<>(BATCH);
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(source)) {
			for (Path entry : entries) {
				batch.add(entry);
				if (batch.size() == BATCH) {
					List<Path> full = batch;
					fork(() -> entries(full, target));
					batch = new ArrayList<>(BATCH);
				}
			}
		}
		entries(batch, target);
	}

	private void entries(List<Path> sources, Path directory) throws IOException {
		ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
		for (Path source : sources) {
			if (this.cancelled || this.failure != null) {
				return;
			}
			PosixFileAttributes attributes = Files.readAttributes(source, PosixFileAttributes.class,
					LinkOption.NOFOLLOW_LINKS);
			Path target = directory.resolve(source.getFileName());
			if (attributes.isDirectory()) {
				Files.createDirectory(target, EXECUTABLE_MODE);
				restoreMode(target, EXECUTABLE);
				chown(target);
				fork(() -> directory(source, target));
			}
			else if (attributes.isSymbolicLink()) {
				Files.createSymbolicLink(target, Files.readSymbolicLink(source));
				chown(target);
			}
			else {
				boolean executable = attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
				file(source, target, executable, attributes.size(), buffer);
			}
		}
	}

	private void file(Path source, Path target, boolean executable, long size, ByteBuffer buffer) throws IOException {
		try (FileChannel in = FileChannel.open(source, READ);
				FileChannel out = FileChannel.open(target, CREATE, executable ? EXECUTABLE_MODE : FILE_MODE)) {
			transfer(in, out, size, buffer);
		}
		restoreMode(target, executable ? EXECUTABLE : FILE);
		chown(target);
	}

	private static void transfer(FileChannel in, FileChannel out, long size, ByteBuffer buffer) throws IOException {
		if (size > buffer.capacity()) {
			// In the kernel, and by reference where the file system and the JDK can.
			long position = 0;
			for (long moved = 1; moved > 0; position += moved) {
				moved = in.transferTo(position, MAX_TRANSFER, out);
			}
			return;
		}
		buffer.clear();
		while (in.read(buffer) >= 0) {
			buffer.flip();
			while (buffer.hasRemaining()) {
				out.write(buffer);
			}
			buffer.clear();
		}
	}

	private void restoreMode(Path path, Set<PosixFilePermission> mode) throws IOException {
		if (this.umask) {
			Files.setPosixFilePermissions(path, mode);
		}
	}

	/**
	 * Gives a file, directory or link to the owner.
	 * @param path what to give
	 * @throws IOException if this process may not
	 */
	void chown(Path path) throws IOException {
		FileOwner to = this.owner;
		if (to != null) {
			// By number, so no user database is asked.
			Files.setAttribute(path, "unix:uid", to.uid(), LinkOption.NOFOLLOW_LINKS);
			Files.setAttribute(path, "unix:gid", to.gid(), LinkOption.NOFOLLOW_LINKS);
		}
	}

	/**
	 * A piece of the work.
	 */
	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

}
