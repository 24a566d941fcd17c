package io.sandbox4j.storage;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LeftoversTests {

	@TempDir
	Path temporary;

	private Path root;

	private StateDirectory state;

	@BeforeEach
	void setUp() throws Exception {
		Path directory = this.temporary.toRealPath().resolve("state");
		this.state = TestState.open(directory);
		this.root = TestState.root(directory, TestState.BACKEND);
	}

	@AfterEach
	void tearDown() {
		this.state.close();
	}

	@Test
	void cleanDirectoryHasNone() {
		this.state.sessions().create(TestState.template(this.state));
		assertThat(this.state.collectLeftovers().isEmpty()).isTrue();
	}

	@Test
	void templateWithoutMarkerIsRemoved() throws Exception {
		String key = TestState.template(this.state);
		Files.createDirectories(this.root.resolve("templates").resolve("a".repeat(64)).resolve("data"));
		assertThat(this.state.collectLeftovers()).isEqualTo(new Leftovers(1, 0, 0, 0, 0, 0));
		assertThat(this.state.templates().keys()).containsExactly(key);
		assertThat(StateDirectory.list(this.root.resolve("templates"))).hasSize(1);
	}

	@Test
	void sessionWithoutStateIsRemoved() throws Exception {
		Path half = Files.createDirectories(this.root.resolve("sessions").resolve("a".repeat(64)).resolve("workspace"));
		assertThat(this.state.collectLeftovers()).isEqualTo(new Leftovers(0, 0, 1, 0, 0, 0));
		assertThat(half).doesNotExist();
	}

	@Test
	void sessionWithoutStateThatIsOwnedStays() throws Exception {
		StoredSession session = this.state.sessions().create(TestState.template(this.state));
		Files.delete(this.root.resolve("sessions").resolve(session.id()).resolve("state.json"));
		assertThat(this.state.collectLeftovers().isEmpty()).isTrue();
		assertThat(session.workspace()).exists();
		assertThatNoException().isThrownBy(session.lease()::ensureValid);
	}

	@Test
	void stagingOfAnUnownedSessionIsEmptied() throws Exception {
		StoredSession session = this.state.sessions().create(TestState.template(this.state));
		Files.createFile(session.staging().resolve("half"));
		assertThat(this.state.collectLeftovers().staging()).isZero();
		session.release();
		assertThat(this.state.collectLeftovers()).isEqualTo(new Leftovers(0, 0, 0, 1, 0, 0));
		assertThat(session.staging()).isEmptyDirectory();
	}

	@Test
	void trashIsTakenOver() {
		StoredSession session = this.state.sessions().create(TestState.template(this.state));
		session.delete();
		assertThat(this.state.collectLeftovers()).isEqualTo(new Leftovers(0, 0, 0, 0, 1, 0));
	}

	@Test
	void temporariesOfALiveObjectStay() throws Exception {
		try (StateDirectory other = TestState.open(this.state.path())) {
			Path building = StateDirectory.list(this.root.resolve("building"))
				.stream()
				.filter(Files::isDirectory)
				.findFirst()
				.orElseThrow();
			Path temporary = Files.createDirectory(building.resolve("in-progress"));
			assertThat(other.collectLeftovers().building() + this.state.collectLeftovers().building()).isZero();
			assertThat(temporary).exists();
			Files.delete(temporary);
		}
	}

	@Test
	void temporariesOfAKilledProcessAreRemoved() throws Exception {
		try (ChildJvm child = ChildJvm.start("build", this.state.path().toString())) {
			assertThat(child.line()).isEqualTo("READY");
			Path building = building(child);
			while (StateDirectory.list(building).isEmpty()) {
				Thread.onSpinWait();
			}
			child.kill();
			this.state.collectLeftovers();
			assertThat(building).doesNotExist();
		}
		assertThat(StateDirectory.list(this.root.resolve("building"))).hasSize(2);
	}

	private Path building(ChildJvm child) throws Exception {
		Path own = null;
		for (Path entry : StateDirectory.list(this.root.resolve("building"))) {
			if (Files.isDirectory(entry) && !entry.equals(own(entry))) {
				own = entry;
			}
		}
		return own;
	}

	private Path own(Path entry) throws Exception {
		Path lock = entry.resolveSibling(entry.getFileName() + ".lock");
		return LeaseClaims.isClaimed(lock.toString()) ? entry : null;
	}

}
