package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * The resource bounds of one command, set with {@code setrlimit(2)} and tmpfs sizes
 * inside its sandbox. They need no privilege and always hold. Core dumps are always off.
 *
 * @param openFiles open descriptors of one process
 * @param processes processes and threads of the sandbox together, 0 for no limit of its
 * own
 * @param fileSizeBytes the largest file that can be written; beyond it the program gets
 * {@code SIGXFSZ}
 * @param cpuTime CPU time of one process, rounded up to seconds; beyond it the program
 * gets {@code SIGXCPU}
 * @param tmpBytes the size of {@code /tmp}
 * @param shmBytes the size of {@code /dev/shm}
 * @since 0.1.0
 */
public record ResourceLimits(long openFiles, long processes, long fileSizeBytes, Duration cpuTime, long tmpBytes,
		long shmBytes) {

	private static final long MIB = 1024L * 1024;

	/**
	 * Validates the ranges.
	 */
	public ResourceLimits {
		require("openFiles", openFiles, 16);
		require("processes", processes, 0);
		require("fileSizeBytes", fileSizeBytes, 512);
		require("tmpBytes", tmpBytes, 4096);
		require("shmBytes", shmBytes, 4096);
		Objects.requireNonNull(cpuTime, "'cpuTime' must not be null");
		require("cpuTime", cpuTime.toSeconds(), 1);
	}

	/**
	 * Returns the defaults: 4,096 open files, 512 processes, 1 GiB a file, one hour of
	 * CPU time, 256 MiB of {@code /tmp}, 64 MiB of {@code /dev/shm}.
	 * @return the defaults
	 */
	public static ResourceLimits defaults() {
		return new ResourceLimits(4096, 512, 1024 * MIB, Duration.ofHours(1), 256 * MIB, 64 * MIB);
	}

	private static void require(String name, long value, long least) {
		if (value < least) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'limits." + name + "' must be at least " + least + ".");
		}
	}

}
