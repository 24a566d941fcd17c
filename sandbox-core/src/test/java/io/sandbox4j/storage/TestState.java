package io.sandbox4j.storage;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

import io.sandbox4j.SandboxState;
import io.sandbox4j.SandboxTemplate;

/**
 * What tests of the state directory share.
 */
final class TestState {

	static final String BACKEND = "test";

	private TestState() {
	}

	static StateDirectory open(Path directory) {
		return open(directory, BACKEND);
	}

	static StateDirectory open(Path directory, String backend) {
		return open(directory, backend, StorageSettings.defaults());
	}

	static StateDirectory open(Path directory, String backend, StorageSettings settings) {
		return StateDirectory.open(directory, backend,
				new StateDirectory.Options(settings, Clock.systemUTC(), Duration.ofHours(1), Duration.ofSeconds(5)));
	}

	static StorageSettings withOwner(FileOwner owner) {
		return new StorageSettings(Durability.PROCESS, owner, 1 << 20, 1_000);
	}

	static String template(StateDirectory state) {
		return state.templates().prewarm(SandboxTemplate.named("template").file("src/a.txt", "initial").build()).key();
	}

	static SandboxState stateOf(StoredSession session) {
		return new SandboxState(BACKEND, session.id(), session.templateKey());
	}

	static Path root(Path directory, String backend) {
		return directory.resolve(StateDirectory.sha256(backend));
	}

	static Path sessions(Path directory) {
		return root(directory, BACKEND).resolve("sessions");
	}

	static Path session(Path directory, String id) {
		return sessions(directory).resolve(id);
	}

	static boolean isRoot() {
		return Directories.currentUid() == 0;
	}

	static boolean isUnprivileged() {
		return !isRoot();
	}

}
