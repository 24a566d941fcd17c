package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.git.WorkspaceTransport;
import io.sandbox4j.git.WorkspaceTransportBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * Starts transports of Git working trees that have what {@code sandbox.workspace.*} says,
 * each with a directory of its session's own for its state. That lasts as long as the
 * session, over restarts, and is removed when the session is deleted. What a crash left
 * below the state directory is removed when the first transport is started. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WorkspaceTransports implements SandboxListener {

	private static final Logger logger = LoggerFactory.getLogger(WorkspaceTransports.class);

	private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

	private final Supplier<SandboxBackend> backend;

	private final Supplier<Path> directories;

	private final boolean sweep;

	private final UnaryOperator<WorkspaceTransportBuilder> defaults;

	private volatile @Nullable Path opened;

	/**
	 * Creates transports.
	 * @param backend the backend, asked for when it is needed
	 * @param directories finds the directory for states, when it is needed
	 * @param sweep whether that directory is this backend's alone, so that states of
	 * sessions that it does not have can be removed
	 * @param defaults what the properties say
	 */
	WorkspaceTransports(Supplier<SandboxBackend> backend, Supplier<Path> directories, boolean sweep,
			UnaryOperator<WorkspaceTransportBuilder> defaults) {
		this.backend = backend;
		this.directories = directories;
		this.sweep = sweep;
		this.defaults = defaults;
	}

	/**
	 * Starts a transport. What is set on the builder replaces the properties. Build one
	 * for each use: it keeps what it knows in the session's directory.
	 * @param session the sandbox's session, such as that of a lease
	 * @param root the top directory of the host's working tree, the same for each
	 * transport of a session
	 * @return a builder
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if the directory for
	 * states cannot be made
	 */
	public WorkspaceTransportBuilder builder(SandboxSession session, Path root) {
		return this.defaults.apply(WorkspaceTransport.builder(session, root, directory().resolve(name(session.id()))));
	}

	private static String name(String sessionId) {
		return StateDirectories.digest(sessionId);
	}

	private synchronized Path directory() {
		Path known = this.opened;
		if (known == null) {
			known = this.directories.get();
			try {
				Files.createDirectories(known,
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
				if (this.sweep) {
					removeStale(known);
				}
			}
			catch (IOException ex) {
				throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE,
						"The directory for states of workspace transports cannot be made or read.", ex);
			}
			this.opened = known;
		}
		return known;
	}

	// A session that is made later than its directory is listed cannot have it.
	private void removeStale(Path directory) throws IOException {
		List<Path> states = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
			for (Path file : files) {
				if (NAME.matcher(file.getFileName().toString()).matches()) {
					states.add(file);
				}
			}
		}
		if (states.isEmpty()) {
			return;
		}
		Set<String> known = this.backend.get()
			.sessions()
			.stream()
			.map((session) -> name(session.id()))
			.collect(Collectors.toSet());
		for (Path state : states) {
			if (!known.contains(state.getFileName().toString())) {
				remove(state);
			}
		}
	}

	@Override
	public void onEvent(SandboxEvent event) {
		if (event instanceof SandboxEvent.SessionDeleted deleted) {
			Path directory = this.opened;
			if (directory == null) {
				directory = find();
			}
			if (directory != null) {
				remove(directory.resolve(name(deleted.sessionId())));
			}
		}
	}

	// Where there can be no directory there is no state either.
	private @Nullable Path find() {
		try {
			return this.directories.get();
		}
		catch (RuntimeException ex) {
			logger.debug("No directory for states of workspace transports is known", ex);
			return null;
		}
	}

	private static void remove(Path state) {
		try {
			FileSystemUtils.deleteRecursively(state);
		}
		catch (NoSuchFileException ex) {
			// Somebody else removed it.
		}
		catch (IOException ex) {
			logger.warn("The state of a workspace transport could not be removed", ex);
		}
	}

}
