package io.sandbox4j.tools;

import java.time.Duration;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * Bounds of the coding tools.
 *
 * @param pathBytes how many bytes a path may have
 * @param readBytes how many bytes of a file one call reads
 * @param writeBytes how large a file may be that is written or edited
 * @param commandArguments how many arguments a command may have
 * @param commandArgumentBytes how many bytes they may have together
 * @param outputBytes how many bytes of a command's output are answered
 * @param artifactBytes how many bytes of a command's output are kept if there is a store
 * for outputs; beyond it is killed
 * @param listEntries how many entries one call lists
 * @param searchResults how many results a search answers
 * @param searchFiles how many files a search looks at
 * @param searchDepth how many directories deep a search goes
 * @param commandTimeout how long a command may take
 * @param backgroundTimeout how long a command may take that runs in the background
 * @since 0.1.0
 */
public record ToolLimits(int pathBytes, int readBytes, int writeBytes, int commandArguments, int commandArgumentBytes,
		int outputBytes, int artifactBytes, int listEntries, int searchResults, int searchFiles, int searchDepth,
		Duration commandTimeout, Duration backgroundTimeout) {

	/**
	 * The limits unless others are set: 4 KiB for a path, 256 KiB to read, to write and
	 * for output, 4 MiB of output kept, 128 arguments of 64 KiB together, 500 entries,
	 * 100 results out of 10,000 files, 32 levels, 30 seconds for a command and 10 minutes
	 * for one in the background.
	 */
	public static final ToolLimits DEFAULT = new ToolLimits(4096, 262_144, 262_144, 128, 65_536, 262_144, 4_194_304,
			500, 100, 10_000, 32, Duration.ofSeconds(30), Duration.ofMinutes(10));

	/**
	 * Refuses what is not positive.
	 */
	public ToolLimits {
		requirePositive("path-bytes", pathBytes);
		requirePositive("read-bytes", readBytes);
		requirePositive("write-bytes", writeBytes);
		requirePositive("command-arguments", commandArguments);
		requirePositive("command-argument-bytes", commandArgumentBytes);
		requirePositive("output-bytes", outputBytes);
		requirePositive("artifact-bytes", artifactBytes);
		requirePositive("list-entries", listEntries);
		requirePositive("search-results", searchResults);
		requirePositive("search-files", searchFiles);
		requirePositive("search-depth", searchDepth);
		requirePositive("command-timeout", commandTimeout.toNanos());
		requirePositive("background-timeout", backgroundTimeout.toNanos());
	}

	private static void requirePositive(String name, long value) {
		if (value <= 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + name + "' of the tools must be positive.");
		}
	}

}
