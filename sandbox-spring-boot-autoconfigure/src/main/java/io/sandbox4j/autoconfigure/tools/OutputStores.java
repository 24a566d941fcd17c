package io.sandbox4j.autoconfigure.tools;

import java.nio.file.Path;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.autoconfigure.InvalidSandboxPropertyException;
import io.sandbox4j.autoconfigure.tools.SandboxToolsProperties.Outputs;
import io.sandbox4j.tools.FileArtifactStore;

/**
 * Opens the store of long outputs that the properties describe.
 */
final class OutputStores {

	private static final String PREFIX = "sandbox.tools.outputs.";

	private OutputStores() {
	}

	static FileArtifactStore open(Outputs outputs) {
		String directory = outputs.directory();
		require(directory != null && directory.startsWith("/"), "directory",
				"It must be the absolute path of a directory, such as '/var/lib/app/outputs'.");
		require(outputs.quota().toBytes() > 0, "quota", "It must be at least 1 byte.");
		require(!outputs.expiry().isNegative() && !outputs.expiry().isZero(), "expiry", "It must be more than 0.");
		try {
			return FileArtifactStore.builder(Path.of(directory))
				.quotaBytes(outputs.quota().toBytes())
				.expiry(outputs.expiry())
				.build();
		}
		catch (SandboxUnavailableException ex) {
			throw new InvalidSandboxPropertyException(PREFIX + "directory", String.valueOf(ex.getMessage()));
		}
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

}
