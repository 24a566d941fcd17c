package io.sandbox4j.checkpoint;

import java.time.Instant;

/**
 * What the kernel of the guest says of a path.
 *
 * @param path the path below the workspace
 * @param type find's letter for its type
 * @param mode the permissions, with the bits above them
 * @param size the bytes
 * @param modified when its content was modified
 * @param changed when anything of it was, which no program can set
 * @param device the device
 * @param inode the inode
 * @param links how many names it has
 * @param allocated the bytes that its blocks have
 * @param target where a link points to
 */
record Listed(String path, char type, int mode, long size, Instant modified, Instant changed, long device, long inode,
		int links, long allocated, String target) {

	// The library that reads archives reads no larger number of a file with holes.
	static final long MAX_SPARSE = (1L << 33) - 1;

	boolean isFile() {
		return this.type == 'f';
	}

	boolean isTooLarge() {
		return realBytes() < this.size && this.size > MAX_SPARSE && isFile();
	}

	// What has to be read: holes have no blocks, and tails and compression can make less
	// of more.
	long realBytes() {
		return isFile() ? Math.min(this.size, this.allocated) : 0;
	}

}
