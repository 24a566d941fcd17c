package io.sandbox4j.git;

import java.io.IOException;
import java.util.Map;

import io.sandbox4j.FileType;

/**
 * One of the two directories of a handoff. Paths are relative to it, with slashes.
 */
interface HandoffSide {

	/**
	 * Lists all that is below the directory.
	 * @param most how many levels
	 * @return the entries by path, sorted; empty if there is no such directory
	 * @throws IOException if it cannot be read
	 */
	Map<String, Entry> list(int most) throws IOException;

	/**
	 * Reads a file without following a link.
	 * @param path the file
	 * @param most how many bytes
	 * @return its bytes, or the first of them
	 * @throws IOException if it cannot be read
	 */
	byte[] read(String path, int most) throws IOException;

	/**
	 * Writes a file and its directories without following a link. It has the old content
	 * or the new at any time.
	 * @param path the file
	 * @param content its bytes
	 * @throws IOException if it cannot be written
	 */
	void write(String path, byte[] content) throws IOException;

	/**
	 * What stands at a path.
	 *
	 * @param type what it is; something else if its name cannot be carried
	 * @param size the bytes of a file
	 */
	record Entry(FileType type, long size) {

	}

}
