package io.sandbox4j;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a backend's author writes for one session. Admission, deadlines, output limits,
 * text and path rules are done above it, once for every backend. Thread-safe.
 * <p>
 * A driver refuses what it cannot hold; it never ignores it.
 *
 * @since 0.1.0
 */
public interface SandboxDriver {

	/**
	 * Starts a command.
	 * @param command the command, validated; its deadline, its output limit and its input
	 * are not the driver's
	 * @param output where the output goes
	 * @return the running command
	 * @throws SandboxException if nothing was started:
	 * {@link ErrorCode#SANDBOX_NOT_FOUND} or {@link ErrorCode#SANDBOX_PATH} for a working
	 * directory that is none
	 */
	Execution start(ExecSpec command, OutputSink output);

	/**
	 * Returns the workspace's files.
	 * @return the files
	 */
	Files files();

	/**
	 * Takes a policy for the commands that follow. No command lives during the call.
	 * @param policy the policy
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if it cannot be held
	 */
	void setNetworkPolicy(NetworkPolicy policy);

	/**
	 * Returns what holds under a policy.
	 * @param policy the policy
	 * @return the restrictions
	 */
	Set<Restriction> restrictions(NetworkPolicy policy);

	/**
	 * Called before each command and each write: throws when the session is no longer
	 * this driver's.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LEASE_LOST}
	 */
	default void ensureOwned() {
	}

	/**
	 * One running command.
	 */
	interface Execution {

		/**
		 * Returns the command's id.
		 * @return a word that no other command of the session has or had
		 */
		String id();

		/**
		 * Tells whether the sandbox was built before its command came.
		 * @return {@code false} by default
		 */
		default boolean isWarm() {
			return false;
		}

		/**
		 * Returns the program's standard input.
		 * @return the stream
		 */
		OutputStream stdin();

		/**
		 * Sends a signal to the program. Does nothing once it is gone.
		 * @param signal the signal
		 */
		void signal(Signal signal);

		/**
		 * Kills every process of the command. Returns at once, may be called often, at
		 * any moment.
		 */
		void kill();

		/**
		 * Completes when it is known how the program ended and what it printed was
		 * delivered; the sink gets nothing after that. Processes that it left behind may
		 * still be on their way out: the session lets no later command, file call, policy
		 * change or stop pass them. Never later than {@link #exit()}, which it is by
		 * default.
		 * @return the future end of the program
		 */
		default CompletableFuture<Exit> ended() {
			return exit();
		}

		/**
		 * Completes when the output was delivered and every process is gone, or could not
		 * be proven gone in time.
		 * @return the future end
		 */
		CompletableFuture<Exit> exit();

		/**
		 * Completes when every process is gone, also long after {@link #exit()} said that
		 * it could not be proven.
		 * @return the future settlement
		 */
		CompletableFuture<Void> settled();

	}

	/**
	 * How a command ended by itself.
	 *
	 * @param kind the way
	 * @param value the exit code or the signal's number
	 * @param reason a sentence; empty when the program exited
	 * @param proven whether every process is known to be gone
	 */
	record Exit(Kind kind, int value, String reason, boolean proven) {

		/**
		 * Validates the components.
		 */
		public Exit {
			Objects.requireNonNull(kind, "'kind' must not be null");
			Objects.requireNonNull(reason, "'reason' must not be null");
		}

		/**
		 * The way a command ended.
		 */
		public enum Kind {

			/**
			 * The program exited.
			 */
			EXITED,

			/**
			 * A signal ended the program.
			 */
			SIGNALLED,

			/**
			 * A resource limit ended the program.
			 */
			RESOURCE_LIMIT,

			/**
			 * The program could not be started.
			 */
			LAUNCH_FAILED,

			/**
			 * The sandbox could not be built: nothing ran.
			 */
			SANDBOX_FAILED,

			/**
			 * It was killed before it ended, or its end is not known.
			 */
			KILLED

		}

	}

	/**
	 * The files of one workspace, on canonical paths. Nothing follows a link. Failures
	 * are those of {@link SandboxFiles}.
	 */
	interface Files {

		/**
		 * Opens a regular file.
		 * @param path the file
		 * @return the stream
		 */
		InputStream open(WorkspacePath path);

		/**
		 * Opens a regular file while no command of the session lives, and none is started
		 * before this returns: nothing needs to be done against what a command could
		 * change meanwhile.
		 * @param path the file
		 * @return the stream
		 */
		default InputStream openUndisturbed(WorkspacePath path) {
			return open(path);
		}

		/**
		 * Replaces or makes a file, with its directories, atomically.
		 * @param path the file
		 * @param content its bytes
		 * @param maxBytes how many it may have; beyond, nothing is changed
		 */
		void write(WorkspacePath path, InputStream content, long maxBytes);

		/**
		 * Makes a file that is not there yet, with its directories. Of several that do so
		 * at once one succeeds.
		 * @param path the file
		 * @param content its bytes
		 * @param maxBytes how many it may have; beyond, nothing is changed
		 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} if there is anything of
		 * that name
		 */
		void create(WorkspacePath path, InputStream content, long maxBytes);

		/**
		 * Makes a directory and its parents.
		 * @param path the directory
		 */
		void createDirectories(WorkspacePath path);

		/**
		 * Sets or clears the execute permission of a file's owner.
		 * @param path the file
		 * @param executable whether it may be executed
		 */
		void setExecutable(WorkspacePath path, boolean executable);

		/**
		 * Removes an entry and everything below it.
		 * @param path the entry, not the root
		 * @return whether there was one
		 */
		boolean remove(WorkspacePath path);

		/**
		 * Moves an entry atomically.
		 * @param source the entry, not the root
		 * @param target its new path
		 */
		void move(WorkspacePath source, WorkspacePath target);

		/**
		 * Describes an entry.
		 * @param path the entry
		 * @return what is known of it
		 */
		FileEntry stat(WorkspacePath path);

		/**
		 * Lists a directory, sorted by name.
		 * @param path the directory
		 * @param limit how many entries it may have
		 * @return its entries
		 */
		List<FileEntry> list(WorkspacePath path, int limit);

		/**
		 * Scans what is below a directory.
		 * @param path the directory
		 * @param scan what is done with it
		 * @param limit how many entries a directory may have
		 */
		default void scan(WorkspacePath path, FileScan<?> scan, int limit) {
			new PathScan<>(this, scan, limit).directory(path, list(path, limit), 0);
		}

	}

}
