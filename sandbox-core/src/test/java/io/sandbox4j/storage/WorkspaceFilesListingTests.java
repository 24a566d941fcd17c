package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WorkspaceFilesListingTests {

	@TempDir(factory = InMemory.class)
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void entriesAreSortedByName() throws IOException {
		for (String name : List.of("b", "B", "a", ".hidden", "c10", "c2")) {
			this.workspace.file("d/" + name, "x");
		}
		this.workspace.directory("d/e");

		assertThat(this.workspace.names("d")).containsExactly(".hidden", "B", "a", "b", "c10", "c2", "e");
	}

	@Test
	void everyTypeIsListed() throws IOException {
		this.workspace.file("file", "x");
		this.workspace.directory("directory");
		this.workspace.link("link", Path.of("nowhere"));
		this.workspace.pipe("pipe");

		assertThat(this.workspace.files.list(Workspace.path("."), 4)).extracting(FileEntry::type)
			.containsExactly(FileType.DIRECTORY, FileType.FILE, FileType.SYMLINK, FileType.OTHER);
	}

	@Test
	void moreThanTheLimitIsRefused() throws IOException {
		this.workspace.file("a", "x");
		this.workspace.file("b", "x");

		assertThat(this.workspace.files.list(Workspace.path("."), 2)).hasSize(2);
		assertThat(Workspace.refused(ErrorCode.SANDBOX_LIMIT, () -> this.workspace.files.list(Workspace.path("."), 1)))
			.hasMessageStartingWith("'/workspace' has more than 1 entries.");
	}

	@Test
	void aFileIsRefused() throws IOException {
		this.workspace.file("f", "x");

		assertThat(Workspace.refused(ErrorCode.SANDBOX_PATH, () -> this.workspace.files.list(Workspace.path("f"), 1)))
			.hasMessage("'/workspace/f' is a regular file, not a directory.");
	}

	@Test
	void anAbsentDirectoryIsNotFound() {
		Workspace.refused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.workspace.files.list(Workspace.path("d"), 1));
	}

	@Test
	void aHundredThousandEntriesAreListedOrRefused() throws IOException {
		this.workspace.directory("d");
		for (int i = 0; i < 100_000; i++) {
			// Names cost less than files.
			Path file = this.workspace.entry("d/" + i / 50_000);
			if (i % 50_000 == 0) {
				Files.createFile(file);
			}
			else {
				Files.createLink(this.workspace.entry("d/name-" + i), file);
			}
		}

		assertThat(this.workspace.files.list(Workspace.path("d"), 100_000)).hasSize(100_000);
		Workspace.refused(ErrorCode.SANDBOX_LIMIT, () -> this.workspace.files.list(Workspace.path("d"), 99_999));
		Workspace.refused(ErrorCode.SANDBOX_LIMIT, () -> this.workspace.files.list(Workspace.path("d"), 10));
		assertThat(this.workspace.remove("d")).isTrue();
	}

	@Test
	void namesThatAreNoWorkspacePathsAreLeftOutAndRemovedWithTheirDirectory() throws IOException {
		this.workspace.directory("d");
		this.workspace.run("sh", "-c", "cd d && touch good \"$(printf 'na\\357ve')\" 'a\\b'", "d");

		assertThat(this.workspace.names("d")).containsExactly("good");
		assertThat(this.workspace.remove("d")).isTrue();
	}

}
