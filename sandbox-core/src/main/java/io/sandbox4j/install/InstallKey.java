package io.sandbox4j.install;

import io.sandbox4j.WorkspacePath;

/**
 * What an install is found by.
 *
 * @param sessionId the id of the session, 1 to 256 characters
 * @param directory the directory as {@link WorkspacePath#relative()} spells it
 * @since 0.1.0
 */
public record InstallKey(String sessionId, String directory) {

	private static final int MAX_SESSION = 256;

	/**
	 * Validates the components and spells the directory in the one way.
	 */
	public InstallKey {
		if (sessionId.isEmpty() || sessionId.length() > MAX_SESSION) {
			throw new IllegalArgumentException("'sessionId' must have 1 to " + MAX_SESSION + " characters");
		}
		directory = WorkspacePath.parse(directory).relative();
	}

}
