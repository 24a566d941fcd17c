package io.sandbox4j;

import java.time.Duration;

/**
 * Something that happened in a backend. Events hold ids and figures, never command text,
 * environment, output or paths.
 *
 * @since 0.1.0
 */
public sealed interface SandboxEvent {

	/**
	 * Returns the session.
	 * @return the session's id
	 */
	String sessionId();

	/**
	 * A session was made.
	 *
	 * @param sessionId the session's id
	 * @param templateKey the key of its template
	 */
	record SessionCreated(String sessionId, String templateKey) implements SandboxEvent {

	}

	/**
	 * A session was attached to.
	 *
	 * @param sessionId the session's id
	 * @param recovered whether its last owner ended without releasing it
	 * @param killedGuests how many processes of that owner's sandboxes still ran, and
	 * were killed
	 */
	record SessionAttached(String sessionId, boolean recovered, int killedGuests) implements SandboxEvent {

	}

	/**
	 * A session was stopped.
	 *
	 * @param sessionId the session's id
	 */
	record SessionStopped(String sessionId) implements SandboxEvent {

	}

	/**
	 * A session was deleted.
	 *
	 * @param sessionId the session's id
	 */
	record SessionDeleted(String sessionId) implements SandboxEvent {

	}

	/**
	 * A command ended.
	 *
	 * @param sessionId the session's id
	 * @param status how it ended
	 * @param duration from its admission to the end of its processes
	 */
	record CommandFinished(String sessionId, ExecStatus status, Duration duration) implements SandboxEvent {

	}

	/**
	 * A command was refused before anything of it ran.
	 *
	 * @param sessionId the session's id
	 * @param code why
	 */
	record CommandRefused(String sessionId, ErrorCode code) implements SandboxEvent {

	}

	/**
	 * Processes of a command could not be proven gone; its slot stays taken.
	 *
	 * @param sessionId the session's id
	 */
	record CleanupUnproven(String sessionId) implements SandboxEvent {

	}

	/**
	 * A file operation ended.
	 *
	 * @param sessionId the session's id
	 * @param operation its name: read, write, list, ...
	 * @param outcome {@code success} or the error's code
	 */
	record FileOperation(String sessionId, String operation, String outcome) implements SandboxEvent {

	}

}
