package io.sandbox4j.lease;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

import io.sandbox4j.SandboxBackend;
import org.jspecify.annotations.Nullable;

/**
 * What leases are built from.
 *
 * @param backend makes the sandboxes
 * @param brokers issue the credentials
 * @param places how many sandboxes run at once, and what becomes of idle ones
 * @param maxWaiting how many callers wait for one
 * @param reclaimAfter after which time without use a stopped lease ends
 * @param beforeStop told before an idle sandbox is stopped
 * @param beforeReclaim told before a lease ends by itself
 * @param sweepInterval how often idle and expired leases are looked for
 * @param journal where leases are recorded
 * @param ticker the time for durations, in nanoseconds
 * @param clock the time of day
 */
record LeaseSettings(SandboxBackend backend, CredentialBrokers brokers, LeasePlaces places, int maxWaiting,
		@Nullable Duration reclaimAfter, LeaseHook beforeStop, LeaseHook beforeReclaim, Duration sweepInterval,
		@Nullable Path journal, LongSupplier ticker, InstantSource clock) {

}
