package io.sandbox4j.tools;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Gives a start and then the same byte for as long as it is read, and counts.
 */
final class EndlessLine extends InputStream {

	private final byte[] start;

	private final char rest;

	private long count;

	EndlessLine(String start, char rest) {
		this.start = start.getBytes(StandardCharsets.UTF_8);
		this.rest = rest;
	}

	long count() {
		return this.count;
	}

	@Override
	public int read() {
		return (this.count < this.start.length) ? this.start[(int) this.count++] & 0xff : next();
	}

	private int next() {
		this.count++;
		return this.rest;
	}

	@Override
	public int read(byte[] target, int offset, int length) {
		if (this.count < this.start.length) {
			target[offset] = (byte) read();
			return 1;
		}
		Arrays.fill(target, offset, offset + length, (byte) this.rest);
		this.count += length;
		return length;
	}

	@Override
	public long skip(long distance) {
		this.count += distance;
		return distance;
	}

}
