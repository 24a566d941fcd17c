package io.sandbox4j.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fails, and is not skipped, on a machine without bubblewrap.
 */
@Tag("isolation")
class BubblewrapBackendContractTests extends SandboxBackendContract {

	@TempDir
	private Path directory;

	@BeforeEach
	void letTheGuestsUserPass() throws IOException {
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwx--x--x"));
	}

	@Override
	protected SandboxBackend openBackend(BackendSetup setup) {
		return BubblewrapBackend.builder()
			.name(setup.name())
			.stateDirectory(this.directory.resolve("state"))
			.runtimeDirectory(this.directory.resolve("run"))
			.sessionLimits(setup.sessionLimits())
			.listener(setup.listener())
			.build();
	}

	@Override
	protected ContractCommands vocabulary() {
		return new ShellCommands();
	}

}
