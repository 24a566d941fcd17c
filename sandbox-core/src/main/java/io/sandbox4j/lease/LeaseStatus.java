package io.sandbox4j.lease;

/**
 * A snapshot of all leases. The counts of what happened are since the start.
 *
 * @param active leases that hold a place: their sandbox runs, or starts or ends
 * @param maxActive how many may
 * @param idle leases whose sandbox is stopped, those that were found at the start
 * included
 * @param waiting callers that wait for a place
 * @param created sandboxes made
 * @param attached sandboxes attached to again
 * @param stopped sandboxes stopped because nobody used them
 * @param ended leases that ended, for whatever reason
 * @param expired leases that ended because their time was over
 * @param reclaimed leases that ended because nobody used them
 * @param recovered leases found at the start
 * @param rejected callers refused because no place was free
 * @param teardownFailures steps of ends that failed
 * @param hookFailures hooks that threw
 * @since 0.1.0
 */
public record LeaseStatus(int active, int maxActive, int idle, int waiting, long created, long attached, long stopped,
		long ended, long expired, long reclaimed, long recovered, long rejected, long teardownFailures,
		long hookFailures) {

}
