package io.sandbox4j;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is done while a tree of files is scanned, see
 * {@link SandboxFiles#scan(String, FileScan)}. A directory is given to {@link #choose},
 * what was chosen of it is gone into or read, and what was read is given to
 * {@link #take}. All but {@link #read} is called on the thread that scans.
 *
 * @param <T> what is made of the content of a file
 * @since 0.1.0
 */
public interface FileScan<T> {

	/**
	 * Whether more directories are wanted. Asked before each is opened.
	 * @return {@code false} to take what was chosen and to end then
	 */
	boolean goesOn();

	/**
	 * Chooses what is looked at in a directory. Asked for a directory before anything in
	 * it is opened.
	 * @param directory the directory
	 * @return the directories to go into and the files to read, in the order in which
	 * they are to be taken; an entry of another type is left out
	 */
	List<FileEntry> choose(Directory directory);

	/**
	 * Whether files are read, or taken without being opened.
	 * @return {@code false} if nothing needs their content
	 */
	boolean readsContent();

	/**
	 * Makes something of the content of a file. Called on other threads, for several
	 * files at a time; must be thread-safe and not wait.
	 * @param file the file as it was listed
	 * @param content its content, valid during the call
	 * @return what the scanning thread is given, or {@code null} for nothing
	 * @throws IOException if the content cannot be read
	 */
	@Nullable T read(FileEntry file, InputStream content) throws IOException;

	/**
	 * Takes a file, in the order in which files were chosen.
	 * @param file the file as it was listed
	 * @param value what {@link #read} returned; {@code null} if it returned nothing, if
	 * the file could not be opened or read, or if content is not read
	 * @return {@code false} to end the scan
	 */
	boolean take(FileEntry file, @Nullable T value);

	/**
	 * Hears of a chosen directory that was not gone into.
	 * @param directory the directory
	 * @param reason why: {@link ErrorCode#SANDBOX_NOT_FOUND} if it is gone,
	 * {@link ErrorCode#SANDBOX_PATH} if a link or something else stands in its place,
	 * {@link ErrorCode#SANDBOX_LIMIT} if it has too many entries or lies too deep
	 */
	void skipped(FileEntry directory, SandboxException reason);

	/**
	 * A directory during a scan. Valid while {@link FileScan#choose} is called.
	 */
	interface Directory {

		/**
		 * Returns the directory's path.
		 * @return the path
		 */
		WorkspacePath path();

		/**
		 * Returns what is in it, sorted by name.
		 * @return the entries
		 */
		List<FileEntry> entries();

		/**
		 * Reads a file of it on the calling thread.
		 * @param file one of the entries
		 * @param maxBytes how many bytes it may have
		 * @return its bytes, or {@code null} if it is larger, gone or no regular file
		 */
		byte @Nullable [] read(FileEntry file, int maxBytes);

	}

}
