package io.sandbox4j.run;

import java.util.List;

/**
 * What there is to do in a durable sandbox: ids and states, and no text.
 *
 * @param key the sandbox's key
 * @param runs its runs, sorted by id, the first 1000 of them
 * @param unsettled its operations that are not settled, in the order of their submission
 * @since 0.1.0
 */
public record SandboxWork(String key, List<Run> runs, List<Operation> unsettled) {

	/**
	 * A run.
	 *
	 * @param id its id
	 * @param stopped whether it takes no more turns
	 */
	public record Run(String id, boolean stopped) {

	}

	/**
	 * An operation.
	 *
	 * @param run the id of its run
	 * @param id its id
	 * @param status where it stands
	 */
	public record Operation(String run, String id, OperationStatus status) {

	}

}
