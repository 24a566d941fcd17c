package io.sandbox4j.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Gives one part for a read, as a network does, and fails if more is read than is there
 * while it is open: a real one would block.
 */
final class ScriptedStream extends InputStream {

	private final Deque<byte[]> parts = new ArrayDeque<>();

	private boolean open;

	private boolean closed;

	static ScriptedStream of(String... parts) {
		ScriptedStream stream = new ScriptedStream();
		for (String part : parts) {
			stream.add(part.getBytes(StandardCharsets.ISO_8859_1));
		}
		return stream;
	}

	ScriptedStream add(byte[] part) {
		if (part.length > 0) {
			this.parts.add(part);
		}
		return this;
	}

	ScriptedStream staysOpen() {
		this.open = true;
		return this;
	}

	ScriptedStream ends() {
		this.open = false;
		return this;
	}

	boolean isClosed() {
		return this.closed;
	}

	@Override
	public int read() {
		throw new AssertionError("Reads should be in bulk");
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		byte[] part = this.parts.poll();
		if (part == null) {
			if (this.open) {
				throw new IOException("would block");
			}
			return -1;
		}
		int count = Math.min(part.length, length);
		System.arraycopy(part, 0, target, offset, count);
		if (count < part.length) {
			this.parts.addFirst(Arrays.copyOfRange(part, count, part.length));
		}
		return count;
	}

	@Override
	public int available() {
		return this.parts.isEmpty() ? 0 : this.parts.getFirst().length;
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
