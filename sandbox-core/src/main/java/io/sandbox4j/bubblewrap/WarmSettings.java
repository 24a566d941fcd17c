package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * How many sandboxes wait, built, for a command. Each is used once, like every sandbox:
 * only when it is built differs. One that waits is two processes and about a megabyte,
 * the kernel's part included.
 *
 * @param perSession how many a session keeps once it ran a command, 0 to 64; 0 for none
 * at all
 * @param maxPerSession how many it keeps at most while its commands come faster than
 * sandboxes are built, at least {@code perSession}, at most 64
 * @param total how many all sessions of a backend keep together, 1 to 300; beyond, the
 * session that ran no command for longest gives one up
 * @param idle how long after a session's last command its own are kept
 * @param maxAge how long one waits at most
 * @param early whether a session's first is built when the session is opened, and each
 * next as soon as one was taken; otherwise a session that runs one short command and is
 * stopped builds none
 * @since 0.1.0
 */
public record WarmSettings(int perSession, int maxPerSession, int total, Duration idle, Duration maxAge,
		boolean early) {

	private static final int MOST = 64;

	private static final int MOST_TOTAL = 300;

	/**
	 * Validates the ranges.
	 */
	public WarmSettings {
		require(perSession >= 0 && perSession <= MOST, "per-session", "between 0 and " + MOST);
		require(maxPerSession >= perSession && maxPerSession <= MOST, "max-per-session",
				"at least 'sandbox.warm.per-session' and at most " + MOST);
		require(total >= 1 && total <= MOST_TOTAL, "total", "between 1 and " + MOST_TOTAL);
		Objects.requireNonNull(idle, "'idle' must not be null");
		Objects.requireNonNull(maxAge, "'maxAge' must not be null");
		require(idle.toMillis() > 0, "idle", "at least one millisecond");
		require(maxAge.toMillis() > 0, "max-age", "at least one millisecond");
	}

	/**
	 * Returns the defaults: one a session, four while commands come fast, 64 together,
	 * for a minute after the last command, ten minutes old at most.
	 * @return the defaults
	 */
	public static WarmSettings defaults() {
		return new WarmSettings(1, 4, 64, Duration.ofMinutes(1), Duration.ofMinutes(10), false);
	}

	/**
	 * Returns settings under which every sandbox is built when its command comes.
	 * @return no warm sandboxes
	 */
	public static WarmSettings off() {
		return new WarmSettings(0, 0, 1, Duration.ofMinutes(1), Duration.ofMinutes(10), false);
	}

	private static void require(boolean holds, String name, String what) {
		if (!holds) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'sandbox.warm." + name + "' must be " + what + ".");
		}
	}

}
