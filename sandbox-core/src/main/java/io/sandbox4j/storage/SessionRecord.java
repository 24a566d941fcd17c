package io.sandbox4j.storage;

import java.time.Instant;

import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;

/**
 * What {@code state.json} says.
 *
 * @param backend the backend's name
 * @param sessionId the session's id
 * @param templateKey the template's key
 * @param created when the session was made
 * @param directory the caller's directory that is the workspace, or {@code null} for a
 * copy
 */
record SessionRecord(String backend, String sessionId, String templateKey, Instant created,
		@Nullable String directory) {

	SessionRecord {
		if (backend == null || sessionId == null || templateKey == null || created == null) {
			throw new IllegalArgumentException("'backend', 'sessionId', 'templateKey' and 'created' must be given");
		}
	}

	boolean matches(SandboxState state) {
		return this.backend.equals(state.backend()) && this.sessionId.equals(state.sessionId())
				&& this.templateKey.equals(state.templateKey());
	}

}
