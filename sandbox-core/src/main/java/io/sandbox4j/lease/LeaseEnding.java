package io.sandbox4j.lease;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxState;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and ends leases. Nothing here throws for what a sandbox, a broker, a hook or a
 * step does. Runs on the thread whose transition it is, without the lock.
 */
final class LeaseEnding {

	private static final Logger logger = LoggerFactory.getLogger(LeaseEnding.class);

	private final SandboxBackend backend;

	private final LeaseSettings settings;

	private final LeaseTable table;

	private final LeaseCounters counters;

	private final RunLogs logs;

	private final @Nullable LeaseJournal journal;

	// Sessions of ended leases that could not be deleted yet.
	private final Queue<LeaseEntry> leftovers = new ConcurrentLinkedQueue<>();

	LeaseEnding(LeaseSettings settings, LeaseTable table, LeaseCounters counters, RunLogs logs,
			@Nullable LeaseJournal journal) {
		this.backend = settings.backend();
		this.settings = settings;
		this.table = table;
		this.counters = counters;
		this.logs = logs;
		this.journal = journal;
	}

	/**
	 * Stops the sandbox of a lease that nobody uses.
	 * @param entry the lease, in transition
	 * @param first whether that was not tried before
	 */
	void stop(LeaseEntry entry, boolean first) {
		SandboxHandle handle = entry.handle;
		if (first) {
			hook(this.settings.beforeStop(), entry);
		}
		boolean stopped = handle == null || stopped(entry, handle);
		boolean ends = this.table.locked(() -> {
			if (stopped) {
				entry.handle = null;
				this.table.releasePlace(entry);
			}
			return settle(entry, stopped ? Phase.IDLE : Phase.STUCK);
		});
		if (ends) {
			end(entry, null);
		}
	}

	private boolean stopped(LeaseEntry entry, SandboxHandle handle) {
		try {
			handle.stop();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The idle sandbox of lease '{}' could not be stopped yet", entry.key, ex);
			return false;
		}
		this.counters.stopped.incrementAndGet();
		this.logs.line(entry.key, "The idle sandbox was stopped.");
		return true;
	}

	/**
	 * Finishes a transition, or turns it into the end that somebody asked for meanwhile.
	 * Call it with the lock.
	 * @param entry the lease
	 * @param phase the phase after it
	 * @return whether the caller is to end the lease now
	 */
	boolean settle(LeaseEntry entry, Phase phase) {
		if (entry.endRequested) {
			entry.phase = Phase.ENDING;
			return true;
		}
		this.table.finish(entry, phase);
		return false;
	}

	/**
	 * Ends a lease for somebody. One in transition is waited for, and ended by whoever
	 * holds it up if it is being made.
	 * @param entry the lease
	 * @param keep whether its session is kept for the next process
	 * @return {@code false} if it had ended before, or what is done to it asks
	 */
	boolean request(LeaseEntry entry, boolean keep) {
		boolean waited = false;
		while (true) {
			Claim claim = this.table.locked(() -> claim(entry, keep));
			Transition pending = claim.pending();
			if (claim.begun()) {
				if (keep) {
					keep(entry);
				}
				else {
					end(entry, null);
				}
				return true;
			}
			if (pending == null || pending.isMine()) {
				return waited;
			}
			waited = true;
			if (!pending.awaitEnd()) {
				return true;
			}
		}
	}

	private Claim claim(LeaseEntry entry, boolean keep) {
		if (this.table.find(entry.key) != entry) {
			return new Claim(false, null);
		}
		if (entry.transition == null) {
			this.table.begin(entry, Phase.ENDING);
			return new Claim(true, entry.transition);
		}
		entry.endRequested |= !keep || entry.phase == Phase.CREATING;
		return new Claim(false, entry.transition);
	}

	/**
	 * Ends a lease.
	 * @param entry the lease, in transition
	 * @param counter what else is counted: the end is nobody's wish then, and the hook is
	 * told
	 */
	void end(LeaseEntry entry, @Nullable AtomicLong counter) {
		if (counter != null) {
			counter.incrementAndGet();
			hook(this.settings.beforeReclaim(), entry);
		}
		dismantle(entry, false);
		this.table.locked(() -> this.table.finish(entry, Phase.ENDING));
	}

	/**
	 * Ends a lease in this process, and leaves its session to the next one.
	 * @param entry the lease, in transition
	 */
	void keep(LeaseEntry entry) {
		if (entry.handle != null) {
			hook(this.settings.beforeStop(), entry);
		}
		dismantle(entry, true);
		this.table.locked(() -> this.table.finish(entry, Phase.ENDING));
	}

	/**
	 * Undoes what could not be made.
	 * @param entry the lease, in transition
	 * @param failure why
	 */
	void undo(LeaseEntry entry, Throwable failure) {
		dismantle(entry, false);
		this.table.locked(() -> this.table.fail(entry, Phase.ENDING, failure));
	}

	private void dismantle(LeaseEntry entry, boolean keep) {
		TeardownChain chain = new TeardownChain();
		if (keep) {
			chain.add(TeardownChain.STOP, () -> stopForGood(entry));
		}
		else {
			chain.add(TeardownChain.DELETE, () -> delete(entry));
		}
		chain.add(TeardownChain.REVOKE, () -> revoke(entry));
		this.table.locked(() -> chain.addAll(entry.steps));
		List<String> failed = chain.run(entry.key);
		this.counters.teardownFailures.addAndGet(failed.size());
		this.counters.ended.incrementAndGet();
		failed.forEach((step) -> this.logs.line(entry.key, "Step '" + step + "' of the end failed."));
		this.logs.line(entry.key, "The lease ended.");
		this.table.locked(() -> this.table.remove(entry));
	}

	private void revoke(LeaseEntry entry) {
		CredentialGrant grant = entry.grant;
		if (grant != null) {
			grant.revoke();
		}
	}

	private void stopForGood(LeaseEntry entry) {
		SandboxHandle handle = entry.handle;
		if (handle != null) {
			handle.stop();
		}
	}

	private void delete(LeaseEntry entry) {
		SandboxState state = entry.state;
		if (state == null) {
			return;
		}
		try {
			deleteSession(entry, state);
		}
		catch (RuntimeException ex) {
			this.leftovers.add(leftover(entry, state));
			throw ex;
		}
	}

	private void deleteSession(LeaseEntry entry, SandboxState state) {
		SandboxHandle handle = entry.handle;
		if (handle != null) {
			handle.delete();
		}
		else {
			this.backend.delete(state.sessionId());
		}
		if (this.journal != null) {
			this.journal.remove(state.sessionId());
		}
	}

	// What may still run keeps its place.
	private LeaseEntry leftover(LeaseEntry entry, SandboxState state) {
		LeaseEntry rest = new LeaseEntry(entry.key, Phase.STUCK, entry.created, 0, 0, entry.maxLifetime(),
				entry.maxLifetime());
		rest.state = state;
		rest.handle = entry.handle;
		boolean runs = this.backend.handle(state.sessionId()).isPresent();
		this.table.locked(() -> {
			rest.place = runs && entry.place;
			entry.place = !rest.place && entry.place;
		});
		return rest;
	}

	/**
	 * Tries again to delete what could not be deleted.
	 */
	void retryLeftovers() {
		for (LeaseEntry rest : List.copyOf(this.leftovers)) {
			SandboxState state = rest.state;
			if (state == null || !this.leftovers.remove(rest)) {
				continue;
			}
			try {
				deleteSession(rest, state);
				this.table.locked(() -> this.table.releasePlace(rest));
			}
			catch (RuntimeException ex) {
				logger.debug("The session of ended lease '{}' cannot be deleted yet", rest.key, ex);
				this.leftovers.add(rest);
			}
		}
	}

	private void hook(LeaseHook hook, LeaseEntry entry) {
		SandboxHandle handle = entry.handle;
		LeasedSession session = (handle != null) ? new LeasedSession(entry, handle.session()) : null;
		try {
			hook.before(this.table.locked(() -> entry.info(this.table.now())), session);
		}
		catch (RuntimeException | Error ex) {
			this.counters.hookFailures.incrementAndGet();
			logger.warn("A hook of lease '{}' failed", entry.key, ex);
		}
		finally {
			if (session != null) {
				session.close();
			}
		}
	}

	/**
	 * What became of the wish to end a lease.
	 *
	 * @param begun whether the caller is to end it now
	 * @param pending what others do with it, or {@code null} if it has ended
	 */
	private record Claim(boolean begun, @Nullable Transition pending) {

	}

}
