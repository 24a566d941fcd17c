package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandboxes of a session that may be alive: one file for the init of each. It stands
 * from before a command is handed over until the init is gone, so the next owner of the
 * session can prove that nothing of the last one runs. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Guests {

	private static final Logger logger = LoggerFactory.getLogger(Guests.class);

	private static final String MARKER = "sandbox4j:";

	private static final long POLL_NANOS = Duration.ofMillis(2).toNanos();

	private final String sessionId;

	private final Path directory;

	Guests(SessionPaths paths) {
		this.sessionId = paths.id();
		this.directory = paths.guests();
	}

	/**
	 * Returns the word that stands in the argument list of every process that is started
	 * for a session, so that one which was not recorded yet is found too.
	 * @param sessionId the session's id
	 * @return the word
	 */
	public static String marker(String sessionId) {
		return MARKER + sessionId;
	}

	/**
	 * Records a sandbox. Call it before the sandbox gets a command.
	 * @param initPid its init, as the host sees it
	 * @throws SandboxException {@link ErrorCode#SANDBOX_UNAVAILABLE} if it cannot be
	 * recorded; it must not get a command then
	 */
	public void add(long initPid) {
		Optional<ProcessIdentity> identity = ProcessIdentity.of(initPid);
		if (identity.isEmpty()) {
			return;
		}
		try {
			// No temporary: half a record is found by its name and the sweep.
			Files.write(this.directory.resolve(Long.toString(initPid)), JsonFiles.bytes(identity.get()));
		}
		catch (IOException ex) {
			throw StorageFailures.io("A sandbox of session '" + this.sessionId + "' could not be recorded", ex);
		}
	}

	/**
	 * Removes the record of a sandbox. Call it when its init is gone.
	 * @param initPid its init
	 */
	public void remove(long initPid) {
		try {
			Files.deleteIfExists(this.directory.resolve(Long.toString(initPid)));
		}
		catch (IOException ex) {
			// Harmless: the record names a process that is gone.
			logger.debug("Record of guest {} of session {} stays: {}", initPid, this.sessionId, ex.toString());
		}
	}

	/**
	 * Kills what is left of earlier owners and waits until it is gone. Only for the
	 * holder of the lease.
	 * @param sweep whether to look for unrecorded processes too
	 * @param bound how long to wait
	 * @return how many were killed
	 * @throws SandboxException {@link ErrorCode#SANDBOX_BUSY} if something survives
	 */
	int killLeftovers(boolean sweep, Duration bound) {
		long deadline = System.nanoTime() + bound.toNanos();
		Set<ProcessIdentity> killed = new HashSet<>();
		boolean interrupted = false;
		try {
			List<ProcessIdentity> recorded = recorded();
			boolean search = sweep || !files().isEmpty();
			List<ProcessIdentity> alive = alive(recorded, search);
			while (!alive.isEmpty()) {
				if (System.nanoTime() - deadline > 0) {
					throw survivors(alive);
				}
				alive.forEach(ProcessIdentity::kill);
				killed.addAll(alive);
				LockSupport.parkNanos(POLL_NANOS);
				interrupted |= Thread.interrupted();
				alive = alive(alive, false);
				if (alive.isEmpty()) {
					// What was killed may have started something in the meantime.
					alive = alive(recorded, search);
				}
			}
			forget();
		}
		catch (IOException ex) {
			throw StorageFailures.io("The sandboxes of session '" + this.sessionId + "' could not be listed", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		if (!killed.isEmpty()) {
			logger.warn("Killed {} processes that an earlier owner of session {} had left", killed.size(),
					this.sessionId);
		}
		return killed.size();
	}

	private SandboxException survivors(List<ProcessIdentity> alive) {
		return new SandboxException(ErrorCode.SANDBOX_BUSY,
				"Processes of an earlier owner of session '" + this.sessionId + "' could not be killed: "
						+ alive.stream().map(ProcessIdentity::pid).sorted().toList()
						+ ". End them by hand, or try again later.");
	}

	private List<ProcessIdentity> alive(List<ProcessIdentity> recorded, boolean search) throws IOException {
		Set<ProcessIdentity> alive = new HashSet<>();
		recorded.stream().filter(ProcessIdentity::isAlive).forEach(alive::add);
		if (search) {
			alive.addAll(MarkedProcesses.with(marker(this.sessionId)));
		}
		alive.removeIf((process) -> process.pid() == ProcessHandle.current().pid());
		return List.copyOf(alive);
	}

	private List<ProcessIdentity> recorded() throws IOException {
		List<ProcessIdentity> recorded = new ArrayList<>();
		for (Path file : files()) {
			try {
				ProcessIdentity process = JsonFiles.read(file, ProcessIdentity.class);
				if (process != null) {
					recorded.add(process);
				}
			}
			catch (JsonFiles.BrokenException ex) {
				// Its owner died while writing it, before the sandbox got a command.
				logger.debug("Ignoring a damaged record of session {}: {}", this.sessionId, ex.getMessage());
			}
		}
		return recorded;
	}

	private void forget() throws IOException {
		for (Path file : files()) {
			Files.deleteIfExists(file);
		}
	}

	private List<Path> files() throws IOException {
		List<Path> files = new ArrayList<>();
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(this.directory)) {
			stream.forEach(files::add);
		}
		catch (NoSuchFileException ex) {
			return List.of();
		}
		return files;
	}

}
