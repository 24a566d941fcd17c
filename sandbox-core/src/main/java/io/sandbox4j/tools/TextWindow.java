package io.sandbox4j.tools;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A part of a text, cut between characters. Windows that begin where the one before ended
 * give the whole text, whatever their sizes.
 *
 * @param text the characters, without a byte order mark at the start of the stream
 * @param offset where the window starts: where it was asked for, or up to three bytes
 * after if that is inside a character
 * @param bytes how many bytes the window takes, a byte order mark among them
 * @param truncated whether more follows
 * @param beyondEnd whether the stream ends before the offset that was asked for
 */
record TextWindow(String text, long offset, int bytes, boolean truncated, boolean beyondEnd) {

	private static final int MAX_CHARACTER_BYTES = 4;

	// Room for the rest of a character before the window, a mark and one character.
	private static final int AROUND = 2 * MAX_CHARACTER_BYTES + Utf8.BOM_BYTES;

	/**
	 * Reads a window. A character that the end of the window would split is left to the
	 * next, unless it is the only one: a window has at least one if there is one.
	 * @param in the stream, at its start
	 * @param offset the first byte
	 * @param maxBytes how many bytes to take
	 * @return the window
	 * @throws IOException if the stream fails
	 * @throws NotTextException if the window is not UTF-8, or has a NUL
	 */
	static TextWindow read(InputStream in, long offset, int maxBytes) throws IOException, NotTextException {
		if (offset < 0 || maxBytes <= 0) {
			throw new IllegalArgumentException("'offset' must not be negative, and 'maxBytes' must be positive");
		}
		int size = Math.min(maxBytes, Integer.MAX_VALUE - 2 * AROUND);
		// What is before the offset tells whether it is inside a character, and whether
		// it is beyond the end: some streams skip any distance.
		int before = (int) Math.min(offset, MAX_CHARACTER_BYTES - 1);
		try {
			in.skipNBytes(offset - before);
		}
		catch (EOFException ex) {
			return new TextWindow("", offset, 0, false, true);
		}
		byte[] bytes = in.readNBytes(before + size + AROUND);
		if (bytes.length < before) {
			return new TextWindow("", offset, 0, false, true);
		}
		return of(bytes, offset - before, Utf8.ceiling(bytes, before), size);
	}

	private static TextWindow of(byte[] bytes, long base, int start, int size) throws NotTextException {
		boolean bom = base + start == 0 && Utf8.startsWithBom(bytes, bytes.length);
		int textStart = bom ? Utf8.BOM_BYTES : start;
		int limit = start + size;
		Utf8 utf8 = new Utf8();
		int end = textStart;
		int next = textStart;
		while (next < bytes.length && (next < limit || end == textStart)) {
			byte value = bytes[next++];
			if (!utf8.accept(value)) {
				throw new NotTextException(base + end, false);
			}
			if (value == 0) {
				throw new NotTextException(base + end, true);
			}
			end = utf8.isWhole() ? next : end;
		}
		// More is read than a window takes, so only the end of the stream ends it here.
		if (next == bytes.length && !utf8.isWhole()) {
			throw new NotTextException(base + end, false);
		}
		String text = new String(bytes, textStart, end - textStart, StandardCharsets.UTF_8);
		return new TextWindow(text, base + start, end - start, end < bytes.length, false);
	}

	/**
	 * Returns where the next window starts.
	 * @return the offset after the last byte of this window
	 */
	long nextOffset() {
		return this.offset + this.bytes;
	}

}
