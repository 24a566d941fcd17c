package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a backend keeps its templates and sessions, apart from those of every other
 * backend name. Several processes may open the same directory on one host. Thread-safe.
 * <p>
 * Whoever can write to the directory controls what runs in its sandboxes: it must belong
 * to the user of this process or to root.
 *
 * @since 0.1.0
 */
public final class StateDirectory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(StateDirectory.class);

	private static final String LOCK = ".lock";

	private final Path path;

	private final Path building;

	private final LockedFile buildingLock;

	private final String ownerId;

	private final Trash trash;

	private final TreeCopy copy;

	private final TemplateStore templates;

	private final SessionStore sessions;

	private final SessionCollection leftSessions;

	private final AtomicBoolean closed = new AtomicBoolean();

	private StateDirectory(Path path, Path root, String backendName, Options options) throws IOException {
		Directories directories = new Directories(options.settings().owner());
		Directories.make(root, directories.passable());
		Directories.make(root.resolve("templates"), Directories.PRIVATE);
		Directories.make(root.resolve("sessions"), directories.passable());
		Directories.make(root.resolve("trash"), Directories.PRIVATE);
		Directories.make(root.resolve("building"), Directories.PRIVATE);
		Sync sync = new Sync(options.settings().durability());
		LeaseHolder holder = LeaseHolder.current(options.clock(), sync);
		this.path = path;
		this.ownerId = holder.id();
		this.building = root.resolve("building");
		this.buildingLock = claimBuilding(this.building, holder.id());
		Path temporaries = this.building.resolve(holder.id());
		this.trash = new Trash(root.resolve("trash"), options.trashDelay());
		this.copy = new TreeCopy(options.settings().owner(), sync);
		this.templates = new TemplateStore(backendName, root.resolve("templates"), temporaries, options.settings(),
				this.trash);
		this.leftSessions = new SessionCollection(root.resolve("sessions"), this.trash);
		this.sessions = new SessionStore(backendName, path, root.resolve("sessions"), temporaries,
				new SessionStore.Tools(this.templates, this.copy, this.trash, holder, directories,
						options.guestBound()));
	}

	/**
	 * Opens a state directory, and makes it if absent.
	 * @param directory the directory
	 * @param backendName the backend whose templates and sessions it is about
	 * @param settings how to store
	 * @return the open directory
	 * @throws SandboxUnavailableException if the directory cannot be used, with the
	 * remedy
	 */
	public static StateDirectory open(Path directory, String backendName, StorageSettings settings) {
		return open(directory, backendName, Options.of(settings));
	}

	static StateDirectory open(Path directory, String backendName, Options options) {
		Objects.requireNonNull(directory, "'directory' must not be null");
		if (backendName.isBlank()) {
			throw new IllegalArgumentException("'backendName' must not be empty");
		}
		Path real = new Directories(options.settings().owner()).prepare(directory);
		try {
			return new StateDirectory(real, real.resolve(sha256(backendName)), backendName, options);
		}
		catch (IOException ex) {
			throw StorageFailures.unusable("'sandbox.state-directory' '" + directory + "' cannot be used (" + ex + ").",
					"Check its space, owner and mode, or name another directory.", ex);
		}
	}

	private static LockedFile claimBuilding(Path building, String id) throws IOException {
		Path lock = building.resolve(id + LOCK);
		Path unlocked = building.resolve(id + ".new");
		Optional<LockedFile> locked = Uninterruptibly.call(() -> LockedFile.tryLock(unlocked, lock.toString()));
		LockedFile held = locked.orElseThrow(() -> new IOException("'" + lock + "' cannot be locked"));
		try {
			// Under its own name it is never seen unlocked, which would mean abandoned.
			Files.move(unlocked, lock, StandardCopyOption.ATOMIC_MOVE);
			Directories.make(building.resolve(id), Directories.PRIVATE);
			return held;
		}
		catch (IOException ex) {
			closeQuietly(held);
			throw ex;
		}
	}

	/**
	 * Returns the templates.
	 * @return the templates
	 */
	public TemplateStore templates() {
		return this.templates;
	}

	/**
	 * Returns the sessions.
	 * @return the sessions
	 */
	public SessionStore sessions() {
		return this.sessions;
	}

	/**
	 * Returns the directory.
	 * @return its real path
	 */
	public Path path() {
		return this.path;
	}

	/**
	 * Removes what crashed processes left behind; for the start of an application. What
	 * another process works on is left alone.
	 * @return what there was
	 * @throws SandboxException if the directory cannot be read or written
	 */
	public Leftovers collectLeftovers() {
		try {
			int killed = this.leftSessions.killOrphans();
			int trashed = this.trash.collect();
			return new Leftovers(this.templates.collect(), collectBuilding(), this.leftSessions.collectHalfMade(),
					this.leftSessions.collectStaging(), trashed, killed);
		}
		catch (IOException ex) {
			throw StorageFailures.io("The leftovers in '" + this.path + "' could not be collected", ex);
		}
	}

	private int collectBuilding() throws IOException {
		int collected = 0;
		for (Path lock : list(this.building)) {
			String name = lock.getFileName().toString();
			String id = name.replace(LOCK, "");
			if (!name.endsWith(LOCK) || id.equals(this.ownerId)) {
				continue;
			}
			Optional<LockedFile> locked = Uninterruptibly.call(() -> LockedFile.tryLock(lock, lock.toString()));
			if (locked.isPresent()) {
				try {
					collected += discardTemporaries(id);
					Files.deleteIfExists(lock);
				}
				finally {
					locked.get().close();
				}
			}
		}
		return collected;
	}

	private int discardTemporaries(String id) throws IOException {
		Path temporaries = this.building.resolve(id);
		if (!Files.exists(temporaries)) {
			return 0;
		}
		int found = list(temporaries).size();
		return this.trash.discard(temporaries) ? found : 0;
	}

	/**
	 * Lists what waits in the trash, without opening the directory.
	 * @param directory the directory
	 * @param backendName the backend whose trash it is
	 * @return what waits there; empty if there is no trash
	 * @throws IOException if it cannot be listed
	 */
	public static List<Path> trashed(Path directory, String backendName) throws IOException {
		Path trash = directory.resolve(sha256(backendName)).resolve("trash");
		return Files.isDirectory(trash) ? list(trash) : List.of();
	}

	static List<Path> list(Path directory) throws IOException {
		List<Path> entries = new ArrayList<>();
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
			stream.forEach(entries::add);
		}
		return entries;
	}

	static String sha256(String text) {
		return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
	}

	static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

	/**
	 * Ends the threads. Sessions that are owned stay so until they are released.
	 * Idempotent.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.copy.close();
		this.trash.close();
		try {
			Files.deleteIfExists(this.building.resolve(this.ownerId));
			Files.deleteIfExists(this.building.resolve(this.ownerId + LOCK));
			this.buildingLock.close();
		}
		catch (IOException ex) {
			logger.debug("Temporaries in '{}' stay until the next start: {}", this.building, ex.toString());
			closeQuietly(this.buildingLock);
		}
	}

	private static void closeQuietly(LockedFile lock) {
		try {
			lock.close();
		}
		catch (IOException ex) {
			logger.debug("A lock could not be closed cleanly", ex);
		}
	}

	/**
	 * What tests change beside the settings.
	 *
	 * @param settings how to store
	 * @param clock for dates
	 * @param trashDelay how long the trash waits before it is emptied
	 * @param guestBound how long leftover guests may take to die
	 */
	record Options(StorageSettings settings, Clock clock, Duration trashDelay, Duration guestBound) {

		static Options of(StorageSettings settings) {
			return new Options(settings, Clock.systemUTC(), Trash.DEFAULT_DELAY, Duration.ofSeconds(5));
		}

	}

}
