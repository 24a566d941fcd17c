package io.sandbox4j.install;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The last bytes that a command printed. Thread-safe.
 */
final class OutputTail {

	static final int CAPACITY = 4096;

	private final byte[] buffer = new byte[CAPACITY];

	private long written;

	synchronized void write(byte[] bytes, int length) {
		for (int i = Math.max(0, length - CAPACITY); i < length; i++) {
			this.buffer[(int) ((this.written + i) % CAPACITY)] = bytes[i];
		}
		this.written += length;
	}

	/**
	 * Returns the text, from the first whole character on, without what controls a
	 * terminal or turns the direction of text, but for tabs and line breaks.
	 * @return the text, or {@code null} if there is none
	 */
	synchronized @Nullable String text() {
		int length = (int) Math.min(this.written, CAPACITY);
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = this.buffer[(int) ((this.written - length + i) % CAPACITY)];
		}
		int start = 0;
		while (this.written > CAPACITY && start < length && (bytes[start] & 0xc0) == 0x80) {
			start++;
		}
		String text = new String(bytes, start, length - start, StandardCharsets.UTF_8).replaceAll("\r\n?", "\n")
			.replaceAll("[\\p{Cc}\\p{Cf}&&[^\t\n]]", "")
			.strip();
		return text.isEmpty() ? null : text;
	}

}
