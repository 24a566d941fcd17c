package io.sandbox4j.checkpoint;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All paths of a workspace, as {@code find} inside it lists them. Sorted by their bytes.
 *
 * @param entries the paths, the workspace itself first
 */
record Listing(List<Listed> entries) {

	/**
	 * What {@code find} prints for {@link #read}.
	 */
	static final String FORMAT = "%y %m %s %T@ %C@ %D %i %n %b\\0%P\\0%l\\0";

	static final String END = "end";

	private static final int BLOCK = 512;

	/**
	 * Reads a listing, to its last word.
	 * @param input the words
	 * @param maxFiles how many paths at most
	 * @return the listing
	 * @throws IOException if it cannot be read
	 */
	static Listing read(NulReader input, long maxFiles) throws IOException {
		List<Listed> entries = new ArrayList<>();
		for (String head = input.word(); !head.equals(END); head = input.word()) {
			if (entries.size() > maxFiles) {
				throw Failures.limit("The workspace has more than the " + maxFiles
						+ " files of 'maxFiles'. Remove some, or raise the limit. Nothing was captured.");
			}
			entries.add(parse(head, input.word(), input.word()));
		}
		entries.sort(Comparator.comparing(Listed::path));
		return new Listing(entries);
	}

	private static Listed parse(String head, String path, String target) throws IOException {
		try {
			Words words = new Words(head);
			char type = words.next().charAt(0);
			int mode = Integer.parseInt(words.next(), 8);
			long size = Long.parseLong(words.next());
			Instant modified = time(words.next());
			Instant changed = time(words.next());
			return new Listed(path, type, mode, size, modified, changed, Long.parseLong(words.next()),
					Long.parseLong(words.next()), Integer.parseInt(words.next()), Long.parseLong(words.next()) * BLOCK,
					target);
		}
		catch (RuntimeException ex) {
			throw new IOException("The listing cannot be read", ex);
		}
	}

	// Seconds and ten digits behind the point, of which the last is no more than a
	// filler. The digits count forward from the second, before 1970 too: GNU find writes
	// a
	// second and a quarter before it as -2.75.
	static Instant time(String text) {
		int point = text.indexOf('.');
		long seconds = Long.parseLong(text.substring(0, point));
		int nanos = Integer.parseInt(text.substring(point + 1, point + 10));
		return Instant.ofEpochSecond(seconds, nanos);
	}

	// Whether nothing was changed between two listings. Blocks are left out: the kernel
	// may
	// still be giving them to a file that was written before.
	boolean same(Listing other) {
		if (this.entries.size() != other.entries.size()) {
			return false;
		}
		for (int i = 0; i < this.entries.size(); i++) {
			Listed one = this.entries.get(i);
			Listed two = other.entries.get(i);
			if (one.inode() != two.inode() || one.device() != two.device() || !one.changed().equals(two.changed())
					|| one.size() != two.size() || one.links() != two.links() || !one.path().equals(two.path())
					|| !one.modified().equals(two.modified())) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Words between spaces.
	 */
	private static final class Words {

		private final String text;

		private int position;

		Words(String text) {
			this.text = text;
		}

		String next() {
			int space = this.text.indexOf(' ', this.position);
			int end = (space >= 0) ? space : this.text.length();
			String word = this.text.substring(this.position, end);
			this.position = end + 1;
			return word;
		}

	}

}
