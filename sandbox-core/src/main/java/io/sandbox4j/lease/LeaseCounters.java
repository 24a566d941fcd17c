package io.sandbox4j.lease;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What happened since the start.
 */
final class LeaseCounters {

	final AtomicLong created = new AtomicLong();

	final AtomicLong attached = new AtomicLong();

	final AtomicLong stopped = new AtomicLong();

	final AtomicLong ended = new AtomicLong();

	final AtomicLong expired = new AtomicLong();

	final AtomicLong reclaimed = new AtomicLong();

	final AtomicLong recovered = new AtomicLong();

	final AtomicLong teardownFailures = new AtomicLong();

	final AtomicLong hookFailures = new AtomicLong();

}
