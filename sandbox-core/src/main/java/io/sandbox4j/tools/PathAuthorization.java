package io.sandbox4j.tools;

import io.sandbox4j.WorkspacePath;

/**
 * Decides which paths tools may touch at all, whatever they do. Asked for every directory
 * on the way, outermost first, and then for the entry; the first refusal ends it. So a
 * refused directory hides all that is in it, and a rule that allows {@code src} allows a
 * way to its files. Must be thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PathAuthorization {

	/**
	 * Decides.
	 * @param path the path; the root only if a call names it
	 * @return {@code false} to refuse
	 */
	boolean allows(WorkspacePath path);

}
