package io.sandbox4j.install;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the install of one directory. Only {@link Running} is a reason to
 * wait, and it never outlives its command: the watchdog ends it.
 *
 * @since 0.1.0
 */
public sealed interface InstallState {

	/**
	 * Nothing was asked for yet.
	 */
	record Idle() implements InstallState {

	}

	/**
	 * Nothing is installed, on purpose.
	 *
	 * @param reason why, as a sentence
	 */
	record Skipped(String reason) implements InstallState {

	}

	/**
	 * The command runs.
	 *
	 * @param command the text that the shell reads
	 * @param startedAt when it was started
	 * @param tail the end of what it printed; written by the sandbox, so not to be
	 * trusted
	 */
	record Running(String command, Instant startedAt, @Nullable String tail) implements InstallState {

	}

	/**
	 * The command ended with success, or there was nothing to do.
	 *
	 * @param command the text that the shell read
	 * @param exitCode zero
	 * @param finishedAt when it ended
	 * @param took how long it took; zero if it was not needed
	 * @param scriptsSkipped whether scripts of packages were left out, which explains
	 * what they would have made or fetched
	 * @param tail the end of what it printed, not to be trusted
	 * @param repairAt when the watchdog runs it again, or {@code null}
	 */
	record Done(String command, int exitCode, Instant finishedAt, Duration took, boolean scriptsSkipped,
			@Nullable String tail, @Nullable Instant repairAt) implements InstallState {

	}

	/**
	 * The command failed, could not be started, was cancelled or was lost.
	 *
	 * @param command the text for the shell
	 * @param error what happened, as a sentence without paths of the host
	 * @param exitCode the command's exit code, if it ended by itself
	 * @param finishedAt when that was known
	 * @param scriptsSkipped whether scripts of packages were left out
	 * @param tail the end of what it printed, not to be trusted
	 * @param repairAt when the watchdog runs it again, or {@code null}
	 */
	record Failed(String command, String error, @Nullable Integer exitCode, Instant finishedAt, boolean scriptsSkipped,
			@Nullable String tail, @Nullable Instant repairAt) implements InstallState {

	}

}
