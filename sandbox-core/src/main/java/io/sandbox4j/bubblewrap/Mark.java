package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;

/**
 * The unguessable word that tells what the guest's shell says of a command from what the
 * program prints.
 */
final class Mark {

	private final byte[] bytes;

	Mark(String word) {
		this.bytes = word.getBytes(StandardCharsets.US_ASCII);
	}

	int length() {
		return this.bytes.length;
	}

	/**
	 * Finds the mark, or the start of one at the end of what there is.
	 * @param buffer the bytes
	 * @param from where they start
	 * @param to where they end
	 * @return where it starts, or {@code to} if there is nothing of it
	 */
	int find(byte[] buffer, int from, int to) {
		for (int i = from; i < to; i++) {
			if (buffer[i] == this.bytes[0] && matches(buffer, i, to)) {
				return i;
			}
		}
		return to;
	}

	private boolean matches(byte[] buffer, int start, int to) {
		int count = Math.min(this.bytes.length, to - start);
		for (int i = 1; i < count; i++) {
			if (buffer[start + i] != this.bytes[i]) {
				return false;
			}
		}
		return true;
	}

}
