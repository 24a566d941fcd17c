package io.sandbox4j.git;

import java.util.List;

/**
 * What a handoff carried.
 *
 * @param written the files that were made or replaced, sorted; those that were equal are
 * not among them
 * @param onlyAtTarget the files that the target has and the source has not, sorted; they
 * stay
 * @since 0.1.0
 */
public record HandoffResult(List<String> written, List<String> onlyAtTarget) {

	/**
	 * Copies the lists.
	 */
	public HandoffResult {
		written = List.copyOf(written);
		onlyAtTarget = List.copyOf(onlyAtTarget);
	}

}
