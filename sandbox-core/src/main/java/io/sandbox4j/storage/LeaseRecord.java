package io.sandbox4j.storage;

import java.time.Instant;

import io.sandbox4j.LeaseOwner;

/**
 * What {@code owner.json} says: who took the lease last, and whether they gave it back.
 * It never decides who owns the session; the kernel's lock does.
 *
 * @param owner a random id of the state directory object
 * @param host the host's name
 * @param bootId the kernel's boot id
 * @param pidNamespace the pid namespace of the process
 * @param pid the process
 * @param processStarted when the process started, in clock ticks after boot
 * @param token the fencing token
 * @param acquired when the lease was taken
 * @param released whether it was given back, with no guest left alive
 */
record LeaseRecord(String owner, String host, String bootId, String pidNamespace, long pid, long processStarted,
		long token, Instant acquired, boolean released) {

	LeaseRecord {
		if (owner == null || host == null || bootId == null || pidNamespace == null || acquired == null) {
			throw new IllegalArgumentException(
					"'owner', 'host', 'bootId', 'pidNamespace' and 'acquired' must be given");
		}
	}

	LeaseRecord asReleased() {
		return new LeaseRecord(this.owner, this.host, this.bootId, this.pidNamespace, this.pid, this.processStarted,
				this.token, this.acquired, true);
	}

	LeaseOwner toOwner() {
		return new LeaseOwner(this.owner, this.host, this.bootId, this.pid, this.processStarted, this.token,
				this.acquired);
	}

	/**
	 * Whether the process that wrote this runs, as far as can be told from here.
	 * @return {@code true} if it runs on this host and in this pid namespace
	 */
	boolean isProcessAlive() {
		return this.pid > 0 && this.processStarted >= 0
				&& new ProcessIdentity(this.pid, this.processStarted, this.bootId, this.pidNamespace).isAlive();
	}

	/**
	 * Whether the process is in another pid namespace of this boot, where its number says
	 * nothing.
	 * @return {@code true} if so
	 */
	boolean isElsewhere() {
		return this.bootId.equals(ProcessIdentity.bootIdOfHost())
				&& !this.pidNamespace.equals(ProcessIdentity.self().pidNamespace());
	}

}
