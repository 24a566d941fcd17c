package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.SandboxUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DirectoriesTests {

	private static final FileOwner GUEST = new FileOwner(65532, 65532);

	@TempDir
	Path temporary;

	private Path directory;

	@BeforeEach
	void createDirectory() throws Exception {
		this.directory = Files.createDirectory(this.temporary.resolve("state"));
		mode(this.directory, "rwx------");
	}

	@Test
	void makesWhatIsMissingForThisUserOnly() throws Exception {
		Path nested = this.temporary.resolve("a/b/c");
		new Directories(null).prepare(nested);
		assertThat(modeOf(nested)).isEqualTo("rwx------");
		assertThat(modeOf(nested.getParent())).isEqualTo("rwx------");
	}

	@Test
	void makesWhatIsMissingPassableForTheOwnerOfWorkspaces() throws Exception {
		mode(this.temporary, "rwx--x--x");
		Path nested = this.temporary.resolve("a/b/c");
		new Directories(GUEST).prepare(nested);
		assertThat(modeOf(nested)).isEqualTo("rwx--x--x");
		assertThat(modeOf(nested.getParent())).isEqualTo("rwx--x--x");
	}

	@Test
	void returnsTheRealPath() throws Exception {
		Path link = Files.createSymbolicLink(this.temporary.resolve("link"), this.directory);
		assertThat(new Directories(null).prepare(link)).isEqualTo(this.directory.toRealPath());
	}

	@Test
	void refusesOneThatItsGroupCanWrite() throws Exception {
		mode(this.directory, "rwxrwx---");
		assertRefused(null, "chmod go-w");
	}

	@Test
	void refusesOneThatEverybodyCanWrite() throws Exception {
		mode(this.directory, "rwx----w-");
		assertRefused(null, "chmod go-w");
	}

	@Test
	void refusesAFile() throws Exception {
		Files.delete(this.directory);
		Files.createFile(this.directory);
		assertRefused(null, "Name another path");
	}

	@Test
	void refusesOneBelowAFile() throws Exception {
		Path file = Files.createFile(this.temporary.resolve("file"));
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> new Directories(null).prepare(file.resolve("state")))
			.withMessageContaining("sandbox.state-directory");
	}

	@Test
	void refusesOneThatTheOwnerOfWorkspacesCannotPass() throws Exception {
		mode(this.temporary, "rwx--x--x");
		assertRefused(GUEST, "chmod o+x " + this.directory.toRealPath());
	}

	@Test
	void refusesAParentThatTheOwnerOfWorkspacesCannotPass() throws Exception {
		mode(this.directory, "rwx--x--x");
		mode(this.temporary, "rwx------");
		assertRefused(GUEST, "chmod o+x " + this.temporary.toRealPath());
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isRoot")
	void refusesOneOfAnotherUser() throws Exception {
		Files.setAttribute(this.directory, "unix:uid", 65532);
		assertRefused(null, "chown 0");
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isUnprivileged")
	void refusesOneThatThisUserCannotWrite() throws Exception {
		mode(this.directory, "r-x------");
		assertRefused(null, "Change its owner or mode");
	}

	@Test
	@EnabledIf("io.sandbox4j.storage.TestState#isUnprivileged")
	void refusesOneThatThisUserCannotMake() {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> new Directories(null).prepare(Path.of("/usr/sandboxes")))
			.withMessageContaining("sandbox.state-directory");
	}

	@Test
	void readOnlyFileSystemIsRefused() {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> new Directories(null).prepare(Path.of("/proc/sandboxes")))
			.withMessageContaining("sandbox.state-directory");
	}

	@Test
	void keepsAWiderModeThatAnotherProcessNeeds() throws Exception {
		mode(this.directory, "rwx--x--x");
		Directories.make(this.directory, Directories.PRIVATE);
		assertThat(modeOf(this.directory)).isEqualTo("rwx--x--x");
	}

	private void assertRefused(FileOwner guest, String remedy) {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> new Directories(guest).prepare(this.directory))
			.withMessageContaining("sandbox.state-directory")
			.withMessageContaining(remedy)
			.satisfies((ex) -> assertThat(ex.unavailable())
				.isEqualTo(SandboxUnavailableException.Cause.DIRECTORY_UNUSABLE));
	}

	private static void mode(Path path, String mode) throws Exception {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
	}

	private static String modeOf(Path path) throws Exception {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

}
