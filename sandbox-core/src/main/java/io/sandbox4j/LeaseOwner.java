package io.sandbox4j;

import java.time.Instant;

/**
 * Who owns a session, as written when the lease was taken. A record of a process that is
 * gone is no ownership: only the kernel's lock is.
 *
 * @param owner a random id of the backend object
 * @param host the host's name
 * @param bootId the kernel's boot id
 * @param pid the process
 * @param processStarted when the process started, in clock ticks after boot
 * @param token the fencing token: it grows with every acquisition of the session
 * @param acquired when the lease was taken, by the host's clock; for people only
 * @since 0.1.0
 */
public record LeaseOwner(String owner, String host, String bootId, long pid, long processStarted, long token,
		Instant acquired) {

}
