package io.sandbox4j;

/**
 * What a workspace entry is. Links are never followed.
 *
 * @since 0.1.0
 */
public enum FileType {

	/**
	 * A regular file.
	 */
	FILE,

	/**
	 * A directory.
	 */
	DIRECTORY,

	/**
	 * A symbolic link.
	 */
	SYMLINK,

	/**
	 * A FIFO, socket or device.
	 */
	OTHER

}
