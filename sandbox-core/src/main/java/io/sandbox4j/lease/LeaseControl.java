package io.sandbox4j.lease;

import java.time.Duration;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.lease.LeaseInfo.Phase;

/**
 * What a holder may do with its lease.
 */
final class LeaseControl {

	private final LeaseTable table;

	private final RunLogs logs;

	LeaseControl(LeaseTable table, RunLogs logs) {
		this.table = table;
		this.logs = logs;
	}

	LeaseInfo info(LeaseEntry entry) {
		return this.table.locked(() -> entry.info(this.table.now()));
	}

	Duration renew(LeaseEntry entry) {
		return this.table.locked(() -> {
			requireCurrent(entry);
			long now = this.table.now();
			entry.renew(now);
			return Duration.ofNanos(entry.expires - now);
		});
	}

	void log(LeaseKey key, String line) {
		this.logs.line(key, line);
	}

	void pushTeardown(LeaseEntry entry, String name, TeardownAction action) {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(action, "'action' must not be null");
		this.table.locked(() -> {
			requireCurrent(entry);
			entry.steps.add(name, action);
		});
	}

	private void requireCurrent(LeaseEntry entry) {
		if (this.table.find(entry.key) != entry || entry.phase == Phase.ENDING) {
			throw ended();
		}
	}

	static SandboxException ended() {
		return new SandboxException(ErrorCode.SANDBOX_STOPPED, "The lease has ended. Open it again for a new one.");
	}

	void leave(LeaseEntry entry) {
		this.table.locked(() -> {
			entry.uses--;
			if (entry.uses == 0) {
				entry.idleSince = this.table.now();
				this.table.queue().wake();
			}
		});
	}

}
