package io.sandbox4j.lease;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxState;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sandbox of a lease, or attaches to it. Runs on the thread whose transition it
 * is; what failed is undone by the caller.
 */
final class LeaseMaker {

	private final SandboxBackend backend;

	private final CredentialBrokers brokers;

	private final LeaseTable table;

	private final LeaseControl control;

	private final LeaseCounters counters;

	private final @Nullable LeaseJournal journal;

	LeaseMaker(SandboxBackend backend, CredentialBrokers brokers, LeaseTable table, LeaseControl control,
			LeaseCounters counters, @Nullable LeaseJournal journal) {
		this.backend = backend;
		this.brokers = brokers;
		this.table = table;
		this.control = control;
		this.counters = counters;
		this.journal = journal;
	}

	// The grant comes first: the policy that the sandbox is made with has its rules.
	void create(LeaseEntry entry, LeaseSpec spec) {
		issue(entry, spec);
		NetworkPolicy network = entry.granted(spec.network());
		SandboxHandle handle = this.backend.create(SandboxRequest.from(spec.templateKey()).network(network).build());
		SandboxState state = handle.captureState();
		running(entry, spec, handle, state);
		record(entry, state, false);
		setUp(entry, spec, handle);
		record(entry, state, true);
		this.counters.created.incrementAndGet();
	}

	void attach(LeaseEntry entry, LeaseSpec spec) {
		SandboxState state = entry.state;
		if (state == null) {
			throw new IllegalStateException("A lease without a session cannot be attached to");
		}
		stopRest(entry);
		boolean bare = entry.grant == null;
		if (bare) {
			entry.adopt(spec);
			issue(entry, spec);
		}
		try {
			NetworkPolicy network = entry.network;
			NetworkPolicy granted = entry.granted((network != null) ? network : spec.network());
			SandboxHandle handle = this.backend.create(SandboxRequest.attach(state).network(granted).build());
			running(entry, spec, handle, state);
			this.counters.attached.incrementAndGet();
		}
		catch (RuntimeException | Error ex) {
			if (bare) {
				takeBack(entry, ex);
			}
			throw ex;
		}
	}

	// Of a sandbox that could not be stopped, or that somebody else stopped.
	private void stopRest(LeaseEntry entry) {
		SandboxHandle rest = entry.handle;
		if (rest != null) {
			rest.stop();
			this.table.locked(() -> entry.handle = null);
		}
	}

	private void issue(LeaseEntry entry, LeaseSpec spec) {
		entry.grant = this.brokers.get(spec.broker()).issue(new GrantRequest(entry.key, spec.environmentNames()));
	}

	private static void takeBack(LeaseEntry entry, Throwable failure) {
		CredentialGrant grant = entry.grant;
		entry.grant = null;
		if (grant == null) {
			return;
		}
		try {
			grant.revoke();
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(new IllegalStateException("A grant was not revoked: " + ex.getClass().getName()));
		}
	}

	private void running(LeaseEntry entry, LeaseSpec spec, SandboxHandle handle, SandboxState state) {
		this.table.locked(() -> {
			entry.handle = handle;
			entry.state = state;
			if (entry.network == null) {
				entry.network = spec.network();
			}
		});
		CredentialGrant grant = entry.grant;
		if (grant != null) {
			grant.bind(state.sessionId());
		}
	}

	private void record(LeaseEntry entry, SandboxState state, boolean ready) {
		if (this.journal != null) {
			this.journal.write(LeaseRecord.of(entry, state, ready));
		}
	}

	private void setUp(LeaseEntry entry, LeaseSpec spec, SandboxHandle handle) {
		this.table.locked(() -> entry.uses++);
		LeasedSession session = new LeasedSession(entry, handle.session());
		try (SandboxLease lease = new SandboxLease(entry, session, this.control)) {
			spec.setup().accept(lease);
		}
	}

}
