package io.sandbox4j.run;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Describes a run.
 *
 * @param id the caller's id, 1 to 128 printable ASCII characters without blanks, unique
 * within the sandbox
 * @param cwd where its turns run, relative to the workspace; empty for its top
 * @param continued the run whose conversation it continues, {@code null} for none
 * @param forked the run whose conversation it branches from, {@code null} for none
 * @since 0.1.0
 */
public record RunSpec(String id, String cwd, @Nullable String continued, @Nullable String forked) {

	/**
	 * Checks the ids.
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for a malformed id, or
	 * if the run would both continue and branch
	 */
	public RunSpec {
		Ids.require("run", id);
		if (continued != null) {
			Ids.require("continued", continued);
		}
		if (forked != null) {
			Ids.require("forked", forked);
		}
		if (continued != null && forked != null) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"A run continues another or branches from it, not both.");
		}
	}

	/**
	 * Describes a run with a conversation of its own.
	 * @param id its id
	 * @return a run at the top of the workspace
	 */
	public static RunSpec of(String id) {
		return new RunSpec(id, "", null, null);
	}

	/**
	 * Sets where its turns run.
	 * @param cwd a directory relative to the workspace
	 * @return a copy
	 */
	public RunSpec withCwd(String cwd) {
		return new RunSpec(this.id, cwd, this.continued, this.forked);
	}

	/**
	 * Lets it continue a run's conversation.
	 * @param run the run's id
	 * @return a copy
	 */
	public RunSpec continuing(String run) {
		return new RunSpec(this.id, this.cwd, run, null);
	}

	/**
	 * Lets it branch from a run's conversation.
	 * @param run the run's id
	 * @return a copy
	 */
	public RunSpec forking(String run) {
		return new RunSpec(this.id, this.cwd, null, run);
	}

}
