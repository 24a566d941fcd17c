package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Flushes to the disk what must be there before something else counts, if the durability
 * asks for it. A file is safe when its bytes and the directory that names it are.
 */
final class Sync {

	private final boolean enabled;

	Sync(Durability durability) {
		this.enabled = durability == Durability.POWER_LOSS;
	}

	boolean enabled() {
		return this.enabled;
	}

	void file(Path file) throws IOException {
		force(file, StandardOpenOption.WRITE);
	}

	void directory(Path directory) throws IOException {
		force(directory, StandardOpenOption.READ);
	}

	void tree(Path root) throws IOException {
		if (!this.enabled) {
			return;
		}
		Files.walkFileTree(root, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				if (attributes.isRegularFile()) {
					// Reading is enough for fsync, and also a read-only file can be read.
					force(file, StandardOpenOption.READ);
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
				if (failure != null) {
					throw failure;
				}
				directory(directory);
				return FileVisitResult.CONTINUE;
			}

		});
	}

	private void force(Path path, StandardOpenOption option) throws IOException {
		if (!this.enabled) {
			return;
		}
		Uninterruptibly.call(() -> {
			try (FileChannel channel = FileChannel.open(path, option, LinkOption.NOFOLLOW_LINKS)) {
				channel.force(true);
			}
			return true;
		});
	}

}
