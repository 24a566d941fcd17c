package io.sandbox4j.tools;

import java.util.Arrays;

/**
 * The last bytes that a program printed and nobody read: what is new pushes out what is
 * old, so that the program never waits for a reader. Thread-safe.
 */
final class OutputRing {

	private static final int MAX_CHARACTER_BYTES = 4;

	private static final int INITIAL = 1024;

	private final int capacity;

	private byte[] buffer;

	// Both count from the first byte of the stream.
	private long written;

	private long read;

	private boolean ended;

	OutputRing(int capacity) {
		if (capacity < MAX_CHARACTER_BYTES) {
			throw new IllegalArgumentException("'capacity' must be at least " + MAX_CHARACTER_BYTES);
		}
		this.capacity = capacity;
		this.buffer = new byte[Math.min(INITIAL, capacity)];
	}

	synchronized void write(byte[] bytes, int offset, int length) {
		grow(this.written + length);
		int from = offset + Math.max(0, length - this.capacity);
		this.written += from - offset;
		for (int left = offset + length - from; left > 0;) {
			int position = (int) (this.written % this.buffer.length);
			int count = Math.min(left, this.buffer.length - position);
			System.arraycopy(bytes, from, this.buffer, position, count);
			from += count;
			left -= count;
			this.written += count;
		}
	}

	// Nothing has gone round the end before the buffer is as large as it gets.
	private void grow(long needed) {
		if (needed > this.buffer.length && this.buffer.length < this.capacity) {
			long size = Math.min(this.capacity, Math.max(needed, 2L * this.buffer.length));
			this.buffer = Arrays.copyOf(this.buffer, (int) size);
		}
	}

	/**
	 * Says that no more is written, so a character that is not complete never will be.
	 */
	synchronized void end() {
		this.ended = true;
	}

	synchronized boolean isEnded() {
		return this.ended;
	}

	synchronized int available() {
		return (int) Math.min(this.written - this.read, this.capacity);
	}

	/**
	 * Takes the oldest bytes that are there. A character of which a part is pushed out is
	 * left out whole, and one of which a part is still to come stays.
	 * @param maxBytes how many at most; a character is taken if there is room for four
	 * bytes, whatever is asked for
	 * @return the bytes, and how many were left out before them
	 */
	synchronized Piece take(int maxBytes) {
		long start = Math.max(this.read, this.written - this.capacity);
		byte[] bytes = copy(start, (int) Math.min(this.written - start, Math.max(maxBytes, MAX_CHARACTER_BYTES)));
		int skipped = (start > this.read) ? continuations(bytes) : 0;
		boolean last = this.ended && start + bytes.length == this.written;
		int end = last ? bytes.length : Math.max(skipped, whole(bytes));
		long omitted = start - this.read + skipped;
		this.read = start + end;
		return new Piece(Arrays.copyOfRange(bytes, skipped, end), omitted);
	}

	private byte[] copy(long start, int length) {
		byte[] bytes = new byte[length];
		int position = (int) (start % this.buffer.length);
		int first = Math.min(length, this.buffer.length - position);
		System.arraycopy(this.buffer, position, bytes, 0, first);
		System.arraycopy(this.buffer, 0, bytes, first, length - first);
		return bytes;
	}

	private static int continuations(byte[] bytes) {
		int count = 0;
		while (count < Math.min(bytes.length, MAX_CHARACTER_BYTES - 1) && (bytes[count] & 0xc0) == 0x80) {
			count++;
		}
		return count;
	}

	// Where a character begins whose end is missing, or the end.
	private static int whole(byte[] bytes) {
		for (int from = Math.max(0, bytes.length - MAX_CHARACTER_BYTES + 1); from < bytes.length; from++) {
			Utf8 utf8 = new Utf8();
			int next = from;
			while (next < bytes.length && utf8.accept(bytes[next])) {
				next++;
				if (utf8.isWhole()) {
					break;
				}
			}
			if (next == bytes.length && !utf8.isWhole()) {
				return from;
			}
		}
		return bytes.length;
	}

	/**
	 * What was taken.
	 *
	 * @param bytes the bytes
	 * @param omitted how many bytes before them nobody read in time
	 */
	record Piece(byte[] bytes, long omitted) {

	}

}
