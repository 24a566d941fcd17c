package io.sandbox4j.storage;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class WorkspaceUsageTests {

	@TempDir
	Path workspace;

	@Test
	void addsUpTheFilesOfEveryDirectory() throws Exception {
		Files.write(Files.createDirectories(this.workspace.resolve("a/b")).resolve("f"), new byte[600]);
		Files.write(this.workspace.resolve("g"), new byte[400]);
		assertThat(WorkspaceUsage.of(this.workspace, 1000)).isEqualTo(WorkspaceUsage.WITHIN);
		assertThat(WorkspaceUsage.of(this.workspace, 999)).isEqualTo(WorkspaceUsage.BEYOND);
	}

	@Test
	void followsNoLink() throws Exception {
		Files.createSymbolicLink(this.workspace.resolve("usr"), Path.of("/usr"));
		Files.createSymbolicLink(this.workspace.resolve("self"), Path.of("."));
		assertThat(WorkspaceUsage.of(this.workspace, 0)).isEqualTo(WorkspaceUsage.WITHIN);
	}

	@Test
	void countsASparseFileInFullAndNamesThatAreNoWorkspacePaths() throws Exception {
		try (RandomAccessFile file = new RandomAccessFile(this.workspace.resolve("a\\b").toFile(), "rw")) {
			file.setLength(1L << 40);
		}
		assertThat(WorkspaceUsage.of(this.workspace, 1_000_000)).isEqualTo(WorkspaceUsage.BEYOND);
	}

	@Test
	void aDirectoryThatCannotBeReadHidesItsContent() throws Exception {
		Assumptions.assumeFalse((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0);
		Path closed = Files.createDirectory(this.workspace.resolve("closed"));
		Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
		assertThat(WorkspaceUsage.of(this.workspace, 1000)).isEqualTo(WorkspaceUsage.HIDDEN);
		Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
	}

	@Test
	void aTreeThatIsTooDeepHidesItsContent() throws Exception {
		Files.createDirectories(this.workspace.resolve("d/".repeat(210)));
		assertThat(WorkspaceUsage.of(this.workspace, 1000)).isEqualTo(WorkspaceUsage.HIDDEN);
	}

}
