package io.sandbox4j.tools;

import java.util.Collection;
import java.util.Objects;

import io.sandbox4j.SandboxException;
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

	/**
	 * Allows what both allow.
	 * @param other the other decision, asked only for what this one allows
	 * @return both
	 */
	default PathAuthorization and(PathAuthorization other) {
		Objects.requireNonNull(other, "'other' must not be null");
		return (path) -> allows(path) && other.allows(path);
	}

	/**
	 * Allows every path except those that a glob names, and all that is below them. A
	 * glob is matched name by name from the workspace down, case counts: {@code secrets}
	 * and {@code secrets/**} deny that directory and leave {@code secrets-backup},
	 * {@code **}{@code /.env} denies that name everywhere, {@code **}{@code /*.pem} an
	 * ending. There are {@code *}, {@code ?} and a whole segment {@code **}, nothing
	 * else: what other globs would read as an alternative, a set of characters or an
	 * exception is refused, so that none denies less than it seems to.
	 * @param globs the globs, relative to the workspace; none denies nothing
	 * @return the decision
	 * @throws SandboxException {@code SANDBOX_INVALID}, with the glob, if one is none
	 */
	static PathAuthorization denying(Collection<String> globs) {
		return new DeniedGlobs(globs);
	}

}
