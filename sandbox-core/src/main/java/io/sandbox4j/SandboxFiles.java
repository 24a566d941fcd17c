package io.sandbox4j;

import java.io.InputStream;
import java.util.List;

/**
 * The files of a workspace, read and written by the host. No call takes a command slot,
 * and none follows a symbolic link, not even while the guest swaps directories for links.
 * Thread-safe.
 * <p>
 * Every path is a {@linkplain WorkspacePath workspace path}. Failures are
 * {@link SandboxException}s: {@link ErrorCode#SANDBOX_PATH} for a refused path, a link or
 * a special file, {@link ErrorCode#SANDBOX_NOT_FOUND} for one that is absent,
 * {@link ErrorCode#SANDBOX_LIMIT} beyond a limit, {@link ErrorCode#SANDBOX_STOPPED} after
 * stop, {@link ErrorCode#SANDBOX_LEASE_LOST} for writes of a fenced handle.
 *
 * @since 0.1.0
 */
public interface SandboxFiles {

	/**
	 * How many levels a scan goes down at most.
	 */
	int MAX_SCAN_DEPTH = 128;

	/**
	 * Reads a whole file of at most the read limit (1 MiB unless configured).
	 * @param path the file
	 * @return its bytes
	 */
	byte[] read(String path);

	/**
	 * Reads a whole file as UTF-8, strictly.
	 * @param path the file
	 * @return its text
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if its bytes are not
	 * UTF-8
	 */
	String readText(String path);

	/**
	 * Opens a file of any size. The stream reads the file that was opened, whatever
	 * happens to its name.
	 * @param path the file
	 * @return the stream, to be closed by the caller
	 */
	InputStream open(String path);

	/**
	 * Writes a file of at most the write limit (1 MiB unless configured), making its
	 * directories. Readers see the old content or the new, never a part. An existing file
	 * keeps its mode and, being replaced, loses its other hard links.
	 * @param path the file
	 * @param content its bytes
	 */
	void write(String path, byte[] content);

	/**
	 * Writes text as UTF-8, as {@link #write(String, byte[])} does.
	 * @param path the file
	 * @param content its text, which must be well-formed Unicode
	 */
	void writeText(String path, String content);

	/**
	 * Writes a file of at most the stream limit (1 GiB unless configured), as
	 * {@link #write(String, byte[])} does.
	 * @param path the file
	 * @param content its bytes, read to the end and not closed
	 */
	void write(String path, InputStream content);

	/**
	 * Makes a file that is not there yet, of at most the write limit, with its
	 * directories. Of several that do so at once, commands among them, one succeeds.
	 * Readers see nothing, an empty file for a moment, or the whole content.
	 * @param path the file
	 * @param content its bytes
	 * @throws SandboxException {@link ErrorCode#SANDBOX_PATH} if there is anything of
	 * that name
	 */
	void create(String path, byte[] content);

	/**
	 * Makes a directory and its parents. An existing one is fine.
	 * @param path the directory
	 */
	void createDirectories(String path);

	/**
	 * Sets or clears the execute permission of a file's owner.
	 * @param path the file
	 * @param executable whether it may be executed
	 */
	void setExecutable(String path, boolean executable);

	/**
	 * Removes a file, a link (not its target) or a whole directory.
	 * @param path what to remove; not the workspace root
	 * @return {@code false} if there was nothing
	 */
	boolean remove(String path);

	/**
	 * Moves a file, link or directory, atomically. The target's directories are made; a
	 * file or link there is replaced, a directory is not.
	 * @param source what to move
	 * @param target its new path
	 */
	void move(String source, String target);

	/**
	 * Describes an entry.
	 * @param path the entry
	 * @return what is known of it
	 */
	FileEntry stat(String path);

	/**
	 * Whether there is an entry of any type.
	 * @param path the entry
	 * @return {@code false} if it or one of its directories is absent
	 */
	boolean exists(String path);

	/**
	 * Lists a directory, sorted by name.
	 * @param path the directory
	 * @return its entries
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if there are more than the
	 * entry limit (100,000 unless configured)
	 */
	List<FileEntry> list(String path);

	/**
	 * Lists everything below a directory, parents first, siblings sorted by name.
	 * Directories that vanish meanwhile are left out.
	 * @param path the directory
	 * @param maxDepth how many levels, at least 1
	 * @return the entries below it
	 * @throws SandboxException {@link ErrorCode#SANDBOX_LIMIT} if there are more than the
	 * entry limit
	 */
	List<FileEntry> walk(String path, int maxDepth);

	/**
	 * Scans the files below a directory, depth first. Much quicker than to list and to
	 * open each, as what was listed is opened from the directory that was listed; links
	 * are not followed.
	 * <p>
	 * A directory beyond the entry limit, or more than {@link #MAX_SCAN_DEPTH} levels
	 * down, is skipped. What the scan throws ends it and is thrown.
	 * @param path the directory
	 * @param scan what is done with the files
	 * @throws SandboxException if the directory itself cannot be listed
	 */
	void scan(String path, FileScan<?> scan);

}
