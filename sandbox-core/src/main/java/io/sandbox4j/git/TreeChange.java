package io.sandbox4j.git;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One file that differs between two trees. Names are bytes on both sides; here each byte
 * is one character, so that none is lost.
 *
 * @param path the name, a character for each byte
 * @param oldMode its mode before, {@code 000000} if it was not there
 * @param oldId its blob before
 * @param newMode its mode after, {@code 000000} if it is gone
 * @param newId its blob after
 */
record TreeChange(String path, String oldMode, String oldId, String newMode, String newId) {

	static final String ABSENT = "000000";

	static final String SYMLINK = "120000";

	static final String EXECUTABLE = "100755";

	static final String REGULAR = "100644";

	// ":100644 100755 ID ID M" NUL path NUL, see git-diff-tree(1)
	static List<TreeChange> parse(byte[] raw) {
		List<TreeChange> changes = new ArrayList<>();
		List<String> words = NulList.parse(raw);
		for (int i = 0; i + 1 < words.size(); i += 2) {
			String[] head = words.get(i).split(" ");
			changes.add(new TreeChange(words.get(i + 1), head[0].substring(1), head[2], head[1], head[3]));
		}
		return changes;
	}

	boolean added() {
		return this.oldMode.equals(ABSENT);
	}

	boolean deleted() {
		return this.newMode.equals(ABSENT);
	}

	String shownPath() {
		return new String(this.path.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

}
