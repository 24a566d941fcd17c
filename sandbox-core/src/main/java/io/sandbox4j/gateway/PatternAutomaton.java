package io.sandbox4j.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * Finds many byte patterns in one pass (Aho and Corasick 1975) and overwrites what they
 * match. The tree is kept as lists of siblings, not as tables: nearly every state has one
 * child, so a state costs about 25 bytes where a row of a table would cost 1 KiB, and the
 * failure links keep a scan linear. Immutable; {@link Scan} holds the state of one text.
 */
final class PatternAutomaton {

	/**
	 * About 6 MiB. The forms of one plain secret take some 15 states a byte, so this is
	 * beyond any header that a server takes.
	 */
	static final int MAX_STATES = 1 << 18;

	static final byte MASK = '*';

	private static final int MAX_WINDOW = 16;

	private static final int ROOT = 0;

	/**
	 * Children of the root by byte; the root itself where there is none.
	 */
	private final int[] root = new int[256];

	/**
	 * How many bytes to go on from the root, by the two bytes at the end of the window
	 * before it: no pattern starts at those (Wu and Manber 1994). So most of a text is
	 * not looked at.
	 */
	private final byte[] skip = new byte[1 << 16];

	private final int window;

	private byte[] label = new byte[64];

	private int[] firstChild = new int[64];

	private int[] sibling = new int[64];

	private int[] depth = new int[64];

	private int[] fail;

	/**
	 * Length of the longest pattern that ends in a state, or zero.
	 */
	private int[] match = new int[64];

	/**
	 * Length of the longest end of what was read that a pattern could go on from.
	 */
	private int[] open;

	private int states = 1;

	private int longest;

	/**
	 * Builds the automaton.
	 * @param patterns what to find; each character is one byte
	 * @throws IllegalArgumentException if they take more than {@link #MAX_STATES}, or one
	 * is empty
	 */
	PatternAutomaton(Collection<String> patterns) {
		int shortest = MAX_WINDOW;
		for (String pattern : patterns) {
			insert(pattern.getBytes(StandardCharsets.ISO_8859_1));
			shortest = Math.min(shortest, pattern.length());
		}
		this.window = shortest;
		Arrays.fill(this.skip, (byte) (this.window - 1));
		for (String pattern : patterns) {
			skipLess(pattern.getBytes(StandardCharsets.ISO_8859_1));
		}
		resize(this.states);
		this.fail = new int[this.states];
		this.open = new int[this.states];
		link();
	}

	private void insert(byte[] pattern) {
		if (pattern.length == 0) {
			throw new IllegalArgumentException("'patterns' must not hold an empty one");
		}
		int state = ROOT;
		for (byte value : pattern) {
			int child = child(state, value);
			state = (child != ROOT) ? child : append(state, value);
		}
		this.match[state] = pattern.length;
		this.longest = Math.max(this.longest, pattern.length);
	}

	private void skipLess(byte[] pattern) {
		for (int end = 2; end <= this.window; end++) {
			int pair = pair(pattern, end);
			this.skip[pair] = (byte) Math.min(this.skip[pair], this.window - end);
		}
	}

	private static int pair(byte[] bytes, int end) {
		return (bytes[end - 2] & 0xff) << 8 | bytes[end - 1] & 0xff;
	}

	// Only from the root: then no match has begun before.
	private int skip(byte[] buffer, int from, int to) {
		int end = from + this.window;
		while (end <= to) {
			int bytes = this.skip[pair(buffer, end)];
			if (bytes == 0) {
				break;
			}
			end += bytes;
		}
		return end - this.window;
	}

	private int append(int parent, byte value) {
		if (this.states == MAX_STATES) {
			throw new IllegalArgumentException("'patterns' need too many states");
		}
		int state = this.states++;
		if (state == this.label.length) {
			resize(2 * state);
		}
		this.label[state] = value;
		this.depth[state] = this.depth[parent] + 1;
		if (parent == ROOT) {
			this.root[value & 0xff] = state;
		}
		this.sibling[state] = this.firstChild[parent];
		this.firstChild[parent] = state;
		return state;
	}

	private void resize(int length) {
		this.label = Arrays.copyOf(this.label, length);
		this.firstChild = Arrays.copyOf(this.firstChild, length);
		this.sibling = Arrays.copyOf(this.sibling, length);
		this.depth = Arrays.copyOf(this.depth, length);
		this.match = Arrays.copyOf(this.match, length);
	}

	// Breadth first: a failure link leads to a smaller depth, which is done by then.
	private void link() {
		int[] queue = new int[this.states];
		int tail = 1;
		for (int head = 0; head < tail; head++) {
			int state = queue[head];
			for (int child = this.firstChild[state]; child != ROOT; child = this.sibling[child]) {
				int shorter = (state != ROOT) ? step(this.fail[state], this.label[child]) : ROOT;
				this.fail[child] = shorter;
				if (this.match[child] == 0) {
					this.match[child] = this.match[shorter];
				}
				this.open[child] = (this.firstChild[child] != ROOT) ? this.depth[child] : this.open[shorter];
				queue[tail++] = child;
			}
		}
	}

	private int child(int state, byte value) {
		if (state == ROOT) {
			return this.root[value & 0xff];
		}
		int child = this.firstChild[state];
		while (child != ROOT && this.label[child] != value) {
			child = this.sibling[child];
		}
		return child;
	}

	private int step(int from, byte value) {
		int state = from;
		int child = child(state, value);
		while (child == ROOT && state != ROOT) {
			state = this.fail[state];
			child = child(state, value);
		}
		return child;
	}

	boolean isEmpty() {
		return this.states == 1;
	}

	/**
	 * Returns how large the automaton is.
	 * @return the number of states
	 */
	int states() {
		return this.states;
	}

	/**
	 * Returns the length of the longest pattern: a scan never holds as many bytes open.
	 * @return the bytes
	 */
	int longest() {
		return this.longest;
	}

	/**
	 * Returns the length of the shortest pattern, or less: nothing is found in a shorter
	 * text.
	 * @return the bytes
	 */
	int shortest() {
		return this.window;
	}

	/**
	 * Begins a text.
	 * @return a scan at its start
	 */
	Scan scan() {
		return new Scan();
	}

	/**
	 * One text, which may come in parts. Not thread-safe.
	 */
	final class Scan {

		private int state = ROOT;

		private boolean found;

		private Scan() {
		}

		/**
		 * Reads on, and overwrites what is matched. A match may begin in an earlier part:
		 * its bytes, {@link #open()} of them, must stand before this one.
		 * @param buffer the bytes
		 * @param from the first new byte
		 * @param to the end
		 */
		void mask(byte[] buffer, int from, int to) {
			int[] match = PatternAutomaton.this.match;
			boolean canSkip = PatternAutomaton.this.window > 1;
			int current = this.state;
			int at = from;
			while (at < to) {
				if (current == ROOT && canSkip) {
					at = skip(buffer, at, to);
				}
				current = step(current, buffer[at++]);
				int length = match[current];
				if (length > 0) {
					Arrays.fill(buffer, at - length, at, MASK);
					this.found = true;
				}
			}
			this.state = current;
		}

		/**
		 * Returns how many of the last bytes may be the beginning of a match. All before
		 * them are final.
		 * @return the bytes
		 */
		int open() {
			return PatternAutomaton.this.open[this.state];
		}

		boolean found() {
			return this.found;
		}

	}

}
