package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the sandbox's standard error apart: first what bubblewrap and the bootstrap say,
 * then what the program prints, between and after it what the shell reports with the
 * command's mark. Fed by one thread.
 */
final class GuestReport {

	private static final Pattern CHILD_PID = Pattern.compile("\"child-pid\":\\s*(\\d+)");

	private static final Pattern NET_NAMESPACE = Pattern.compile("\"net-namespace\":\\s*(\\d+)");

	private static final int MAX_SETUP_TEXT = 8 * 1024;

	/**
	 * More than the shell ever reports after the mark.
	 */
	private static final int MAX_WORDS = 32;

	private final byte[] mark;

	private final Listener listener;

	private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

	private final StringBuilder setupText = new StringBuilder();

	private Phase phase = Phase.SETUP;

	GuestReport(String mark, Listener listener) {
		this.mark = mark.getBytes(StandardCharsets.US_ASCII);
		this.listener = listener;
	}

	void feed(byte[] buffer, int offset, int length) {
		this.pending.write(buffer, offset, length);
		boolean more = true;
		while (more) {
			byte[] bytes = this.pending.toByteArray();
			this.pending.reset();
			int used = switch (this.phase) {
				case SETUP -> setup(bytes);
				case RUNNING -> running(bytes);
				case ENDED -> bytes.length;
			};
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
		if (this.phase == Phase.RUNNING && rest.length > 0) {
			this.listener.output(rest, 0, rest.length);
		}
		else if (this.phase == Phase.SETUP) {
			addSetupText(new String(rest, StandardCharsets.UTF_8));
		}
	}

	/**
	 * Returns what bubblewrap said while it built the sandbox.
	 * @return its words, a few KiB at most
	 */
	String setupText() {
		return this.setupText.toString().strip();
	}

	private int setup(byte[] bytes) {
		int newline = indexOf(bytes, (byte) '\n', 0);
		if (newline < 0) {
			return (bytes.length > MAX_SETUP_TEXT) ? bytes.length : 0;
		}
		String line = new String(bytes, 0, newline, StandardCharsets.UTF_8);
		if (line.equals(GuestScript.READY)) {
			this.phase = Phase.RUNNING;
			this.listener.ready();
			return newline + 1;
		}
		addSetupText(line + "\n");
		if (line.equals("}")) {
			Matcher child = CHILD_PID.matcher(this.setupText);
			Matcher network = NET_NAMESPACE.matcher(this.setupText);
			if (child.find()) {
				this.listener.child(Long.parseLong(child.group(1)), network.find() ? network.group(1) : "");
				this.setupText.setLength(0);
			}
		}
		return newline + 1;
	}

	private void addSetupText(String text) {
		if (this.setupText.length() < MAX_SETUP_TEXT) {
			this.setupText.append(text);
		}
	}

	private int running(byte[] bytes) {
		int start = indexOfMark(bytes);
		if (start > 0) {
			this.listener.output(bytes, 0, start);
			return start;
		}
		if (start < 0 || start + this.mark.length > bytes.length) {
			return 0;
		}
		int newline = indexOf(bytes, (byte) '\n', this.mark.length);
		if (newline > this.mark.length + MAX_WORDS || (newline < 0 && bytes.length > this.mark.length + MAX_WORDS)) {
			// Not the shell's: a guest found the mark out, and could make the host keep
			// whatever follows it.
			this.listener.output(bytes, 0, this.mark.length);
			return this.mark.length;
		}
		if (newline < 0) {
			return 0;
		}
		String[] words = new String(bytes, this.mark.length, newline - this.mark.length, StandardCharsets.US_ASCII)
			.strip()
			.split(" ");
		switch (words[0]) {
			case "S" -> this.listener.started();
			case "F" -> {
				this.phase = Phase.ENDED;
				this.listener.launchFailed();
			}
			default -> {
				// A guest that forges a report says nothing but its own exit code.
				boolean number = words.length > 1 && words[1].matches("\\d{1,3}");
				this.phase = Phase.ENDED;
				this.listener.exited(number ? Integer.parseInt(words[1]) : 0, words.length > 2);
			}
		}
		return newline + 1;
	}

	// Finds the mark, or the start of one at the end of what there is.
	private int indexOfMark(byte[] bytes) {
		for (int i = 0; i < bytes.length; i++) {
			if (bytes[i] == this.mark[0] && matches(bytes, i)) {
				return i;
			}
		}
		return bytes.length;
	}

	private boolean matches(byte[] bytes, int start) {
		int count = Math.min(this.mark.length, bytes.length - start);
		for (int i = 1; i < count; i++) {
			if (bytes[start + i] != this.mark[i]) {
				return false;
			}
		}
		return true;
	}

	private static int indexOf(byte[] bytes, byte value, int from) {
		for (int i = from; i < bytes.length; i++) {
			if (bytes[i] == value) {
				return i;
			}
		}
		return -1;
	}

	private enum Phase {

		SETUP, RUNNING, ENDED

	}

	/**
	 * Hears what the sandbox reports.
	 */
	interface Listener {

		/**
		 * The namespace's init exists, and waits.
		 * @param pid its pid on the host
		 * @param networkNamespace the number of its network namespace
		 */
		void child(long pid, String networkNamespace);

		/**
		 * The sandbox is built.
		 */
		void ready();

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
