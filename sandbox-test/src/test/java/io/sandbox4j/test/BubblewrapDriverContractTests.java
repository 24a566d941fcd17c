package io.sandbox4j.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fails, and is not skipped, on a machine without bubblewrap.
 */
@Tag("isolation")
class BubblewrapDriverContractTests extends SandboxDriverContract {

	@TempDir
	private static Path directory;

	private static SandboxBackend backend;

	// One for all tests, as each probes the host.
	@BeforeAll
	static void openBackend() throws IOException {
		// The guest's user passes it.
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
		backend = BubblewrapBackend.builder()
			.name("contract")
			.stateDirectory(directory.resolve("state"))
			.runtimeDirectory(directory.resolve("run"))
			.build();
	}

	@AfterEach
	void deleteSessions() {
		backend.handles().forEach(SandboxHandle::delete);
	}

	@AfterAll
	static void closeBackend() {
		backend.close();
	}

	// Its own type is not visible here: the session holds it.
	@Override
	protected SandboxDriver openDriver() {
		return assertThat(ContractFixture.sandbox(backend).session())
			.extracting("driver", InstanceOfAssertFactories.type(SandboxDriver.class))
			.actual();
	}

	@Override
	protected ContractCommands vocabulary() {
		return new ShellCommands();
	}

}
