package io.sandbox4j.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.Checksum;

import org.jspecify.annotations.Nullable;

/**
 * One connection of a client that costs as little as it can, the same for every server:
 * it sends the same request again and again and counts what comes back. It trusts the
 * server, so it is for benchmarks only.
 */
final class LoadConnection {

	private static final int BUFFER = 64 * 1024;

	private static final String LENGTH = "\r\ncontent-length: ";

	private static final String CHUNKED = "\r\ntransfer-encoding: chunked\r\n";

	private final ByteChannel channel;

	private final ByteBuffer request;

	private final @Nullable Checksum checksum;

	// Ready to be read from.
	private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).limit(0);

	LoadConnection(ByteChannel channel, byte[] request, @Nullable Checksum checksum) {
		this.channel = channel;
		this.request = ByteBuffer.allocateDirect(request.length).put(request);
		this.checksum = checksum;
	}

	/**
	 * Sends the request and reads the answer to its end.
	 * @return how many bytes its body had
	 * @throws IOException if the answer is not 200, or is no answer
	 */
	long exchange() throws IOException {
		this.request.rewind();
		while (this.request.hasRemaining()) {
			this.channel.write(this.request);
		}
		String head = head();
		if (!head.startsWith("http/1.1 200")) {
			throw new IOException("The answer is not 200: " + head);
		}
		long length;
		int announced = head.indexOf(LENGTH);
		if (announced >= 0) {
			int start = announced + LENGTH.length();
			length = Long.parseLong(head.substring(start, head.indexOf('\r', start)));
			skip(length);
		}
		else if (head.contains(CHUNKED)) {
			length = chunks();
		}
		else {
			throw new IOException("The answer has no length: " + head);
		}
		if (this.buffer.hasRemaining()) {
			throw new IOException("The answer is longer than it says: " + head);
		}
		return length;
	}

	private String head() throws IOException {
		fill();
		int end = endOfHead();
		while (end < 0) {
			fill();
			end = endOfHead();
		}
		byte[] head = new byte[end - this.buffer.position()];
		this.buffer.get(head);
		return new String(head, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
	}

	private int endOfHead() {
		for (int i = this.buffer.position() + 3; i < this.buffer.limit(); i++) {
			if (this.buffer.get(i) == '\n' && this.buffer.get(i - 1) == '\r' && this.buffer.get(i - 2) == '\n') {
				return i + 1;
			}
		}
		return -1;
	}

	private long chunks() throws IOException {
		long total = 0;
		while (true) {
			String line = line();
			int extension = line.indexOf(';');
			long size = Long.parseLong(((extension >= 0) ? line.substring(0, extension) : line).strip(), 16);
			if (size == 0) {
				while (!line().isEmpty()) {
					continue;
				}
				return total;
			}
			skip(size);
			total += size;
			line();
		}
	}

	private String line() throws IOException {
		StringBuilder line = new StringBuilder();
		while (true) {
			if (!this.buffer.hasRemaining()) {
				fill();
			}
			char next = (char) this.buffer.get();
			if (next == '\n') {
				return line.toString().stripTrailing();
			}
			line.append(next);
		}
	}

	private void skip(long count) throws IOException {
		long left = count;
		while (left > 0) {
			if (!this.buffer.hasRemaining()) {
				fill();
			}
			int part = (int) Math.min(left, this.buffer.remaining());
			if (this.checksum != null) {
				this.checksum.update(this.buffer.slice(this.buffer.position(), part));
			}
			this.buffer.position(this.buffer.position() + part);
			left -= part;
		}
	}

	// Adds what the server has sent to what is not read yet.
	private void fill() throws IOException {
		this.buffer.compact();
		int read = this.channel.read(this.buffer);
		this.buffer.flip();
		if (read <= 0) {
			throw new EOFException("The server closed the connection, or its head is too long.");
		}
	}

}
