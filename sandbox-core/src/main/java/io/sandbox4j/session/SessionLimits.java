package io.sandbox4j.session;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The bounds of one session.
 *
 * @param maxConcurrentCommands how many commands may live at once, 1 to 1,024
 * @param maxReadBytes how large a file {@code read} takes whole
 * @param maxWriteBytes how large a file {@code write} takes whole
 * @param maxStreamBytes how large a file {@code write} takes from a stream
 * @param maxEntries how many entries {@code list} and {@code walk} return
 * @since 0.1.0
 */
public record SessionLimits(int maxConcurrentCommands, long maxReadBytes, long maxWriteBytes, long maxStreamBytes,
		int maxEntries) {

	/**
	 * Validates the ranges.
	 */
	public SessionLimits {
		if (maxConcurrentCommands < 1 || maxConcurrentCommands > 1024) {
			throw invalid("maxConcurrentCommands", "between 1 and 1024");
		}
		require("maxReadBytes", maxReadBytes);
		require("maxWriteBytes", maxWriteBytes);
		require("maxStreamBytes", maxStreamBytes);
		require("maxEntries", maxEntries);
	}

	/**
	 * Returns the defaults: 8 commands, 1 MiB a file, 1 GiB a streamed file, 100,000
	 * entries.
	 * @return the defaults
	 */
	public static SessionLimits defaults() {
		return new SessionLimits(8, 1024 * 1024, 1024 * 1024, 1024L * 1024 * 1024, 100_000);
	}

	private static void require(String name, long value) {
		if (value <= 0) {
			throw invalid(name, "more than zero");
		}
	}

	private static SandboxException invalid(String name, String what) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + name + "' must be " + what + ".");
	}

}
