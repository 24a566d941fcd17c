package io.sandbox4j;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a session without touching its workspace.
 *
 * @param id the session's id
 * @param templateKey the key of its template
 * @param created when it was made
 * @param status whether somebody owns it
 * @param owner who took its lease last, or {@code null} if nobody is recorded
 * @since 0.1.0
 */
public record SessionInfo(String id, String templateKey, Instant created, Status status, @Nullable LeaseOwner owner) {

	/**
	 * Whether somebody owns a session.
	 */
	public enum Status {

		/**
		 * A handle of this backend object owns it.
		 */
		RUNNING,

		/**
		 * Another process, or another backend object of this one, owns it.
		 */
		OWNED_ELSEWHERE,

		/**
		 * Nobody owns it.
		 */
		STOPPED

	}

}
