package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.FileEntry;
import io.sandbox4j.FileType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class WorkspaceFilesDescribeTests {

	@TempDir
	Path directory;

	private Workspace workspace;

	@BeforeEach
	void makeWorkspace() {
		this.workspace = Workspace.in(this.directory);
	}

	@Test
	void aFileHasItsSizeTimeAndMode() throws IOException {
		Instant modified = Instant.parse("2024-02-29T12:00:00Z");
		Files.setLastModifiedTime(this.workspace.file("a/f", "12345"), FileTime.from(modified));
		this.workspace.mode("a/f", "rwx------");

		assertThat(this.workspace.stat("a/f"))
			.isEqualTo(new FileEntry(Workspace.path("a/f"), FileType.FILE, 5, modified, true));
	}

	@Test
	void theWorkspaceIsADirectory() {
		FileEntry entry = this.workspace.stat(".");

		assertThat(entry.type()).isEqualTo(FileType.DIRECTORY);
		assertThat(entry.path().isRoot()).isTrue();
		assertThat(entry.size()).isZero();
	}

	@Test
	void anAbsentEntryIsNotFound() {
		Workspace.refused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.workspace.stat("a"));
		Workspace.refused(ErrorCode.SANDBOX_NOT_FOUND, () -> this.workspace.stat("a/b"));
	}

}
