package io.sandbox4j.run;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Where work is in a sandbox.
 *
 * @param directory the directory, relative to the workspace, empty for its top
 * @param kind what is there
 * @param repository the repository, such as {@code owner/name}; {@code null} if it is not
 * known
 * @param noted when it was told last
 * @since 0.1.0
 */
public record CheckoutRecord(String directory, Kind kind, @Nullable String repository, Instant noted) {

	/**
	 * What is in a checkout's directory.
	 */
	public enum Kind {

		/**
		 * A Git repository.
		 */
		REPOSITORY,

		/**
		 * Files without history.
		 */
		SCRATCH

	}

}
