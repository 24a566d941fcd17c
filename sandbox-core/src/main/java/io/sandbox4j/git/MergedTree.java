package io.sandbox4j.git;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What three trees merge to.
 *
 * @param tree the merged tree, which means nothing if there are conflicts
 * @param conflicts the files of which both sides have their own version
 */
record MergedTree(String tree, List<SyncConflict> conflicts) {

	// TREE NUL {MODE ID STAGE TAB PATH NUL}... and a NUL, see git-merge-tree(1)
	static MergedTree parse(byte[] output) {
		List<String> words = NulList.parse(output);
		Map<String, String[]> sides = new LinkedHashMap<>();
		for (String word : words.subList(1, words.size())) {
			int tab = word.indexOf('\t');
			if (tab > 0) {
				String[] head = word.substring(0, tab).split(" ");
				sides.computeIfAbsent(word.substring(tab + 1),
						(path) -> new String[] { "", "", "" })[Integer.parseInt(head[2]) - 1] = head[1];
			}
		}
		List<SyncConflict> conflicts = new ArrayList<>();
		sides.forEach((path, ids) -> conflicts.add(new SyncConflict(shown(path), ids[0], ids[1], ids[2])));
		return new MergedTree(words.get(0), conflicts);
	}

	private static String shown(String path) {
		return new TreeChange(path, "", "", "", "").shownPath();
	}

}
