package io.sandbox4j.storage;

/**
 * What stored data survives.
 *
 * @since 0.1.0
 */
public enum Durability {

	/**
	 * The end of this process, also by a signal.
	 */
	PROCESS,

	/**
	 * Also a power failure: files and directories are flushed to the disk before they
	 * count.
	 */
	POWER_LOSS

}
