package io.sandbox4j.checkpoint;

/**
 * How a checkpoint is restored. Immutable.
 *
 * @param id the checkpoint
 * @param replace whether what is in the workspace is removed first; otherwise it must be
 * empty
 * @param anyKey whether the sandbox may have been started from something else than the
 * one that was captured
 * @since 0.1.0
 */
public record RestoreSpec(String id, boolean replace, boolean anyKey) {

	/**
	 * Restores into an empty workspace of the same template.
	 * @param id the checkpoint
	 * @return the description
	 */
	public static RestoreSpec of(String id) {
		return new RestoreSpec(id, false, false);
	}

	/**
	 * Sets whether what is in the workspace is removed first.
	 * @param replace whether it is
	 * @return the changed copy
	 */
	public RestoreSpec withReplace(boolean replace) {
		return new RestoreSpec(this.id, replace, this.anyKey);
	}

	/**
	 * Sets whether another key than the checkpoint's is fine: programs that the agent
	 * installed or built may not fit then.
	 * @param anyKey whether it is
	 * @return the changed copy
	 */
	public RestoreSpec withAnyKey(boolean anyKey) {
		return new RestoreSpec(this.id, this.replace, anyKey);
	}

}
