package io.sandbox4j.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxDriver;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fails, and is not skipped, on a machine without bubblewrap.
 */
@Tag("isolation")
class BubblewrapDriverContractTests extends SandboxDriverContract {

	@TempDir
	private Path directory;

	private SandboxBackend backend;

	@BeforeEach
	void openBackend() throws IOException {
		// The guest's user passes it.
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwx--x--x"));
		this.backend = BubblewrapBackend.builder()
			.name("contract")
			.stateDirectory(this.directory.resolve("state"))
			.runtimeDirectory(this.directory.resolve("run"))
			.build();
	}

	@AfterEach
	void closeBackend() {
		this.backend.close();
	}

	// Its own type is not visible here: the session holds it.
	@Override
	protected SandboxDriver openDriver() {
		return assertThat(ContractFixture.sandbox(this.backend).session())
			.extracting("driver", InstanceOfAssertFactories.type(SandboxDriver.class))
			.actual();
	}

	@Override
	protected ContractCommands vocabulary() {
		return new ShellCommands();
	}

}
