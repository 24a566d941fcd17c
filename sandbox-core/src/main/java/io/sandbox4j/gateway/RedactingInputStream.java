package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Masks what an automaton finds. Keeps back only the bytes that may be the beginning of a
 * match: all others are given at once, so an event of a stream is not delayed. Where the
 * stream fails, what is kept back is lost with the rest. Not thread-safe.
 */
final class RedactingInputStream extends InputStream {

	private static final int CHUNK = 16 * 1024;

	/**
	 * What a caller's array must take besides the bytes that are kept back, so that it is
	 * read into directly.
	 */
	private static final int DIRECT = 4 * 1024;

	private static final byte[] EMPTY = {};

	private final InputStream in;

	private final PatternAutomaton.Scan scan;

	private final boolean pass;

	private final int longest;

	private byte[] buffer = EMPTY;

	private int start;

	private int ready;

	private int end;

	private boolean ended;

	RedactingInputStream(InputStream in, PatternAutomaton automaton) {
		this.in = in;
		this.scan = automaton.scan();
		this.pass = automaton.isEmpty();
		this.longest = automaton.longest();
	}

	/**
	 * Whether anything was masked so far.
	 * @return {@code true} if the upstream reflected a secret
	 */
	boolean found() {
		return this.scan.found();
	}

	@Override
	public int read() throws IOException {
		if (this.pass) {
			return this.in.read();
		}
		return fill() ? this.buffer[this.start++] & 0xff : -1;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		if (this.pass) {
			return this.in.read(target, offset, length);
		}
		Objects.checkFromIndexSize(offset, length, target.length);
		if (length == 0) {
			return 0;
		}
		if (this.start == this.ready && length >= this.longest + DIRECT) {
			return readInto(target, offset, length);
		}
		if (!fill()) {
			return -1;
		}
		int count = Math.min(length, this.ready - this.start);
		System.arraycopy(this.buffer, this.start, target, offset, count);
		this.start += count;
		return count;
	}

	/**
	 * Counts only what is final: bytes that have come and may yet be masked are not.
	 */
	@Override
	public int available() throws IOException {
		if (this.pass) {
			return this.in.available();
		}
		if (this.start == this.ready && !this.ended) {
			int more = this.in.available();
			if (more > 0) {
				fetch(more);
			}
		}
		return this.ready - this.start;
	}

	// Most answers are read so, and need no array here.
	private int readInto(byte[] target, int offset, int length) throws IOException {
		int ready = 0;
		while (ready == 0 && !this.ended) {
			int held = this.end - this.start;
			System.arraycopy(this.buffer, this.start, target, offset, held);
			int count = this.in.read(target, offset + held, length - held);
			this.ended = count < 0;
			int end = held + Math.max(count, 0);
			this.scan.mask(target, offset + held, offset + end);
			ready = this.ended ? end : end - this.scan.open();
			hold(target, offset + ready, end - ready);
		}
		return (ready > 0) ? ready : -1;
	}

	private void hold(byte[] source, int offset, int count) {
		if (this.buffer.length < count) {
			this.buffer = new byte[Math.max(count, Math.min(this.longest, 256))];
		}
		System.arraycopy(source, offset, this.buffer, 0, count);
		this.start = 0;
		this.ready = 0;
		this.end = count;
	}

	private boolean fill() throws IOException {
		while (this.start == this.ready && !this.ended) {
			fetch(CHUNK);
		}
		return this.start < this.ready;
	}

	private void fetch(int most) throws IOException {
		int held = this.end - this.start;
		byte[] from = this.buffer;
		if (from.length < held + CHUNK) {
			this.buffer = new byte[this.longest + CHUNK];
		}
		System.arraycopy(from, this.start, this.buffer, 0, held);
		this.start = 0;
		this.ready = 0;
		this.end = held;
		int count = this.in.read(this.buffer, held, Math.min(most, CHUNK));
		if (count < 0) {
			this.ended = true;
			this.ready = held;
			return;
		}
		this.end = held + count;
		this.scan.mask(this.buffer, held, this.end);
		this.ready = this.end - this.scan.open();
	}

	@Override
	public void close() throws IOException {
		this.in.close();
	}

}
