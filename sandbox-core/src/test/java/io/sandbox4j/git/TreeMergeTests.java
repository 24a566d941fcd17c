package io.sandbox4j.git;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TreeMerge}. A tree is written as its files, {@code NAME=CONTENT},
 * where a plus before the name makes it executable and an at sign a link.
 */
class TreeMergeTests {

	private static final String LINES = "1 2 3 4 5 6 7 8 9";

	@TempDir
	private Path directory;

	private ObjectStore store;

	@BeforeEach
	void create() {
		this.store = new ObjectStore(this.directory);
		this.store.create("sha1", "session");
	}

	private String tree(String... files) {
		List<String> entries = new ArrayList<>();
		for (String file : files) {
			int equals = file.indexOf('=');
			String mode = file.startsWith("+") ? TreeChange.EXECUTABLE
					: (file.startsWith("@") ? TreeChange.SYMLINK : TreeChange.REGULAR);
			String name = file.substring(mode.equals(TreeChange.REGULAR) ? 0 : 1, equals);
			byte[] content = file.substring(equals + 1).replace(' ', '\n').getBytes(StandardCharsets.UTF_8);
			entries
				.add(mode + " " + this.store.git("hash-object", "-w", "--stdin").input(content).line() + "\t" + name);
		}
		Path index = this.directory.resolve("test-index");
		this.store.git("read-tree", "--empty").with("GIT_INDEX_FILE", index).run();
		this.store.git("update-index", "-z", "--index-info")
			.with("GIT_INDEX_FILE", index)
			.input(NulList.format(entries))
			.run();
		return this.store.git("write-tree").with("GIT_INDEX_FILE", index).line();
	}

	private MergedTree merge(String base, String host, String sandbox) {
		MergedTree merged = TreeMerge.merge(this.store, base, host, sandbox);
		MergedTree swapped = TreeMerge.merge(this.store, base, sandbox, host);
		assertThat(swapped.conflicts()).hasSameSizeAs(merged.conflicts());
		if (merged.conflicts().isEmpty()) {
			assertThat(swapped.tree()).as("the merge the other way round").isEqualTo(merged.tree());
		}
		return merged;
	}

	private void merged(String base, String host, String sandbox, String expected) {
		MergedTree merged = merge(base, host, sandbox);
		assertThat(merged.conflicts()).isEmpty();
		assertThat(merged.tree()).isEqualTo(expected);
	}

	private void refused(String base, String host, String sandbox, String... paths) {
		assertThat(merge(base, host, sandbox).conflicts()).extracting(SyncConflict::path).containsExactly(paths);
	}

	@Test
	void whatOneSideChangedIsTaken() {
		merged(tree("a=1", "b=1", "c=1"), tree("a=2", "b=1", "c=1", "d=4"), tree("a=1", "+b=1"),
				tree("a=2", "+b=1", "d=4"));
	}

	@Test
	void noFileIsTakenForOneThatBecameAnother() {
		// A sync that was cut off after its deletions: 'e' became a directory on the
		// host.
		merged(tree("d/1=x", "e=x"), tree("d/2=x", "e/e=x"), tree("other=y"), tree("d/2=x", "e/e=x", "other=y"));
	}

	@Test
	void editsOfDifferentLinesAndAPermissionComeTogether() {
		merged(tree("a=" + LINES), tree("a=" + LINES.replace('1', 'H')), tree("+a=" + LINES.replace('9', 'S')),
				tree("+a=" + LINES.replace('1', 'H').replace('9', 'S')));
	}

	@Test
	void aFileMayBecomeADirectoryAndADirectoryAFile() {
		merged(tree("a=1", "b/c=1", "x=1"), tree("a/b=1", "b=1", "x=1"), tree("a=1", "b/c=1", "x=2"),
				tree("a/b=1", "b=1", "x=2"));
	}

	@ParameterizedTest
	@CsvSource({ "a=1, a=2, a=3", "a=1, x=1, a=2", "a=1, a/b=1, a=2", "a=1, @a=1, a=2", "a=1, @a=1, +a=1",
			"x=1, a=1, a=2", "x=1, a=1, +a=1", "@a=1, @a=2, @a=3" })
	void aFileThatBothChangedIsAConflict(String base, String host, String sandbox) {
		refused(tree(base, "y=1"), tree(host, "y=2"), tree(sandbox, "y=1", "z=1"), "a");
	}

	@Test
	void aNewFileInPlaceOfANewDirectoryIsAConflict() {
		MergedTree merged = merge(tree("x=1"), tree("x=1", "a/b/c=1"), tree("x=1", "a=1"));
		assertThat(merged.conflicts()).singleElement().satisfies((conflict) -> {
			assertThat(conflict.path()).isEqualTo("a");
			assertThat(conflict.host()).isEmpty();
			assertThat(conflict.sandbox()).isNotEmpty();
		});
	}

	@Test
	void binaryFilesAreNotMerged() {
		refused(tree("a=" + LINES + "\0"), tree("a=0 " + LINES + "\0"), tree("a=" + LINES + " 0\0"), "a");
	}

	@Test
	void aConflictTellsTheVersionOfEachSide() {
		SyncConflict conflict = merge(tree("a=1"), tree("a=2"), tree("b=1")).conflicts().get(0);
		assertThat(new String(this.store.blob(conflict.base()), StandardCharsets.UTF_8)).isEqualTo("1");
		assertThat(new String(this.store.blob(conflict.host()), StandardCharsets.UTF_8)).isEqualTo("2");
		assertThat(conflict.sandbox()).isEmpty();
	}

}
