package io.sandbox4j.tools;

/**
 * What was to be read as text is not UTF-8, or has a NUL, which no text has.
 */
final class NotTextException extends Exception {

	private final long byteOffset;

	private final boolean nul;

	NotTextException(long byteOffset, boolean nul) {
		super((nul ? "A NUL byte is" : "Bytes that are not UTF-8 are") + " at byte " + byteOffset);
		this.byteOffset = byteOffset;
		this.nul = nul;
	}

	/**
	 * Returns where the first character begins that is none.
	 * @return the offset from the start of the stream
	 */
	long byteOffset() {
		return this.byteOffset;
	}

	boolean nul() {
		return this.nul;
	}

}
