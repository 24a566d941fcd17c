package io.sandbox4j.tools;

import java.nio.charset.StandardCharsets;

/**
 * Previews of long output: how it begins, and how it ends.
 */
final class HeadTail {

	private HeadTail() {
	}

	/**
	 * Keeps the first and the last bytes. No character is cut; bytes that are malformed
	 * in the content become U+FFFD.
	 * @param content the output
	 * @param budget how many bytes to keep
	 * @return the content as a whole if it is within the budget, else half of the budget
	 * from its start and half from its end
	 */
	static Preview of(byte[] content, int budget) {
		if (budget < 0) {
			throw new IllegalArgumentException("'budget' must not be negative");
		}
		if (content.length <= budget) {
			return new Preview(text(content, 0, content.length), "", content.length, 0, 0);
		}
		int head = Utf8.floor(content, budget / 2);
		int tail = Utf8.ceiling(content, content.length - (budget - budget / 2));
		return new Preview(text(content, 0, head), text(content, tail, content.length), head, content.length - tail,
				tail - head);
	}

	private static String text(byte[] content, int from, int to) {
		return new String(content, from, to - from, StandardCharsets.UTF_8);
	}

	/**
	 * What was kept.
	 *
	 * @param head the start
	 * @param tail the end, empty if the start is everything
	 * @param headBytes the bytes of the content that the start is
	 * @param tailBytes the bytes of the content that the end is
	 * @param omittedBytes the bytes between
	 */
	record Preview(String head, String tail, int headBytes, int tailBytes, long omittedBytes) {

		/**
		 * Returns both, with a line between that says how much is missing.
		 * @return the text
		 */
		String marked() {
			return (this.omittedBytes == 0) ? this.head
					: this.head + "\n[... " + this.omittedBytes + " bytes left out ...]\n" + this.tail;
		}

	}

}
