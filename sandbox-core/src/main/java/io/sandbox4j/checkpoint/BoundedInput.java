package io.sandbox4j.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The first bytes of a stream.
 */
final class BoundedInput extends FilterInputStream {

	private long left;

	BoundedInput(InputStream input, long length) {
		super(input);
		this.left = length;
	}

	@Override
	public int read() throws IOException {
		if (this.left <= 0) {
			return -1;
		}
		int value = super.read();
		this.left--;
		return value;
	}

	@Override
	public int read(byte[] bytes, int offset, int length) throws IOException {
		if (this.left <= 0) {
			return -1;
		}
		int count = super.read(bytes, offset, (int) Math.min(length, this.left));
		this.left -= Math.max(count, 0);
		return count;
	}

	@Override
	public long skip(long count) throws IOException {
		long skipped = super.skip(Math.min(count, this.left));
		this.left -= skipped;
		return skipped;
	}

	@Override
	public boolean markSupported() {
		return false;
	}

}
