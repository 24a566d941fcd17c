package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxState;
import io.sandbox4j.SessionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one backend name. A session is a directory with a workspace, and has at
 * most one owner at a time. Thread-safe, also between processes of one host.
 *
 * @since 0.1.0
 */
public final class SessionStore {

	/**
	 * The template key of sessions that were made from none.
	 */
	static final String NO_TEMPLATE = "0".repeat(64);

	private static final Logger logger = LoggerFactory.getLogger(SessionStore.class);

	private final String backend;

	private final Path stateDirectory;

	private final Path directory;

	private final Path building;

	private final Tools tools;

	private final Set<String> held = ConcurrentHashMap.newKeySet();

	SessionStore(String backend, Path stateDirectory, Path directory, Path building, Tools tools) {
		this.backend = backend;
		this.stateDirectory = stateDirectory;
		this.directory = directory;
		this.building = building;
		this.tools = tools;
	}

	/**
	 * Makes a session with a copy of a template, and takes its lease. A failure leaves
	 * nothing.
	 * @param templateKey the template's key
	 * @return the session
	 * @throws SandboxException {@link ErrorCode#SANDBOX_NOT_FOUND} if there is no such
	 * template
	 */
	public StoredSession create(String templateKey) {
		TemplateIndex template = this.tools.templates().require(templateKey);
		return create(templateKey, null, (workspace) -> this.tools.copy().copy(template, workspace));
	}

	/**
	 * Makes a session whose workspace is a directory of the caller, which is changed in
	 * place, keeps its owner and modes, and is never deleted. Nothing keeps two sessions
	 * from using the same directory.
	 * @param directory the directory
	 * @return the session
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it is no directory,
	 * or holds the state directory or is in it
	 */
	public StoredSession createInPlace(Path directory) {
		Path real = requireWorkspace(directory);
		return create(NO_TEMPLATE, real, (workspace) -> {
		});
	}

	private StoredSession create(String templateKey, @Nullable Path inPlace, SessionCreation.Workspace workspace) {
		SessionPaths paths = paths(RandomIds.next());
		SessionRecord record = new SessionRecord(this.backend, paths.id(), templateKey,
				this.tools.holder().clock().instant(), (inPlace != null) ? inPlace.toString() : null);
		SessionLease lease = new SessionCreation(paths, this.building.resolve(paths.id()), this.tools).create(record,
				workspace);
		this.held.add(paths.id());
		return new StoredSession(this, paths, record, lease, 0);
	}

	/**
	 * Takes the lease of a session, having killed what a crashed owner left. A failure
	 * changes nothing in the workspace and gives the lease back.
	 * @param state what the session's handle returned
	 * @return the session
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if it has an owner or
	 * processes of an earlier one survive, {@link ErrorCode#SANDBOX_NOT_FOUND} if it does
	 * not exist, {@link ErrorCode#SANDBOX_STATE_MISMATCH} if the state is another's,
	 * {@link ErrorCode#SANDBOX_INVALID} if the state or what is stored is damaged
	 */
	public StoredSession attach(SandboxState state) {
		SessionPaths paths = paths(state.sessionId());
		checkState(paths, state);
		checkTemplate(state.templateKey());
		SessionLease lease = acquire(paths);
		boolean done = false;
		try {
			SessionRecord record = checkState(paths, state);
			int killed = new Guests(paths).killLeftovers(lease.recovered(), this.tools.guestBound());
			checkWorkspace(paths, record);
			Directories.make(paths.directory(), this.tools.directories().passable());
			Directories.make(paths.guests(), Directories.PRIVATE);
			if (lease.recovered() && Files.exists(paths.staging(), LinkOption.NOFOLLOW_LINKS)) {
				this.tools.trash().discard(paths.staging());
			}
			Directories.make(paths.staging(), Directories.PRIVATE);
			this.held.add(paths.id());
			done = true;
			return new StoredSession(this, paths, record, lease, killed);
		}
		catch (IOException ex) {
			throw StorageFailures.io("Session '" + paths.id() + "' could not be attached", ex);
		}
		finally {
			if (!done) {
				giveBack(lease);
			}
		}
	}

	private static void giveBack(SessionLease lease) {
		if (lease.recovered()) {
			// The crash stays on record for the next attempt.
			lease.abandon();
		}
		else {
			lease.release();
		}
	}

	private SessionLease acquire(SessionPaths paths) {
		try {
			return SessionLease.tryAcquire(paths, paths.directory(), this.tools.holder())
				.orElseThrow(() -> StorageFailures.busy(paths.id()));
		}
		catch (NoSuchFileException ex) {
			throw StorageFailures.noSession(paths.id());
		}
		catch (IOException ex) {
			throw StorageFailures.io("The lease of session '" + paths.id() + "' could not be taken", ex);
		}
	}

	private SessionRecord checkState(SessionPaths paths, SandboxState state) {
		if (!state.backend().equals(this.backend)) {
			throw StorageFailures.mismatch("The state of session '" + paths.id() + "' is of backend '" + state.backend()
					+ "', not of '" + this.backend + "'");
		}
		SessionRecord record = read(paths).orElseThrow(() -> StorageFailures.noSession(paths.id()));
		if (!record.matches(state)) {
			throw StorageFailures.mismatch("The state of session '" + paths.id() + "' is not the one that is stored");
		}
		return record;
	}

	private void checkTemplate(String key) {
		try {
			// A template that is gone is no obstacle: the session has its copy.
			this.tools.templates().isReady(key);
		}
		catch (IOException ex) {
			throw StorageFailures.io("Template '" + key + "' could not be read", ex);
		}
	}

	private Optional<SessionRecord> read(SessionPaths paths) {
		try {
			return Optional.ofNullable(JsonFiles.read(paths.state(), SessionRecord.class));
		}
		catch (JsonFiles.BrokenException ex) {
			throw StorageFailures.broken(paths.state(), ex);
		}
		catch (IOException ex) {
			throw StorageFailures.io("Session '" + paths.id() + "' could not be read", ex);
		}
	}

	private void checkWorkspace(SessionPaths paths, SessionRecord record) {
		String inPlace = record.directory();
		if (inPlace != null) {
			requireWorkspace(Path.of(inPlace));
		}
		else if (!Files.isDirectory(paths.workspace(), LinkOption.NOFOLLOW_LINKS)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'" + paths.workspace() + "' is no directory. Restore it from a backup, or delete the session.");
		}
	}

	private Path requireWorkspace(Path directory) {
		try {
			Path real = directory.toRealPath();
			if (!Files.isDirectory(real)) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"The workspace '" + directory + "' is no directory. Name one.");
			}
			if (real.startsWith(this.stateDirectory) || this.stateDirectory.startsWith(real)) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID, "The workspace '" + directory
						+ "' holds 'sandbox.state-directory' or is in it, so commands could write there. Name another.");
			}
			return real;
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"The workspace '" + directory + "' does not exist or cannot be reached. Name a directory.", ex);
		}
	}

	/**
	 * Lists the sessions.
	 * @return the sessions, sorted by creation
	 */
	public List<SessionInfo> list() {
		List<SessionInfo> sessions = new ArrayList<>();
		try {
			for (Path path : StateDirectory.list(this.directory)) {
				String id = path.getFileName().toString();
				if (RandomIds.isHex64(id)) {
					describe(paths(id)).ifPresent(sessions::add);
				}
			}
		}
		catch (IOException ex) {
			throw StorageFailures.io("The sessions in '" + this.directory + "' could not be listed", ex);
		}
		sessions.sort(Comparator.comparing(SessionInfo::created).thenComparing(SessionInfo::id));
		return List.copyOf(sessions);
	}

	/**
	 * Looks a session up.
	 * @param id its id
	 * @return the session, or nothing if there is none or its state is damaged
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the id is none
	 */
	public Optional<SessionInfo> find(String id) {
		return describe(paths(id));
	}

	private Optional<SessionInfo> describe(SessionPaths paths) {
		try {
			SessionRecord record = JsonFiles.read(paths.state(), SessionRecord.class);
			if (record == null) {
				return Optional.empty();
			}
			SessionStatus status = SessionStatus.of(paths, this.held.contains(paths.id()));
			return Optional.of(new SessionInfo(paths.id(), record.templateKey(), record.created(), status.status(),
					status.owner()));
		}
		catch (IOException ex) {
			logger.warn("Session {} is left out: {}", paths.id(), ex.getMessage());
			return Optional.empty();
		}
	}

	/**
	 * Deletes a session that nobody owns, with its workspace, unless that is the caller's
	 * own directory. The session is gone when the call returns; its space is freed later.
	 * @param id its id
	 * @return {@code false} if there is none
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if it has an owner, this
	 * object included, {@link ErrorCode#SANDBOX_INVALID} if the id is none
	 */
	public boolean delete(String id) {
		SessionPaths paths = paths(id);
		if (!Files.isDirectory(paths.directory(), LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		SessionLease lease;
		try {
			lease = acquire(paths);
		}
		catch (SandboxException ex) {
			if (ex.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				return false;
			}
			throw ex;
		}
		boolean done = false;
		try {
			new Guests(paths).killLeftovers(lease.recovered(), this.tools.guestBound());
			remove(paths, lease);
			done = true;
			return true;
		}
		finally {
			if (!done) {
				giveBack(lease);
			}
		}
	}

	/**
	 * Removes a session whose lease is held, and gives the lease up.
	 * @param paths the session
	 * @param lease its lease
	 */
	void remove(SessionPaths paths, SessionLease lease) {
		try {
			this.tools.trash().discard(paths.directory());
			this.tools.holder().sync().directory(this.directory);
		}
		catch (IOException ex) {
			throw StorageFailures.io("Session '" + paths.id() + "' could not be deleted", ex);
		}
		lease.abandon();
		this.held.remove(paths.id());
	}

	void released(SessionPaths paths) {
		this.held.remove(paths.id());
	}

	private SessionPaths paths(String id) {
		Objects.requireNonNull(id, "'id' must not be null");
		if (!RandomIds.isHex64(id)) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"A session id has 64 hexadecimal digits. Use the one that the session's handle returned.");
		}
		return new SessionPaths(id, this.directory.resolve(id));
	}

	/**
	 * What the store works with.
	 *
	 * @param templates the templates
	 * @param copy copies them
	 * @param trash where deleted sessions go
	 * @param holder who takes leases
	 * @param directories makes directories
	 * @param guestBound how long leftover guests may take to die
	 */
	record Tools(TemplateStore templates, TreeCopy copy, Trash trash, LeaseHolder holder, Directories directories,
			Duration guestBound) {

	}

}
