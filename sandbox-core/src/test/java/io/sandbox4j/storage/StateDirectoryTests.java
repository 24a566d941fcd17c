package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.sandbox4j.SandboxUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class StateDirectoryTests {

	@TempDir
	Path temporary;

	private Path directory;

	@BeforeEach
	void setUp() throws Exception {
		this.directory = this.temporary.toRealPath().resolve("state");
	}

	@Test
	void opensUnderItsRealPath() throws Exception {
		Files.createDirectory(this.directory, PosixFilePermissions.asFileAttribute(Directories.PRIVATE));
		Path link = Files.createSymbolicLink(this.temporary.resolve("link"), this.directory);
		try (StateDirectory state = TestState.open(link)) {
			assertThat(state.path()).isEqualTo(this.directory);
		}
	}

	@Test
	void templatesAndTrashStayPrivateWhenSessionsArePassable() throws Exception {
		Files.setPosixFilePermissions(this.temporary, Directories.PASSABLE);
		try (StateDirectory state = TestState.open(this.directory, TestState.BACKEND,
				TestState.withOwner(new FileOwner(65532, 65532)))) {
			Path root = TestState.root(state.path(), TestState.BACKEND);
			assertThat(Files.getPosixFilePermissions(root)).isEqualTo(Directories.PASSABLE);
			assertThat(Files.getPosixFilePermissions(root.resolve("sessions"))).isEqualTo(Directories.PASSABLE);
			for (String name : new String[] { "templates", "trash", "building" }) {
				assertThat(Files.getPosixFilePermissions(root.resolve(name))).isEqualTo(Directories.PRIVATE);
			}
		}
	}

	@Test
	void opensOneThatWasMadeWithoutAnOwner() throws Exception {
		Files.setPosixFilePermissions(this.temporary, Directories.PASSABLE);
		TestState.open(this.directory).close();
		Files.setPosixFilePermissions(this.directory, Directories.PASSABLE);
		try (StateDirectory state = TestState.open(this.directory, TestState.BACKEND,
				TestState.withOwner(new FileOwner(65532, 65532)))) {
			assertThat(Files.getPosixFilePermissions(TestState.sessions(state.path()))).isEqualTo(Directories.PASSABLE);
		}
	}

	@Test
	void unusableDirectoryHasARemedy() throws Exception {
		Files.createDirectory(this.directory);
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> StateDirectory.open(this.directory, "test", StorageSettings.defaults()))
			.satisfies((ex) -> assertThat(ex.remedy()).isEqualTo("Run 'chmod go-w " + this.directory + "'."));
	}

	@Test
	void emptyBackendNameIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> TestState.open(this.directory, " "));
	}

	@Test
	void closeLeavesNoThreadAndNoTemporary() throws Exception {
		// Other tests of this JVM may have threads that are still ending.
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		StateDirectory state = TestState.open(this.directory);
		state.sessions().create(TestState.template(state)).delete();
		state.close();
		state.close();
		assertThat(TestState.root(this.directory, TestState.BACKEND).resolve("building")).isEmptyDirectory();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.noneMatch((thread) -> thread.getName().startsWith("sandbox-") && !before.contains(thread)));
	}

	@Test
	void openAndCloseKeepDescriptorsFlat() throws Exception {
		for (int i = 0; i < 3; i++) {
			useOnce();
		}
		int before = StateDirectory.list(Path.of("/proc/self/fd")).size();
		for (int i = 0; i < 30; i++) {
			useOnce();
		}
		assertThat(StateDirectory.list(Path.of("/proc/self/fd")).size()).isLessThanOrEqualTo(before + 2);
	}

	private void useOnce() {
		try (StateDirectory state = TestState.open(this.directory)) {
			StoredSession session = state.sessions().create(TestState.template(state));
			session.release();
			session.delete();
		}
	}

}
