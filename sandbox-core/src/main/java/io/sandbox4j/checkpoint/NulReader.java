package io.sandbox4j.checkpoint;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A stream of which a part is words that end with NUL. Not thread-safe.
 */
final class NulReader extends InputStream {

	private static final int MAX_WORD = 65_536;

	private final InputStream input;

	private final byte[] buffer = new byte[1 << 17];

	private byte[] word = new byte[256];

	private int position;

	private int end;

	private long filled;

	NulReader(InputStream input) {
		this.input = input;
	}

	// Each byte is a character.
	String word() throws IOException {
		int length = 0;
		while (true) {
			if (this.position == this.end && !fill()) {
				throw new EOFException("The listing ended early");
			}
			int start = this.position;
			while (this.position < this.end && this.buffer[this.position] != 0) {
				this.position++;
			}
			int count = this.position - start;
			if (this.position < this.end && length == 0) {
				this.position++;
				return new String(this.buffer, start, count, StandardCharsets.ISO_8859_1);
			}
			append(start, count, length);
			length += count;
			if (this.position < this.end) {
				this.position++;
				return new String(this.word, 0, length, StandardCharsets.ISO_8859_1);
			}
		}
	}

	private void append(int start, int count, int length) throws IOException {
		if (length + count > MAX_WORD) {
			throw new IOException("The listing has a word that is too long");
		}
		if (length + count > this.word.length) {
			this.word = Arrays.copyOf(this.word, 2 * (length + count));
		}
		System.arraycopy(this.buffer, start, this.word, length, count);
	}

	private boolean fill() throws IOException {
		this.position = 0;
		this.end = Math.max(this.input.read(this.buffer, 0, this.buffer.length), 0);
		this.filled += this.end;
		return this.end > 0;
	}

	@Override
	public int read() throws IOException {
		if (this.position == this.end && !fill()) {
			return -1;
		}
		return this.buffer[this.position++] & 0xFF;
	}

	@Override
	public int read(byte[] bytes, int offset, int length) throws IOException {
		if (length == 0) {
			return 0;
		}
		if (this.position == this.end) {
			if (length >= this.buffer.length) {
				int direct = this.input.read(bytes, offset, length);
				this.filled += Math.max(direct, 0);
				return direct;
			}
			if (!fill()) {
				return -1;
			}
		}
		int count = Math.min(length, this.end - this.position);
		System.arraycopy(this.buffer, this.position, bytes, offset, count);
		this.position += count;
		return count;
	}

	// How many bytes were read from here, words included.
	long taken() {
		return this.filled - available();
	}

	@Override
	public int available() {
		return this.end - this.position;
	}

	@Override
	public void close() throws IOException {
		this.input.close();
	}

}
