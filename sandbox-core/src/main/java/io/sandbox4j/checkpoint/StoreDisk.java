package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How a {@link FileSnapshotStore} writes: beside first, closed to others, and forced to
 * the disk before a name tells of it.
 */
final class StoreDisk {

	static final FileAttribute<Set<PosixFilePermission>> PRIVATE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final int RESERVE = 256 << 10;

	private final Path root;

	private final Path incoming;

	private final Path reserve;

	private final boolean powerLoss;

	StoreDisk(Path root, boolean powerLoss) {
		this.root = root;
		this.incoming = root.resolve("incoming");
		this.reserve = root.resolve("reserve");
		this.powerLoss = powerLoss;
	}

	Path incoming() {
		return this.incoming;
	}

	Path newPart() {
		return this.incoming.resolve(StoreNames.random());
	}

	static FileChannel create(Path part) throws IOException {
		return FileChannel.open(part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE_FILE);
	}

	void write(Path part, ByteBuffer... content) throws IOException {
		try (FileChannel channel = create(part)) {
			for (ByteBuffer buffer : content) {
				while (buffer.hasRemaining()) {
					channel.write(buffer);
				}
			}
			force(channel);
		}
	}

	void force(FileChannel channel) throws IOException {
		if (this.powerLoss) {
			channel.force(true);
		}
	}

	// The name, and whatever directories were made for it.
	void forceName(Path target) throws IOException {
		if (!this.powerLoss) {
			return;
		}
		Path directory = Objects.requireNonNull(target.getParent(), "every name has a directory");
		while (directory.startsWith(this.root)) {
			try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
				channel.force(true);
			}
			directory = Objects.requireNonNull(directory.getParent(), "the store is no root directory");
		}
	}

	// A full disk must not keep a failure from being told: latest would roll back. A file
	// of zeros could be a hole, and what cannot be reserved now may be later.
	void keepReserve() {
		if (Files.exists(this.reserve)) {
			return;
		}
		byte[] bytes = new byte[RESERVE];
		Arrays.fill(bytes, (byte) 1);
		Path part = newPart();
		try {
			write(part, ByteBuffer.wrap(bytes));
			Files.move(part, this.reserve, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			discard(part);
		}
	}

	// Whether there is room again.
	boolean useReserve(IOException failure) throws IOException {
		return Failures.isFull(failure) && Files.deleteIfExists(this.reserve);
	}

	static void discard(Path part) {
		try {
			Files.deleteIfExists(part);
		}
		catch (IOException ex) {
			// The next sweep removes it.
		}
	}

	void sweep(Instant before) throws IOException {
		try (Stream<Path> parts = Files.list(this.incoming)) {
			for (Path part : parts.toList()) {
				if (isOlder(part, before)) {
					Files.deleteIfExists(part);
				}
			}
		}
	}

	private static boolean isOlder(Path part, Instant before) throws IOException {
		try {
			return Files.getLastModifiedTime(part).toInstant().isBefore(before);
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

}
