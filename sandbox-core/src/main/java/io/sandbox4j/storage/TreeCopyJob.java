package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * One copy of a tree, cut into directories and, where they are large, batches of their
 * files.
 * <p>
 * Where files get an owner, directories have the set-group bit while they are filled:
 * what is made in them gets their group without a call of its own, which is a tenth of
 * the work.
 */
final class TreeCopyJob {

	private static final int BATCH = 64;

	private static final int SET_GROUP = 02000;

	private static final int BUFFER = 64 * 1024;

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

	private final Queue<Made> made = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private final CompletableFuture<Void> result = new CompletableFuture<>();

	private volatile boolean inheritsGroup;

	private volatile @Nullable Throwable failure;

	private volatile boolean cancelled;

	TreeCopyJob(Executor executor, @Nullable FileOwner owner) {
		this.executor = executor;
		this.owner = owner;
	}

	/**
	 * Starts the copy.
	 * @param template what to copy
	 * @param target an empty directory of mode 0700, which gets the owner too
	 * @throws IOException if it cannot be given to the owner
	 */
	void start(TemplateIndex template, Path target) throws IOException {
		FileOwner to = this.owner;
		if (to != null) {
			chown(target, to);
			Files.setAttribute(target, "unix:mode", SET_GROUP | 0700);
			// A process without CAP_FSETID is not refused; the bit just does not stick.
			this.inheritsGroup = Files.getAttribute(target, "unix:mode") instanceof Integer mode
					&& (mode & SET_GROUP) != 0;
			this.made.add(new Made(target, Directories.PRIVATE));
		}
		fork(() -> directory(template.top(), template.root(), target));
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
		if (failed == null && !this.cancelled) {
			try {
				restoreModes();
			}
			catch (IOException | RuntimeException ex) {
				failed = ex;
			}
		}
		if (failed != null) {
			this.result.completeExceptionally(failed);
		}
		else {
			this.result.complete(null);
		}
	}

	private void directory(TemplateIndex.Directory directory, Path source, Path target) throws IOException {
		for (TemplateIndex.Directory child : directory.directories()) {
			Path made = target.resolve(child.name());
			Files.createDirectory(made, EXECUTABLE_MODE);
			chown(made);
			if (this.inheritsGroup) {
				this.made.add(new Made(made, EXECUTABLE));
			}
			else {
				restoreMode(made, EXECUTABLE);
			}
			fork(() -> directory(child, source.resolve(child.name()), made));
		}
		for (TemplateIndex.Link link : directory.links()) {
			Path made = target.resolve(link.name());
			Files.createSymbolicLink(made, link.target());
			chown(made);
		}
		List<TemplateIndex.File> files = directory.files();
		for (int start = BATCH; start < files.size(); start += BATCH) {
			List<TemplateIndex.File> batch = files.subList(start, Math.min(start + BATCH, files.size()));
			fork(() -> files(batch, source, target));
		}
		files(files.subList(0, Math.min(BATCH, files.size())), source, target);
	}

	private void files(List<TemplateIndex.File> files, Path source, Path target) throws IOException {
		ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
		for (TemplateIndex.File file : files) {
			if (this.cancelled || this.failure != null) {
				return;
			}
			copy(file, source.resolve(file.name()), target.resolve(file.name()), buffer);
		}
	}

	private void copy(TemplateIndex.File file, Path source, Path target, ByteBuffer buffer) throws IOException {
		boolean executable = file.executable();
		try (FileChannel in = FileChannel.open(source, READ);
				FileChannel out = FileChannel.open(target, CREATE, executable ? EXECUTABLE_MODE : FILE_MODE)) {
			transfer(in, out, file.size(), buffer);
		}
		restoreMode(target, executable ? EXECUTABLE : FILE);
		chown(target);
	}

	private static void transfer(FileChannel in, FileChannel out, long size, ByteBuffer buffer) throws IOException {
		if (size > buffer.capacity()) {
			// In the kernel, and by reference where the file system and the JDK can.
			long position = 0;
			for (long moved = 1; moved > 0 && position < size; position += moved) {
				moved = in.transferTo(position, size - position, out);
			}
			return;
		}
		buffer.clear().limit((int) size);
		while (buffer.hasRemaining()) {
			if (in.read(buffer) < 0) {
				break;
			}
		}
		buffer.flip();
		while (buffer.hasRemaining()) {
			out.write(buffer);
		}
	}

	private void restoreMode(Path path, Set<PosixFilePermission> mode) throws IOException {
		if (this.umask) {
			Files.setPosixFilePermissions(path, mode);
		}
	}

	private void chown(Path path) throws IOException {
		FileOwner to = this.owner;
		if (to != null && this.inheritsGroup) {
			Files.setAttribute(path, "unix:uid", to.uid(), LinkOption.NOFOLLOW_LINKS);
		}
		else if (to != null) {
			chown(path, to);
		}
	}

	private static void chown(Path path, FileOwner to) throws IOException {
		// By number, so no user database is asked.
		Files.setAttribute(path, "unix:uid", to.uid(), LinkOption.NOFOLLOW_LINKS);
		Files.setAttribute(path, "unix:gid", to.gid(), LinkOption.NOFOLLOW_LINKS);
	}

	private void restoreModes() throws IOException {
		for (Made directory : this.made) {
			Files.setPosixFilePermissions(directory.path(), directory.mode());
		}
	}

	/**
	 * A directory whose mode is set at the end.
	 *
	 * @param path where it is
	 * @param mode its mode
	 */
	private record Made(Path path, Set<PosixFilePermission> mode) {

	}

	/**
	 * A piece of the work.
	 */
	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

}
