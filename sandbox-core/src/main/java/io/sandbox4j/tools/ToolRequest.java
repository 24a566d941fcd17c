package io.sandbox4j.tools;

import java.util.List;

import io.sandbox4j.WorkspacePath;

/**
 * What a tool is about to do, in full, for whoever decides whether it may. Asked after
 * every check and before any effect.
 *
 * @since 0.1.0
 */
public sealed interface ToolRequest {

	/**
	 * Whether it can change anything. A command can, whatever it is; the dry run of an
	 * edit cannot.
	 * @return {@code false} if it only reads
	 */
	default boolean hasEffect() {
		// Named are those that only read: what is added later has an effect.
		boolean reads = this instanceof Read || this instanceof ListDirectory || this instanceof Find
				|| this instanceof Search || this instanceof ArtifactRead || this instanceof ArtifactSearch
				|| this instanceof CommandRead || (this instanceof Edit edit && edit.dryRun());
		return !reads;
	}

	/**
	 * A file is read.
	 *
	 * @param path the file
	 */
	record Read(WorkspacePath path) implements ToolRequest {

	}

	/**
	 * A file is written whole, or its end.
	 *
	 * @param path the file
	 * @param bytes how many bytes are written
	 * @param overwrite whether there is a file that is replaced or appended to
	 * @param createsDirectories the directories that are made for it, outermost first
	 */
	record Write(WorkspacePath path, long bytes, boolean overwrite,
			List<WorkspacePath> createsDirectories) implements ToolRequest {

		/**
		 * Copies the directories.
		 */
		public Write {
			createsDirectories = List.copyOf(createsDirectories);
		}

	}

	/**
	 * Parts of a file are replaced.
	 *
	 * @param path the file
	 * @param baseSha256 the digest of the file as it is, in hexadecimal
	 * @param resultSha256 the digest of the file as it will be
	 * @param resultBytes how long it will be
	 * @param replacements how many pieces are replaced
	 * @param dryRun whether nothing is written
	 */
	record Edit(WorkspacePath path, String baseSha256, String resultSha256, long resultBytes, int replacements,
			boolean dryRun) implements ToolRequest {

	}

	/**
	 * A directory is listed.
	 *
	 * @param path the directory
	 */
	record ListDirectory(WorkspacePath path) implements ToolRequest {

	}

	/**
	 * Paths are looked for.
	 *
	 * @param path the directory to look in
	 * @param pattern the pattern
	 */
	record Find(WorkspacePath path, String pattern) implements ToolRequest {

	}

	/**
	 * Files or paths are searched for a text.
	 *
	 * @param path the directory to look in
	 * @param query the text or expression
	 * @param mode {@code content} or {@code path}
	 */
	record Search(WorkspacePath path, String query, String mode) implements ToolRequest {

	}

	/**
	 * An entry is moved.
	 *
	 * @param path the entry
	 * @param target its new path
	 */
	record Move(WorkspacePath path, WorkspacePath target) implements ToolRequest {

	}

	/**
	 * An entry is removed, a directory with all that is in it.
	 *
	 * @param path the entry
	 */
	record Remove(WorkspacePath path) implements ToolRequest {

	}

	/**
	 * A command is run.
	 *
	 * @param executable the alias of the program, or {@code shell}
	 * @param args the arguments; the one of a shell is its script
	 * @param cwd the working directory
	 * @param background whether it runs on after the call
	 */
	record Command(String executable, List<String> args, WorkspacePath cwd, boolean background) implements ToolRequest {

		/**
		 * Copies the arguments.
		 */
		public Command {
			args = List.copyOf(args);
		}

		/**
		 * Creates a command that ends before the call does.
		 * @param executable the alias of the program, or {@code shell}
		 * @param args the arguments
		 * @param cwd the working directory
		 */
		public Command(String executable, List<String> args, WorkspacePath cwd) {
			this(executable, args, cwd, false);
		}

	}

	/**
	 * What a command in the background printed is read. Whoever asks knows from the
	 * authorization of the command what it is.
	 *
	 * @param command the command's id
	 */
	record CommandRead(String command) implements ToolRequest {

	}

	/**
	 * A command in the background is ended.
	 *
	 * @param command the command's id
	 */
	record CommandStop(String command) implements ToolRequest {

	}

	/**
	 * A part of a kept output is read. The command that printed it is asked for next, as
	 * if it were to run again.
	 *
	 * @param reference the output's reference
	 * @param offset the first byte
	 * @param maxBytes how many bytes are read at most
	 */
	record ArtifactRead(String reference, long offset, int maxBytes) implements ToolRequest {

	}

	/**
	 * A kept output is searched. The command that printed it is asked for next, as if it
	 * were to run again.
	 *
	 * @param reference the output's reference
	 * @param query the text or expression
	 * @param maxMatches how many matches are answered at most
	 */
	record ArtifactSearch(String reference, String query, int maxMatches) implements ToolRequest {

	}

}
