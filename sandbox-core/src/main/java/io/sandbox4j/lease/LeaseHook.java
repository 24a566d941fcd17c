package io.sandbox4j.lease;

import io.sandbox4j.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * Told before a lease's sandbox is stopped or deleted without anybody having asked for
 * it. It cannot prevent that: what it throws is logged and counted. Until it returns,
 * whoever wants the lease waits, so return soon.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LeaseHook {

	/**
	 * Takes what is about to go.
	 * @param lease the lease
	 * @param session its session, usable until this returns, or {@code null} if it is
	 * stopped already
	 */
	void before(LeaseInfo lease, @Nullable SandboxSession session);

}
