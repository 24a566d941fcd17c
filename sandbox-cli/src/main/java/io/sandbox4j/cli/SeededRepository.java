package io.sandbox4j.cli;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.git.FileChange;
import io.sandbox4j.git.SyncConflict;
import io.sandbox4j.git.SyncResult;
import io.sandbox4j.git.WorkspaceTransport;

/**
 * A Git working tree in the sandbox, and what the command made of it.
 */
final class SeededRepository {

	private static final int MAX_SHOWN = 10;

	private final Path root;

	private final WorkspaceTransport transport;

	private final PrintStream err;

	private SeededRepository(Path root, WorkspaceTransport transport, PrintStream err) {
		this.root = root;
		this.transport = transport;
		this.err = err;
	}

	/**
	 * Seeds the workspace.
	 * @param session a session with an empty workspace
	 * @param root the top directory of the working tree
	 * @param state where the transport keeps its state
	 * @param err where it is said what stays on the host
	 * @return the repository
	 */
	static SeededRepository seed(SandboxSession session, Path root, Path state, PrintStream err) {
		WorkspaceTransport transport = WorkspaceTransport.builder(session, root, state).build();
		List<String> leftOut = transport.seed().leftOut();
		if (!leftOut.isEmpty()) {
			err.println("sandbox: Left on the host: " + shown(leftOut));
		}
		return new SeededRepository(root, transport, err);
	}

	/**
	 * Finds the working tree that a directory is in.
	 * @param directory the directory
	 * @return its top directory
	 */
	static Path rootOf(Path directory) {
		for (Path path = directory; path != null; path = path.getParent()) {
			if (Files.exists(path.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
				return path;
			}
		}
		throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + directory
				+ "' is in no Git working tree, which '--git' needs. Leave the option out to run on a copy.");
	}

	/**
	 * Shows what the command changed.
	 * @return whether there is anything
	 */
	boolean show() {
		SyncResult changes = this.transport.changes();
		this.err.writeBytes(this.transport.patch(changes));
		this.err.println("sandbox: " + count(changes.changes()));
		return !changes.changes().isEmpty();
	}

	/**
	 * Brings the changes to the host's tree, all of them or none.
	 * @return {@code false} if the host changed the same meanwhile
	 */
	boolean apply() {
		SyncResult result = this.transport.extract();
		for (SyncConflict conflict : result.conflicts()) {
			this.err.println("sandbox: Changed on both sides: " + conflict.path());
		}
		if (result.conflicted()) {
			this.err.println("sandbox: Nothing was applied. What the command changed is above, as a patch.");
			return false;
		}
		this.err.println("sandbox: Applied to " + this.root + ".");
		return true;
	}

	private static String count(List<FileChange> changes) {
		return switch (changes.size()) {
			case 0 -> "The command changed no file.";
			case 1 -> "The command changed 1 file: " + changes.get(0).path();
			default -> "The command changed " + changes.size() + " files: "
					+ shown(changes.stream().map(FileChange::path).toList());
		};
	}

	// A name may have anything, and this is a terminal's line.
	private static String shown(List<String> names) {
		String shown = String.join(", ", names.stream().limit(MAX_SHOWN).toList()).replaceAll("\\p{Cntrl}", "?");
		return (names.size() > MAX_SHOWN) ? shown + " and " + (names.size() - MAX_SHOWN) + " more" : shown;
	}

}
