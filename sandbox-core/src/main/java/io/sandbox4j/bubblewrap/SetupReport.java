package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes what bubblewrap and the bootstrap say on standard error until the sandbox is
 * ready. Fed by one thread.
 */
final class SetupReport {

	private static final Pattern CHILD_PID = Pattern.compile("\"child-pid\":\\s*(\\d+)");

	private static final Pattern NET_NAMESPACE = Pattern.compile("\"net-namespace\":\\s*(\\d+)");

	private static final int MAX_TEXT = 8 * 1024;

	private final Listener listener;

	private final ByteArrayOutputStream pending = new ByteArrayOutputStream(256);

	private final StringBuilder text = new StringBuilder();

	private boolean ready;

	SetupReport(Listener listener) {
		this.listener = listener;
	}

	/**
	 * Takes what was read.
	 * @param buffer the bytes
	 * @param offset where they start
	 * @param length how many they are
	 * @return whether the sandbox is ready
	 */
	boolean feed(byte[] buffer, int offset, int length) {
		int end = offset + length;
		int from = offset;
		for (int i = offset; i < end && !this.ready; i++) {
			if (buffer[i] == '\n') {
				this.pending.write(buffer, from, i - from);
				from = i + 1;
				line(this.pending.toString(StandardCharsets.UTF_8));
				this.pending.reset();
			}
		}
		int rest = this.ready ? end - from : Math.min(end - from, MAX_TEXT - this.pending.size());
		this.pending.write(buffer, from, Math.max(0, rest));
		return this.ready;
	}

	private void line(String line) {
		if (line.equals(GuestScript.READY)) {
			this.ready = true;
			return;
		}
		add(line + "\n");
		if (line.equals("}")) {
			Matcher child = CHILD_PID.matcher(this.text);
			Matcher network = NET_NAMESPACE.matcher(this.text);
			if (child.find()) {
				this.listener.child(Long.parseLong(child.group(1)), network.find() ? network.group(1) : "");
				this.text.setLength(0);
			}
		}
	}

	private void add(String words) {
		if (this.text.length() < MAX_TEXT) {
			this.text.append(words);
		}
	}

	/**
	 * Returns what came after the sandbox was ready, and is not of its set-up.
	 * @return the bytes
	 */
	byte[] rest() {
		return this.ready ? this.pending.toByteArray() : new byte[0];
	}

	/**
	 * Returns what was said before the sandbox was ready, besides its init's document.
	 * @return the words, a few KiB at most
	 */
	String text() {
		return (this.text + (this.ready ? "" : this.pending.toString(StandardCharsets.UTF_8))).strip();
	}

	/**
	 * Hears of the namespace's init.
	 */
	interface Listener {

		/**
		 * The namespace's init exists, and waits.
		 * @param pid its pid on the host
		 * @param networkNamespace the number of its network namespace
		 */
		void child(long pid, String networkNamespace);

	}

}
