package io.sandbox4j.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Merges the trees of the two sides over that of the last sync point, each file with
 * those of its name alone. Most versions of git-merge-tree(1) look for renames whatever
 * {@code merge.renames} says: after a sync that was cut off, some files are of the one
 * tree and some of the other, and to guess that one became the other makes conflicts of
 * it.
 */
final class TreeMerge {

	private static final Set<String> FILES = Set.of(TreeChange.REGULAR, TreeChange.EXECUTABLE);

	private static final int SIDES = 3;

	private final ObjectStore store;

	// What the host's tree gets of the sandbox's.
	private final List<String> entries = new ArrayList<>();

	private final Map<String, SyncConflict> conflicts = new TreeMap<>();

	private TreeMerge(ObjectStore store) {
		this.store = store;
	}

	/**
	 * Merges two trees.
	 * @param store the store that has the objects
	 * @param base the tree of the last sync point
	 * @param host the host's tree
	 * @param sandbox the sandbox's tree
	 * @return the merged tree, or the conflicts
	 */
	static MergedTree merge(ObjectStore store, String base, String host, String sandbox) {
		if (host.equals(base) || host.equals(sandbox)) {
			return new MergedTree(sandbox, List.of());
		}
		if (sandbox.equals(base)) {
			return new MergedTree(host, List.of());
		}
		CompletableFuture<List<TreeChange>> hosts = GitCommand.meanwhile(() -> store.changes(base, host));
		List<TreeChange> sandboxes = store.changes(base, sandbox);
		TreeMerge merge = new TreeMerge(store);
		merge.merge(byPath(GitCommand.joined(hosts)), byPath(sandboxes));
		return new MergedTree(merge.conflicts.isEmpty() ? merge.tree(host) : host,
				List.copyOf(merge.conflicts.values()));
	}

	private static Map<String, TreeChange> byPath(List<TreeChange> changes) {
		Map<String, TreeChange> byPath = new LinkedHashMap<>();
		changes.forEach((change) -> byPath.put(change.path(), change));
		return byPath;
	}

	private void merge(Map<String, TreeChange> hosts, Map<String, TreeChange> sandboxes) {
		List<TreeChange[]> edited = new ArrayList<>();
		sandboxes.forEach((path, sandbox) -> {
			TreeChange host = hosts.get(path);
			if (host == null) {
				this.entries.add(entry(path, sandbox.newMode(), sandbox.newId()));
			}
			else if (!sameResult(host, sandbox)) {
				merge(host, sandbox, edited);
			}
		});
		filesInPlaceOfDirectories(hosts, sandboxes)
			.forEach((file) -> refuse(new SyncConflict(file.shownPath(), "", file.newId(), "")));
		filesInPlaceOfDirectories(sandboxes, hosts)
			.forEach((file) -> refuse(new SyncConflict(file.shownPath(), "", "", file.newId())));
		if (!edited.isEmpty()) {
			mergeContents(edited);
		}
	}

	private static boolean sameResult(TreeChange host, TreeChange sandbox) {
		return host.newMode().equals(sandbox.newMode()) && host.newId().equals(sandbox.newId());
	}

	private void merge(TreeChange host, TreeChange sandbox, List<TreeChange[]> edited) {
		String mode = side(host.oldMode(), host.newMode(), sandbox.newMode());
		boolean files = Stream.of(host.oldMode(), host.newMode(), sandbox.newMode()).allMatch(FILES::contains);
		if (!files || mode == null) {
			refuse(host, sandbox);
			return;
		}
		String id = side(host.oldId(), host.newId(), sandbox.newId());
		if (id != null) {
			this.entries.add(entry(host.path(), mode, id));
		}
		else {
			edited.add(new TreeChange[] { host, sandbox });
		}
	}

	// What three values come to if one side at most changed its own.
	private static @Nullable String side(String base, String host, String sandbox) {
		if (host.equals(sandbox) || sandbox.equals(base)) {
			return host;
		}
		return host.equals(base) ? sandbox : null;
	}

	private void refuse(TreeChange host, TreeChange sandbox) {
		refuse(new SyncConflict(host.shownPath(), host.added() ? "" : host.oldId(), id(host), id(sandbox)));
	}

	private void refuse(SyncConflict conflict) {
		this.conflicts.put(conflict.path(), conflict);
	}

	private static String id(TreeChange change) {
		return change.deleted() ? "" : change.newId();
	}

	// Both the file and the directory by its name are new: else one side has deleted what
	// the other changed.
	private static List<TreeChange> filesInPlaceOfDirectories(Map<String, TreeChange> files,
			Map<String, TreeChange> below) {
		List<TreeChange> found = new ArrayList<>();
		below.forEach((path, change) -> {
			for (int slash = path.indexOf('/'); slash > 0 && change.added(); slash = path.indexOf('/', slash + 1)) {
				TreeChange file = files.get(path.substring(0, slash));
				if (file != null && file.added()) {
					found.add(file);
				}
			}
		});
		return found;
	}

	private void mergeContents(List<TreeChange[]> edited) {
		Path directory = this.store.directory().resolve("merging");
		try {
			ObjectStore.deleteTree(directory);
			Files.createDirectories(directory);
			List<String> blobs = new ArrayList<>();
			edited.forEach((both) -> blobs.addAll(List.of(both[0].newId(), both[0].oldId(), both[1].newId())));
			this.store.read(blobs, (index, content) -> Files.copy(content, file(directory, index)));
			for (int i = 0; i < edited.size(); i++) {
				mergeContent(edited.get(i), directory, i * SIDES);
			}
			ObjectStore.deleteTree(directory);
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

	private static Path file(Path directory, int index) {
		return directory.resolve(String.valueOf(index));
	}

	// Its exit code is the number of conflicts; it merges no binary files. See
	// git-merge-file(1).
	private void mergeContent(TreeChange[] both, Path directory, int first) {
		GitCommand.Outcome<byte[]> merged = this.store
			.git("merge-file", "--quiet", "--stdout", file(directory, first).toString(),
					file(directory, first + 1).toString(), file(directory, first + 2).toString())
			.outcome();
		String mode = side(both[0].oldMode(), both[0].newMode(), both[1].newMode());
		if (merged.exit() != 0 || mode == null) {
			refuse(both[0], both[1]);
			return;
		}
		String id = this.store.git("hash-object", "-w", "--stdin").input(merged.value()).line();
		this.entries.add(entry(both[0].path(), mode, id));
	}

	private static String entry(String path, String mode, String id) {
		return mode + " " + id + "\t" + path;
	}

	// Deletions first: a file may become a directory, and a directory a file.
	private String tree(String host) {
		if (this.entries.isEmpty()) {
			return host;
		}
		this.entries.sort((one, other) -> Boolean.compare(other.startsWith(TreeChange.ABSENT),
				one.startsWith(TreeChange.ABSENT)));
		Path index = this.store.directory().resolve("merge-index");
		try {
			Files.deleteIfExists(index);
			this.store.git("read-tree", host).with("GIT_INDEX_FILE", index).run();
			this.store.git("update-index", "-z", "--index-info")
				.with("GIT_INDEX_FILE", index)
				.input(NulList.format(this.entries))
				.run();
			String tree = this.store.git("write-tree", "--missing-ok").with("GIT_INDEX_FILE", index).line();
			Files.deleteIfExists(index);
			return tree;
		}
		catch (IOException ex) {
			throw ObjectStore.failed(ex);
		}
	}

}
