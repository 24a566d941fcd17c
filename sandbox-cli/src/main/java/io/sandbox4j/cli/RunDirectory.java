package io.sandbox4j.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that one run keeps on disk. A lock, which the kernel releases however the
 * process ends, tells the directories of runs from what killed runs left; the next run
 * removes those.
 */
final class RunDirectory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RunDirectory.class);

	private static final String PREFIX = "sandbox4j-run-";

	private static final String LOCK = "lock";

	private final Path path;

	private final FileChannel lock;

	private RunDirectory(Path path, FileChannel lock) {
		this.path = path;
		this.lock = lock;
	}

	static RunDirectory create(Path base) throws IOException {
		Path path = Files.createTempDirectory(base, PREFIX);
		try {
			sweep(base, path);
			// Searchable, so that the guest's user reaches its workspace when this is
			// root.
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
			// Locked before it has its name: whoever finds it unlocked may remove
			// everything.
			Path unnamed = path.resolve(LOCK + ".new");
			FileChannel lock = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
			lock.lock();
			Files.move(unnamed, path.resolve(LOCK));
			return new RunDirectory(path, lock);
		}
		catch (IOException | RuntimeException ex) {
			remove(path);
			throw ex;
		}
	}

	private static void sweep(Path base, Path own) throws IOException {
		try (DirectoryStream<Path> directories = Files.newDirectoryStream(base, PREFIX + "*")) {
			for (Path directory : directories) {
				if (!directory.equals(own) && isLeftover(directory, own)) {
					remove(directory);
				}
			}
		}
	}

	private static boolean isLeftover(Path directory, Path own) {
		try {
			if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
					|| !Objects.equals(owner(directory), owner(own))) {
				return false;
			}
			try (FileChannel channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE,
					LinkOption.NOFOLLOW_LINKS); FileLock taken = channel.tryLock()) {
				return taken != null;
			}
		}
		catch (IOException ex) {
			logger.debug("{} is being made or removed", directory, ex);
			return false;
		}
	}

	private static @Nullable Object owner(Path path) throws IOException {
		return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
	}

	Path path() {
		return this.path;
	}

	/**
	 * Removes the directory and everything in it.
	 */
	@Override
	public void close() {
		try (this.lock) {
			remove(this.path);
		}
		catch (IOException ex) {
			logger.debug("The lock of {} was closed with it", this.path, ex);
		}
	}

	private static void remove(Path path) {
		// With the programs made for it: what a command leaves can be nested deeper than
		// a
		// path can name, and its directories can be closed to their owner.
		String target = path.toString();
		if (!succeeds("rm", "-rf", "--", target)
				&& !(succeeds("chmod", "-R", "u+rwX", "--", target) && succeeds("rm", "-rf", "--", target))) {
			logger.warn("Could not remove {}. Remove it yourself.", path);
		}
	}

	private static boolean succeeds(String... command) {
		try {
			Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (IOException ex) {
			logger.debug("Could not start {}", command[0], ex);
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
