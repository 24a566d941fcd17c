package io.sandbox4j.lease;

import java.util.List;

/**
 * What was found in the journal at the start.
 *
 * @param recovered the leases that the next use attaches to
 * @param gone leases whose session does not exist any more
 * @param unfinished sessions that were still being set up, which are deleted, as are
 * those that a younger session of the same key replaced
 * @param broken files that could not be understood, which are removed
 * @param foreign leases of a backend of another name, which are left alone
 * @since 0.1.0
 */
public record LeaseRecovery(List<LeaseKey> recovered, int gone, int unfinished, int broken, int foreign) {

	/**
	 * Copies the list.
	 */
	public LeaseRecovery {
		recovered = List.copyOf(recovered);
	}

}
