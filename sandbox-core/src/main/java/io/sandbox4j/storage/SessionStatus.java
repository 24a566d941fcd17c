package io.sandbox4j.storage;

import java.io.IOException;
import java.util.Optional;

import io.sandbox4j.LeaseOwner;
import io.sandbox4j.SessionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a session, without taking its lease where the record can tell: taking it, even
 * for a moment, would turn another's attach away.
 *
 * @param status whether somebody owns it
 * @param owner who took the lease last, or {@code null}
 */
record SessionStatus(SessionInfo.Status status, @Nullable LeaseOwner owner) {

	static SessionStatus of(SessionPaths paths, boolean held) throws IOException {
		LeaseRecord record = null;
		try {
			record = JsonFiles.read(paths.owner(), LeaseRecord.class);
		}
		catch (JsonFiles.BrokenException ex) {
			// The lock decides.
		}
		LeaseOwner owner = (record != null) ? record.toOwner() : null;
		if (held) {
			return new SessionStatus(SessionInfo.Status.RUNNING, owner);
		}
		return new SessionStatus(
				isOwned(paths, record) ? SessionInfo.Status.OWNED_ELSEWHERE : SessionInfo.Status.STOPPED, owner);
	}

	private static boolean isOwned(SessionPaths paths, @Nullable LeaseRecord record) throws IOException {
		String claim = paths.lease().toString();
		if (LeaseClaims.isClaimed(claim)) {
			return true;
		}
		if (record != null && record.released()) {
			return false;
		}
		if (record != null && !record.isElsewhere()) {
			return record.pid() != ProcessHandle.current().pid() && record.isProcessAlive();
		}
		Optional<LockedFile> lock = Uninterruptibly.call(() -> LockedFile.tryLock(paths.lease(), claim));
		if (lock.isEmpty()) {
			return true;
		}
		lock.get().close();
		return false;
	}

}
