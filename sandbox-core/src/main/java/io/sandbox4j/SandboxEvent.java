package io.sandbox4j;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

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
	 * @param commandId the command's id, as {@link SandboxProcess#id()} says
	 * @param status how it ended
	 * @param duration from its admission to its result
	 * @param warm whether its sandbox was built before it came
	 */
	record CommandFinished(String sessionId, String commandId, ExecStatus status, Duration duration,
			boolean warm) implements SandboxEvent {

		/**
		 * Creates the event of a command whose sandbox was built for it.
		 * @param sessionId the session's id
		 * @param commandId the command's id
		 * @param status how it ended
		 * @param duration from its admission to its result
		 */
		public CommandFinished(String sessionId, String commandId, ExecStatus status, Duration duration) {
			this(sessionId, commandId, status, duration, false);
		}

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

	/**
	 * The gateway answered a request of a guest, or gave it up. The audit record of what
	 * left the sandbox.
	 *
	 * @param sessionId the session's id
	 * @param commandId the command whose process asked, or {@code null} if that process
	 * is gone or was not found
	 * @param time when the request's head had arrived
	 * @param origin the origin of the rule, or {@code null} if none matched
	 * @param method the method, or {@code "-"} if the head could not be read
	 * @param path the path without its query, cut at 256 characters, or {@code "-"}
	 * @param status the status that the guest got; 0 if it got none
	 * @param reason {@code "ok"}, or a short code for why the gateway refused or failed
	 * @param requestBytes how many bytes of the request's body were passed on
	 * @param responseBytes how many bytes of the answer's body were passed on
	 * @param duration from the head to the last byte
	 */
	record GatewayRequest(String sessionId, @Nullable String commandId, Instant time, @Nullable Origin origin,
			String method, String path, int status, String reason, long requestBytes, long responseBytes,
			Duration duration) implements SandboxEvent {

	}

	/**
	 * A request failed at the upstream or in the gateway. What the guest is not told.
	 *
	 * @param sessionId the session's id
	 * @param origin the origin of the rule
	 * @param reason the short code that the guest got
	 * @param failure what happened; its message holds no secret of the rule
	 */
	record GatewayFailure(String sessionId, Origin origin, String reason,
			SandboxException failure) implements SandboxEvent {

	}

}
