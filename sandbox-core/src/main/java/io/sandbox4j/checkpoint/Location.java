package io.sandbox4j.checkpoint;

/**
 * Where a blob is.
 *
 * @param pack the pack's name, without what all packs' names start with
 * @param offset where it starts
 * @param length its bytes
 */
record Location(String pack, long offset, int length) {

}
