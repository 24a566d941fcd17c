package io.sandbox4j.checkpoint;

/**
 * How an exported checkpoint is compressed. An import finds out by itself.
 *
 * @since 0.1.0
 */
public enum ArchiveCompression {

	/**
	 * Zstandard: {@code .tar.zst}. Needs {@code com.github.luben:zstd-jni} on the class
	 * path.
	 */
	ZSTD,

	/**
	 * Gzip: {@code .tar.gz}.
	 */
	GZIP,

	/**
	 * None: {@code .tar}.
	 */
	NONE

}
