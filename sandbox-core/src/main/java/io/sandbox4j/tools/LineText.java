package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of one line as they come: the first are kept, all are checked and counted.
 */
final class LineText {

	private final long offset;

	private final int limit;

	private final Utf8 utf8 = new Utf8();

	private byte[] kept = new byte[128];

	// Of the bytes that are kept, those that are whole characters.
	private int whole;

	private long length;

	private long characterStart;

	private boolean carriageReturn;

	private @Nullable NotTextException broken;

	/**
	 * Starts a line.
	 * @param offset the offset of its first byte
	 * @param limit how many bytes to keep
	 */
	LineText(long offset, int limit) {
		this.offset = offset;
		this.limit = limit;
	}

	/**
	 * Takes the next byte.
	 * @param value the byte
	 * @return whether it ends the line
	 */
	boolean add(int value) {
		if (value == '\n') {
			// A carriage return before it is a part of the end.
			this.carriageReturn = false;
			return true;
		}
		flush();
		if (value == '\r') {
			this.carriageReturn = true;
		}
		else {
			append(value);
		}
		return false;
	}

	/**
	 * Ends the line. A carriage return that no LF follows is a character of it.
	 */
	void end() {
		flush();
		if (!this.utf8.isWhole()) {
			breaks(false);
		}
	}

	private void flush() {
		if (this.carriageReturn) {
			this.carriageReturn = false;
			append('\r');
		}
	}

	private void append(int value) {
		if (!this.utf8.accept(value)) {
			breaks(false);
		}
		else if (value == 0) {
			breaks(true);
		}
		if (this.length < this.limit) {
			if (this.length == this.kept.length) {
				this.kept = Arrays.copyOf(this.kept, (int) Math.min(this.limit, this.length * 2));
			}
			this.kept[(int) this.length] = (byte) value;
		}
		this.length++;
		if (this.utf8.isWhole()) {
			this.characterStart = this.length;
			this.whole = (this.length <= this.limit) ? (int) this.length : this.whole;
		}
	}

	private void breaks(boolean nul) {
		if (this.broken == null) {
			this.broken = new NotTextException(this.offset + this.characterStart, nul);
		}
	}

	boolean isClipped() {
		return this.length > this.limit;
	}

	long excess() {
		return Math.max(0, this.length - this.limit);
	}

	/**
	 * Returns the characters that are kept.
	 * @return the text
	 * @throws NotTextException if what came is no text
	 */
	String show() throws NotTextException {
		if (this.broken != null) {
			throw this.broken;
		}
		return new String(this.kept, 0, this.whole, StandardCharsets.UTF_8);
	}

	int shownBytes() {
		return this.whole;
	}

	long omittedBytes() {
		return this.length - this.whole;
	}

}
