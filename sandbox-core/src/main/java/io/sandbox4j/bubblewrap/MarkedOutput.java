package io.sandbox4j.bubblewrap;

/**
 * A program's standard output, up to the mark that the guest's shell writes behind it
 * when the program ended: all that the program wrote itself stands before the mark, and
 * what a process that it left behind writes after it is nobody's any more. Fed by one
 * thread.
 */
final class MarkedOutput {

	private final Mark mark;

	private final Listener listener;

	private byte[] held = new byte[0];

	private boolean ended;

	MarkedOutput(Mark mark, Listener listener) {
		this.mark = mark;
		this.listener = listener;
	}

	void feed(byte[] buffer, int offset, int length) {
		if (this.ended) {
			return;
		}
		if (this.held.length == 0) {
			take(buffer, offset, offset + length);
			return;
		}
		byte[] both = new byte[this.held.length + length];
		System.arraycopy(this.held, 0, both, 0, this.held.length);
		System.arraycopy(buffer, offset, both, this.held.length, length);
		take(both, 0, both.length);
	}

	private void take(byte[] bytes, int from, int to) {
		int start = this.mark.find(bytes, from, to);
		if (start > from) {
			this.listener.output(bytes, from, start - from);
		}
		this.ended = start + this.mark.length() <= to;
		int kept = this.ended ? 0 : to - start;
		this.held = new byte[kept];
		System.arraycopy(bytes, start, this.held, 0, kept);
		if (this.ended) {
			this.listener.ended();
		}
	}

	/**
	 * No byte comes any more: what was held back as the possible start of a mark is
	 * output.
	 */
	void finish() {
		if (this.held.length > 0) {
			this.listener.output(this.held, 0, this.held.length);
			this.held = new byte[0];
		}
	}

	/**
	 * Hears what the program printed.
	 */
	interface Listener {

		/**
		 * The program printed.
		 * @param buffer the bytes
		 * @param offset where they start
		 * @param length how many they are
		 */
		void output(byte[] buffer, int offset, int length);

		/**
		 * The program ended, and this was all.
		 */
		void ended();

	}

}
