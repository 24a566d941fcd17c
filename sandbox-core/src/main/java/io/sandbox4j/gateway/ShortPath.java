package io.sandbox4j.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A path by which a socket can be bound, however deep its directory is: an address holds
 * 108 bytes with its final zero (unix(7)). Where the path has more, it leads through
 * {@code /proc/self/fd} (proc(5)) and a descriptor of the directory that is open until
 * this is closed, so nothing is left of it whatever ends the process. Close it after the
 * socket: junixsocket looks for the file at this path.
 */
final class ShortPath implements AutoCloseable {

	private static final int MAX_BYTES = 107;

	private final Path path;

	private final @Nullable DirectoryStream<Path> open;

	private ShortPath(Path path, @Nullable DirectoryStream<Path> open) {
		this.path = path;
		this.open = open;
	}

	/**
	 * Returns a short path.
	 * @param directory the socket's directory, which nobody else opens
	 * @param name the socket's name
	 * @return the path, to be closed
	 * @throws IOException if the directory cannot be opened
	 */
	static ShortPath to(Path directory, String name) throws IOException {
		Path socket = directory.resolve(name);
		if (socket.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
			return new ShortPath(socket, null);
		}
		DirectoryStream<Path> open = Files.newDirectoryStream(directory);
		try {
			return new ShortPath(descriptor(directory.toRealPath()).resolve(name), open);
		}
		catch (IOException ex) {
			open.close();
			throw ex;
		}
	}

	private static Path descriptor(Path directory) throws IOException {
		try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
			for (Path descriptor : descriptors) {
				if (leadsTo(descriptor, directory)) {
					return descriptor;
				}
			}
		}
		throw new IOException("There is no descriptor of " + directory + ".");
	}

	private static boolean leadsTo(Path descriptor, Path directory) throws IOException {
		try {
			return Files.readSymbolicLink(descriptor).equals(directory);
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

	Path path() {
		return this.path;
	}

	@Override
	public void close() throws IOException {
		if (this.open != null) {
			this.open.close();
		}
	}

}
