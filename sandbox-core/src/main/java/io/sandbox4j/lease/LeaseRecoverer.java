package io.sandbox4j.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SessionInfo;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what an earlier process wrote into the journal.
 */
final class LeaseRecoverer {

	private static final Logger logger = LoggerFactory.getLogger(LeaseRecoverer.class);

	private final SandboxBackend backend;

	private final LeaseSettings settings;

	private final LeaseTable table;

	private final LeaseJournal journal;

	private final List<LeaseKey> recovered = new ArrayList<>();

	private int gone;

	private int unfinished;

	private int foreign;

	LeaseRecoverer(LeaseSettings settings, LeaseTable table, LeaseJournal journal) {
		this.backend = settings.backend();
		this.settings = settings;
		this.table = table;
		this.journal = journal;
	}

	LeaseRecovery recover() {
		LeaseJournal.Content content = this.journal.read();
		Set<String> sessions = this.backend.sessions().stream().map(SessionInfo::id).collect(Collectors.toSet());
		content.leases()
			.stream()
			.sorted(Comparator.comparingLong(LeaseRecord::createdMillis).reversed())
			.forEach((lease) -> recover(lease, sessions));
		LeaseRecovery report = new LeaseRecovery(this.recovered, this.gone, this.unfinished, content.broken(),
				this.foreign);
		if (!content.leases().isEmpty() || content.broken() > 0) {
			logger.info(
					"Found leases of an earlier process: {} recovered, {} without session, {} unfinished, "
							+ "{} broken, {} of another backend",
					this.recovered.size(), report.gone(), report.unfinished(), report.broken(), report.foreign());
		}
		return report;
	}

	private void recover(LeaseRecord lease, Set<String> sessions) {
		if (!lease.backend().equals(this.backend.name())) {
			this.foreign++;
		}
		else if (!sessions.contains(lease.sessionId())) {
			this.gone++;
			this.journal.remove(lease.sessionId());
		}
		else if (!lease.ready() || this.table.find(lease.leaseKey()) != null) {
			this.unfinished++;
			delete(lease);
		}
		else {
			LeaseEntry entry = entry(lease);
			entry.state = lease.state();
			this.table.add(entry);
			this.recovered.add(entry.key);
		}
	}

	// Its session may have an owner; then it is tried again at the next start.
	private void delete(LeaseRecord lease) {
		try {
			this.backend.delete(lease.sessionId());
			this.journal.remove(lease.sessionId());
		}
		catch (RuntimeException ex) {
			logger.warn("The session of an unfinished lease could not be deleted", ex);
		}
	}

	// The clock of the host may have been set back meanwhile.
	private LeaseEntry entry(LeaseRecord lease) {
		long now = this.table.now();
		Duration age = Duration.between(lease.created(), this.settings.clock().instant());
		Duration maxLifetime = lease.maxLifetime();
		Duration counted = age.isNegative() ? Duration.ZERO : (age.compareTo(maxLifetime) < 0) ? age : maxLifetime;
		Instant created = lease.created();
		return new LeaseEntry(lease.leaseKey(), Phase.RECOVERED, created, now - counted.toNanos(), now, maxLifetime,
				maxLifetime);
	}

}
