package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.Restriction;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the coding tools for models. Values are checked when the application
 * starts.
 *
 * @param enabled Whether to offer the coding tools to Spring AI.
 * @param template Name of the template that the workspaces start with. Unless set, they
 * start empty.
 * @param executables Programs that models may run, by the name that they call them, each
 * with its absolute path inside the sandbox.
 * @param shell Whether models may run shell scripts, and so every program of the sandbox.
 * @param excludedDirectories Comma-separated list of the names of directories that
 * searches skip. Unless set, '.git', '.next', '.stitchkit', 'build', 'coverage', 'dist'
 * and 'node_modules'.
 * @param requiredRestrictions Comma-separated list of restrictions that a sandbox must
 * hold, or else it gets no tools. Unless set, 'write-contained', 'process-contained' and
 * 'secrets-hidden'.
 * @param idleTimeout Time without a call and without a command after which a sandbox is
 * stopped and deleted with its files.
 * @param maxSandboxes Maximum number of sandboxes for tools at once. Calls that need
 * another one are refused as busy.
 * @param readOnly Whether to offer only the tools without effects. A command is an
 * effect.
 * @param offered Comma-separated list of the names of the tools to offer. Unless set, all
 * of them.
 * @param deniedPaths Comma-separated list of globs of paths that no tool for files
 * touches, with all that is below them. Commands see these paths.
 * @param approvals Calls that wait for a person.
 * @param outputs Outputs of commands that are longer than an answer.
 * @param limits Limits of each call.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.tools")
public record SandboxToolsProperties(@DefaultValue("true") boolean enabled, @Nullable String template,
		@DefaultValue Map<String, String> executables, @DefaultValue("false") boolean shell,
		@Nullable Set<String> excludedDirectories, @Nullable Set<Restriction> requiredRestrictions,
		@DefaultValue("30m") Duration idleTimeout, @DefaultValue("64") int maxSandboxes,
		@DefaultValue("false") boolean readOnly, @Nullable List<String> offered, @DefaultValue List<String> deniedPaths,
		@DefaultValue Approvals approvals, @DefaultValue Outputs outputs, @DefaultValue Limits limits) {

	/**
	 * Calls that wait for a person.
	 *
	 * @param enabled Whether calls wait until a person approves them.
	 * @param requiredFor Comma-separated list of the kinds of calls that wait. Effects of
	 * other kinds than these always wait.
	 * @param timeout Maximum time that a call waits, at most 1 day. Nobody's answer is a
	 * refusal.
	 * @param maxPending Maximum number of calls that wait at once, in all sandboxes
	 * together. Further ones are refused as busy.
	 */
	public record Approvals(@DefaultValue("false") boolean enabled, @DefaultValue("effects") Set<Kind> requiredFor,
			@DefaultValue("5m") Duration timeout, @DefaultValue("16") int maxPending) {

		/**
		 * Kinds of calls.
		 */
		public enum Kind {

			/**
			 * All that can change anything.
			 */
			EFFECTS,

			/**
			 * Commands.
			 */
			COMMANDS,

			/**
			 * Files that are written, appended to, edited or moved.
			 */
			WRITES,

			/**
			 * Files and directories that are removed.
			 */
			REMOVALS

		}

	}

	/**
	 * Outputs of commands that are longer than an answer.
	 *
	 * @param directory Absolute path of a directory of the host that keeps whole outputs,
	 * made if missing. Unless set, a command that prints more than an answer takes is
	 * killed.
	 * @param quota Maximum size of the outputs of a sandbox. The oldest make room.
	 * @param expiry Time after which an output is removed.
	 */
	public record Outputs(@Nullable String directory, @DefaultValue("64MB") DataSize quota,
			@DefaultValue("1d") Duration expiry) {

	}

	/**
	 * Limits of each call.
	 *
	 * @param pathSize Maximum size of a path.
	 * @param readSize Maximum size of what one call reads of a file.
	 * @param writeSize Maximum size of a file that is written or edited.
	 * @param commandArguments Maximum number of arguments of a command.
	 * @param commandArgumentSize Maximum size of the arguments of a command together.
	 * @param outputSize Maximum size of the output of a command.
	 * @param artifactSize Maximum size of what is kept of the output of a command, if
	 * outputs are kept.
	 * @param listEntries Maximum number of entries that one call lists.
	 * @param searchResults Maximum number of results of a search.
	 * @param searchFiles Maximum number of files that a search looks at.
	 * @param searchDepth Maximum number of directories that a search goes down.
	 * @param commandTimeout Maximum time of a command.
	 * @param backgroundTimeout Maximum time of a command that runs in the background.
	 */
	public record Limits(@DefaultValue("4KB") DataSize pathSize, @DefaultValue("256KB") DataSize readSize,
			@DefaultValue("256KB") DataSize writeSize, @DefaultValue("128") int commandArguments,
			@DefaultValue("64KB") DataSize commandArgumentSize, @DefaultValue("256KB") DataSize outputSize,
			@DefaultValue("4MB") DataSize artifactSize, @DefaultValue("500") int listEntries,
			@DefaultValue("100") int searchResults, @DefaultValue("10000") int searchFiles,
			@DefaultValue("32") int searchDepth, @DefaultValue("30s") Duration commandTimeout,
			@DefaultValue("10m") Duration backgroundTimeout) {

	}

}
