package io.sandbox4j;

/**
 * What it takes to attach to a session: no secret, no policy, no path.
 *
 * @param backend the backend's name
 * @param sessionId the session's id
 * @param templateKey the key of the template that it came from
 * @since 0.1.0
 */
public record SandboxState(String backend, String sessionId, String templateKey) {

	/**
	 * Validates the components.
	 */
	public SandboxState {
		require("backend", backend);
		require("sessionId", sessionId);
		require("templateKey", templateKey);
	}

	private static void require(String name, String value) {
		if (value == null || value.isEmpty()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'state." + name + "' must not be empty.");
		}
	}

}
