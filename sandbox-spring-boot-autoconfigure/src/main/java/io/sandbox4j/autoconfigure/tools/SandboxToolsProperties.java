package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
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
 * @param limits Limits of each call.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.tools")
public record SandboxToolsProperties(@DefaultValue("true") boolean enabled, @Nullable String template,
		@DefaultValue Map<String, String> executables, @DefaultValue("false") boolean shell,
		@Nullable Set<String> excludedDirectories, @Nullable Set<Restriction> requiredRestrictions,
		@DefaultValue("30m") Duration idleTimeout, @DefaultValue("64") int maxSandboxes, @DefaultValue Limits limits) {

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
	 * there is an 'ArtifactStore' bean.
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
