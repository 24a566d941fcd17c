package io.sandbox4j.checkpoint;

/**
 * A piece of a file that is no hole.
 *
 * @param offset where it starts in the file
 * @param length its bytes, at most {@link #MAX}
 * @param digest what they are
 */
record Extent(long offset, int length, Digest digest) {

	// Pieces end at multiples of this, so that a change within a large file, or at its
	// end, changes few.
	static final int MAX = 1 << 20;

	long end() {
		return this.offset + this.length;
	}

}
