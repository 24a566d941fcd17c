package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Takes the standard error of a sandbox with a command apart: what the program prints,
 * and before and after it what the guest's shell reports with the command's mark. Fed by
 * one thread.
 */
final class CommandReport {

	/**
	 * More than the shell ever reports after the mark.
	 */
	private static final int MAX_WORDS = 32;

	private final Mark mark;

	private final Listener listener;

	private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

	private boolean ended;

	CommandReport(Mark mark, Listener listener) {
		this.mark = mark;
		this.listener = listener;
	}

	void feed(byte[] buffer, int offset, int length) {
		if (this.ended) {
			return;
		}
		this.pending.write(buffer, offset, length);
		boolean more = true;
		while (more) {
			byte[] bytes = this.pending.toByteArray();
			this.pending.reset();
			int used = this.ended ? bytes.length : take(bytes);
			this.pending.write(bytes, used, bytes.length - used);
			more = used > 0 && this.pending.size() > 0;
		}
	}

	/**
	 * No byte comes any more: what was held back as the possible start of a mark is
	 * output.
	 */
	void finish() {
		byte[] rest = this.pending.toByteArray();
		this.pending.reset();
		if (!this.ended && rest.length > 0) {
			this.listener.output(rest, 0, rest.length);
		}
	}

	private int take(byte[] bytes) {
		int start = this.mark.find(bytes, 0, bytes.length);
		if (start > 0) {
			this.listener.output(bytes, 0, start);
			return start;
		}
		if (this.mark.length() > bytes.length) {
			return 0;
		}
		int newline = newlineAfterMark(bytes);
		if (newline > this.mark.length() + MAX_WORDS
				|| (newline < 0 && bytes.length > this.mark.length() + MAX_WORDS)) {
			// Not the shell's: a guest found the mark out, and could make the host keep
			// whatever follows it.
			this.listener.output(bytes, 0, this.mark.length());
			return this.mark.length();
		}
		if (newline < 0) {
			return 0;
		}
		hear(new String(bytes, this.mark.length(), newline - this.mark.length(), StandardCharsets.US_ASCII).strip()
			.split(" "));
		return newline + 1;
	}

	private int newlineAfterMark(byte[] bytes) {
		for (int i = this.mark.length(); i < bytes.length; i++) {
			if (bytes[i] == '\n') {
				return i;
			}
		}
		return -1;
	}

	private void hear(String[] words) {
		switch (words[0]) {
			case "S" -> this.listener.started();
			case "F" -> {
				this.ended = true;
				this.listener.launchFailed();
			}
			default -> {
				// A guest that forges a report says nothing but its own exit code.
				boolean number = words.length > 1 && words[1].matches("\\d{1,3}");
				this.ended = true;
				this.listener.exited(number ? Integer.parseInt(words[1]) : 0, words.length > 2);
			}
		}
	}

	/**
	 * Hears what becomes of the program.
	 */
	interface Listener {

		/**
		 * The program is about to be executed.
		 */
		void started();

		/**
		 * The program could not be executed.
		 */
		void launchFailed();

		/**
		 * The program ended.
		 * @param status what a shell's {@code $?} says
		 * @param signalled whether the shell said that a signal ended it
		 */
		void exited(int status, boolean signalled);

		/**
		 * The program printed on standard error.
		 * @param buffer the bytes
		 * @param offset where they start
		 * @param length how many they are
		 */
		void output(byte[] buffer, int offset, int length);

	}

}
