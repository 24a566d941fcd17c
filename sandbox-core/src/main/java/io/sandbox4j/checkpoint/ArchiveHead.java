package io.sandbox4j.checkpoint;

/**
 * The first file of an exported checkpoint: what its files do not tell.
 *
 * @param format {@link #FORMAT}
 * @param key what the workspace was started from
 * @param created when the checkpoint was made
 * @param tree the digest of all entries, which an import compares
 * @param entries how many entries follow
 * @param bytes the bytes of files, without holes
 */
record ArchiveHead(int format, String key, String created, String tree, long entries, long bytes) {

	static final int FORMAT = 1;

	static final String NAME = "checkpoint.json";

	static final String WORKSPACE = "workspace";

	static final int MAX = 65_536;

}
