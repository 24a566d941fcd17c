package io.sandbox4j.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import org.jspecify.annotations.Nullable;

/**
 * Directories of the application's own beside the templates and sessions of a backend.
 */
final class StateDirectories {

	private StateDirectories() {
	}

	/**
	 * Finds a directory.
	 * @param property the property that names it
	 * @param directory the value of the property, or {@code null} for one below the state
	 * directory
	 * @param name its name there
	 * @param backend the backend
	 * @param properties the properties
	 * @return the absolute path of a directory of this backend, which may not exist
	 */
	static Path find(String property, @Nullable Path directory, String name, SandboxBackend backend,
			SandboxProperties properties) {
		if (directory != null) {
			return PropertiesBackendCustomizer.absolute(property, directory);
		}
		Path state = (backend instanceof BubblewrapBackend bubblewrap) ? bubblewrap.stateDirectory()
				: properties.stateDirectory();
		if (state == null) {
			throw new InvalidSandboxPropertyException(property, "It must be set: backend '" + backend.name()
					+ "' has no state directory that it could be below. 'sandbox.state-directory' would do too.");
		}
		// Backends of several names can share a state directory.
		return PropertiesBackendCustomizer.absolute("sandbox.state-directory", state)
			.resolve(name)
			.resolve(digest(backend.name()));
	}

	/**
	 * Makes a name of a file of any text.
	 * @param text the text
	 * @return 64 hexadecimal digits
	 */
	static String digest(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
