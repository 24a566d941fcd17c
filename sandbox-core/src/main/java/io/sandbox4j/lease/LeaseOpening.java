package io.sandbox4j.lease;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxState;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Finds or makes a lease for one caller.
 */
final class LeaseOpening {

	private final LeaseSettings settings;

	private final SandboxBackend backend;

	private final LeaseTable table;

	private final LeaseMaker maker;

	private final LeaseEnding ending;

	private final LeaseControl control;

	private final LeaseCounters counters;

	LeaseOpening(LeaseSettings settings, LeaseTable table, LeaseMaker maker, LeaseEnding ending, LeaseControl control,
			LeaseCounters counters) {
		this.settings = settings;
		this.backend = settings.backend();
		this.table = table;
		this.maker = maker;
		this.ending = ending;
		this.control = control;
		this.counters = counters;
	}

	SandboxLease open(LeaseSpec spec, Patience patience) {
		this.settings.brokers().get(spec.broker());
		SandboxLease lease = null;
		while (lease == null) {
			Step step = this.table.locked(() -> nextWithPlace(spec, patience));
			lease = take(step, spec, patience);
		}
		return lease;
	}

	private @Nullable SandboxLease take(Step step, LeaseSpec spec, Patience patience) {
		return switch (step.kind()) {
			case USE -> step.lease();
			case CREATE -> create(step.entry(), spec);
			case ATTACH -> attach(step.entry(), spec);
			case END -> {
				this.ending.end(step.entry(), this.counters.expired);
				yield null;
			}
			case WAIT -> {
				step.transition().await(patience);
				yield null;
			}
		};
	}

	// A place that turns out not to be needed goes to the next that waits.
	private Step nextWithPlace(LeaseSpec spec, Patience patience) {
		while (true) {
			this.table.ensureOpen();
			Step step = next(spec, false);
			if (step != null) {
				return step;
			}
			if (this.table.queue().await(spec.key(), patience, this::makeRoom)) {
				return nextOnPlace(spec);
			}
		}
	}

	private Step nextOnPlace(LeaseSpec spec) {
		boolean used = false;
		try {
			this.table.ensureOpen();
			Step step = next(spec, true);
			if (step == null) {
				throw new IllegalStateException("A place was not enough");
			}
			used = step.kind() == Step.Kind.CREATE || step.kind() == Step.Kind.ATTACH && !step.entry().place;
			if (used) {
				step.entry().place = true;
			}
			return step;
		}
		finally {
			if (!used) {
				this.table.queue().release();
			}
		}
	}

	private @Nullable Step next(LeaseSpec spec, boolean place) {
		long now = this.table.now();
		LeaseEntry entry = this.table.find(spec.key());
		if (entry == null) {
			return place ? begin(added(spec, now), Phase.CREATING, Step.Kind.CREATE) : null;
		}
		if (entry.transition != null) {
			return new Step(Step.Kind.WAIT, entry, entry.transition, null);
		}
		if (entry.isExpired(now)) {
			return begin(entry, Phase.ENDING, Step.Kind.END);
		}
		if (entry.phase == Phase.LIVE && isRunning(entry)) {
			entry.renew(now);
			entry.uses++;
			return new Step(Step.Kind.USE, entry, null, use(entry));
		}
		return (entry.place || place) ? begin(entry, Phase.ATTACHING, Step.Kind.ATTACH) : null;
	}

	private LeaseEntry added(LeaseSpec spec, long now) {
		LeaseEntry entry = new LeaseEntry(spec, this.settings.clock().instant(), now);
		this.table.add(entry);
		return entry;
	}

	private Step begin(LeaseEntry entry, Phase phase, Step.Kind kind) {
		this.table.begin(entry, phase);
		return new Step(kind, entry, entry.transition, null);
	}

	// Somebody may have stopped the sandbox through the backend.
	private boolean isRunning(LeaseEntry entry) {
		SandboxState state = entry.state;
		return state != null && this.backend.handle(state.sessionId()).isPresent();
	}

	private boolean makeRoom() {
		LeaseEntry idle = this.table.longestIdle();
		if (idle == null) {
			return false;
		}
		this.table.begin(idle, Phase.STOPPING);
		this.table.unlocked(() -> this.ending.stop(idle, true));
		return true;
	}

	private SandboxLease create(LeaseEntry entry, LeaseSpec spec) {
		try {
			this.maker.create(entry, spec);
		}
		catch (RuntimeException | Error ex) {
			this.ending.undo(entry, ex);
			throw ex;
		}
		SandboxLease lease = this.table.locked(() -> used(entry));
		if (lease == null) {
			SandboxException ended = this.table.locked(this.table::isClosed) ? LeaseTable.closedFailure()
					: LeaseControl.ended();
			this.ending.undo(entry, ended);
			throw ended;
		}
		return lease;
	}

	private @Nullable SandboxLease attach(LeaseEntry entry, LeaseSpec spec) {
		try {
			this.maker.attach(entry, spec);
		}
		catch (RuntimeException | Error ex) {
			if (ex instanceof SandboxException gone && gone.code() == ErrorCode.SANDBOX_NOT_FOUND) {
				// Somebody deleted the session, so there is nothing to find any more.
				this.ending.end(entry, null);
				return null;
			}
			failed(entry, ex);
			throw ex;
		}
		SandboxLease lease = this.table.locked(() -> used(entry));
		if (lease == null) {
			this.ending.end(entry, null);
			throw LeaseControl.ended();
		}
		return lease;
	}

	private void failed(LeaseEntry entry, Throwable failure) {
		boolean ends = this.table.locked(() -> {
			if (entry.handle == null) {
				this.table.releasePlace(entry);
			}
			if (entry.endRequested) {
				entry.phase = Phase.ENDING;
				return true;
			}
			this.table.fail(entry, (entry.handle != null) ? Phase.STUCK : Phase.IDLE, failure);
			return false;
		});
		if (ends) {
			this.ending.end(entry, null);
		}
	}

	private @Nullable SandboxLease used(LeaseEntry entry) {
		if (entry.endRequested) {
			entry.phase = Phase.ENDING;
			return null;
		}
		long now = this.table.now();
		if (!entry.isExpired(now)) {
			entry.renew(now);
		}
		entry.uses++;
		this.table.finish(entry, Phase.LIVE);
		return use(entry);
	}

	private SandboxLease use(LeaseEntry entry) {
		SandboxHandle handle = entry.handle;
		if (handle == null) {
			throw LeaseControl.ended();
		}
		return new SandboxLease(entry, new LeasedSession(entry, handle.session()), this.control);
	}

	/**
	 * What the caller does next.
	 *
	 * @param kind what it is
	 * @param entry the lease
	 * @param pending what others do with it
	 * @param lease what the caller gets
	 */
	private record Step(Kind kind, LeaseEntry entry, @Nullable Transition pending, @Nullable SandboxLease lease) {

		Transition transition() {
			if (this.pending == null) {
				throw new IllegalStateException("Nothing is waited for");
			}
			return this.pending;
		}

		/**
		 * Something to do.
		 */
		private enum Kind {

			USE, CREATE, ATTACH, END, WAIT

		}

	}

}
