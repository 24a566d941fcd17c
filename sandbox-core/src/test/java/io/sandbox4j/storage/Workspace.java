package io.sandbox4j.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.SandboxException;
import io.sandbox4j.WorkspacePath;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A workspace, its staging directory and a directory outside that a guest would like to
 * reach.
 */
final class Workspace {

	static final boolean ROOT = isRoot();

	final Path root;

	final Path staging;

	final Path outside;

	final WorkspaceFiles files;

	private Workspace(Path root, Path staging, Path outside, WorkspaceFiles files) {
		this.root = root;
		this.staging = staging;
		this.outside = outside;
		this.files = files;
	}

	static Workspace in(Path directory) {
		return in(directory, null, Durability.PROCESS);
	}

	static Workspace in(Path directory, @Nullable FileOwner owner, Durability durability) {
		return in(directory, "staging", owner, durability, () -> {
		}, new PipeGuard());
	}

	static Workspace inPlace(Path directory) {
		return in(directory, "workspace", null, Durability.PROCESS, () -> {
		}, new PipeGuard());
	}

	static Workspace in(Path directory, String staging, @Nullable FileOwner owner, Durability durability,
			Runnable ensureOwned, PipeGuard guard) {
		try {
			Path root = Files.createDirectories(directory.resolve("workspace"));
			Path stagingPath = Files.createDirectories(directory.resolve(staging));
			Path outside = Files.createDirectories(directory.resolve("outside"));
			return new Workspace(root, stagingPath, outside,
					WorkspaceFiles.over(root, stagingPath, owner, durability, ensureOwned, guard));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Path entry(String name) {
		return this.root.resolve(FileNames.pathOf(name));
	}

	Path outsideFile(String name, String content) throws IOException {
		return Files.writeString(this.outside.resolve(name), content);
	}

	Path file(String name, String content) throws IOException {
		Path file = entry(name);
		Files.createDirectories(file.getParent());
		return Files.writeString(file, content);
	}

	Path directory(String name) throws IOException {
		return Files.createDirectories(entry(name));
	}

	Path link(String name, Path target) throws IOException {
		return Files.createSymbolicLink(entry(name), target);
	}

	Path pipe(String name) {
		return run("mkfifo", name);
	}

	Path socket(String name) throws IOException {
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			server.bind(UnixDomainSocketAddress.of(entry(name)));
		}
		return entry(name);
	}

	Path mode(String name, String permissions) throws IOException {
		return Files.setPosixFilePermissions(entry(name), PosixFilePermissions.fromString(permissions));
	}

	String modeOf(String name) throws IOException {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(entry(name)));
	}

	/**
	 * Runs a program in the workspace.
	 * @param command the program and its arguments
	 * @return the path of the last argument
	 */
	Path run(String... command) {
		try {
			Process process = new ProcessBuilder(command).directory(this.root.toFile()).inheritIO().start();
			assertThat(process.waitFor()).isZero();
			return entry(command[command.length - 1]);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	String read(String path) {
		return new String(readBytes(path), StandardCharsets.UTF_8);
	}

	byte[] readBytes(String path) {
		try (InputStream stream = this.files.open(path(path))) {
			return stream.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void write(String path, String content) {
		write(path, content, Long.MAX_VALUE);
	}

	void write(String path, String content, long maxBytes) {
		this.files.write(path(path), new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)), maxBytes);
	}

	boolean remove(String path) {
		return this.files.remove(path(path));
	}

	void move(String source, String target) {
		this.files.move(path(source), path(target));
	}

	FileEntry stat(String path) {
		return this.files.stat(path(path));
	}

	List<String> names(String path) {
		return this.files.list(path(path), Integer.MAX_VALUE)
			.stream()
			.map((entry) -> entry.path().segments().get(entry.path().segments().size() - 1))
			.toList();
	}

	List<String> stagedNames() throws IOException {
		try (Stream<Path> entries = Files.list(this.staging)) {
			return entries.map((entry) -> entry.getFileName().toString()).toList();
		}
	}

	/**
	 * Calls every operation on one path.
	 * @param path the path
	 * @return the operations
	 */
	List<ThrowingCallable> operationsOn(String path) {
		List<ThrowingCallable> operations = new ArrayList<>();
		operations.add(() -> read(path));
		operations.add(() -> write(path, "changed"));
		operations.add(() -> this.files.createDirectories(path(path)));
		operations.add(() -> this.files.setExecutable(path(path), true));
		operations.add(() -> this.files.list(path(path), 10));
		return operations;
	}

	static WorkspacePath path(String path) {
		return WorkspacePath.parse(path);
	}

	static SandboxException refused(ErrorCode code, ThrowingCallable call) {
		SandboxException failure = catchThrowableOfType(SandboxException.class, call);
		assertThat(failure).isNotNull();
		assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
		return failure;
	}

	static int openDescriptors() throws IOException {
		try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
			return (int) descriptors.count();
		}
	}

	private static boolean isRoot() {
		try {
			return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Calls something again and again on a thread of its own, as a guest would.
	 * @param attack what the guest does; its failures count for nothing
	 * @param body what the host does meanwhile
	 */
	static void whileAttackedBy(Attack attack, Runnable body) {
		AtomicBoolean stopped = new AtomicBoolean();
		AtomicLong rounds = new AtomicLong();
		Thread guest = new Thread(() -> {
			while (!stopped.get()) {
				try {
					attack.run();
				}
				catch (IOException | UncheckedIOException | SandboxException ex) {
					// The host was faster.
				}
				rounds.incrementAndGet();
			}
		}, "guest");
		guest.setDaemon(true);
		guest.start();
		try {
			body.run();
		}
		finally {
			stopped.set(true);
			Awaitility.await().until(() -> !guest.isAlive());
		}
		assertThat(rounds).hasPositiveValue();
	}

	/**
	 * Puts an entry in the place of another and back, and leaves either there for a
	 * moment.
	 * @param entry the entry
	 * @param substitute what stands in its place meanwhile
	 * @param aside where the entry is meanwhile
	 */
	static void swap(Path entry, Path substitute, Path aside) {
		tryMove(entry, aside);
		tryMove(substitute, entry);
		pause();
		if (!Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
				&& !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
			tryMove(entry, substitute);
		}
		tryMove(aside, entry);
		pause();
	}

	static void tryMove(Path source, Path target) {
		try {
			Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			// The host was faster.
		}
	}

	private static void pause() {
		long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(30);
		while (System.nanoTime() - end < 0) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Something a guest does.
	 */
	interface Attack {

		void run() throws IOException;

	}

}
