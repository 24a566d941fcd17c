package io.sandbox4j.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/**
 * Who takes leases: one state directory object of one process.
 *
 * @param id a random id
 * @param host the host's name
 * @param process the process
 * @param clock for the dates in records
 * @param sync flushes records
 */
record LeaseHolder(String id, String host, ProcessIdentity process, Clock clock, Sync sync) {

	static LeaseHolder current(Clock clock, Sync sync) {
		return new LeaseHolder(RandomIds.next().substring(0, 32), hostName(), ProcessIdentity.self(), clock, sync);
	}

	LeaseRecord record(long token) {
		return new LeaseRecord(this.id, this.host, this.process.bootId(), this.process.pidNamespace(),
				this.process.pid(), this.process.startTicks(), token, this.clock.instant(), false);
	}

	private static String hostName() {
		try {
			// Needs no name service, unlike InetAddress.
			return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

}
