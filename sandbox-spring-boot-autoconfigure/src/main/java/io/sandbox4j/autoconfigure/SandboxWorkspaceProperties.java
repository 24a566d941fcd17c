package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of what carries working trees of Git repositories into sandboxes and back.
 * Values are checked when the application starts.
 *
 * @param enabled Whether to auto-configure workspace transports.
 * @param directory Absolute path of the directory that holds what the transports know of
 * each session. Unless set, a directory below the state directory.
 * @param maxSeed Maximum size of a tree when it is brought into a sandbox, as it is sent.
 * @param maxTransfer Maximum size of what a later sync carries one way.
 * @param timeout Maximum time of a step inside the sandbox.
 * @param gitLockPatience Maximum time to wait for a git command of the user's to end
 * before changes are brought to the host.
 * @param include Comma-separated list of files and directories that are carried although
 * they are ignored, relative to the top of the tree.
 * @param setup Shell commands to run once, in their order, after a tree was brought into
 * a sandbox.
 * @param setupTimeout Maximum time of each of the setup commands.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.workspace")
public record SandboxWorkspaceProperties(@DefaultValue("true") boolean enabled, @Nullable Path directory,
		@DefaultValue("1GB") DataSize maxSeed, @DefaultValue("64MB") DataSize maxTransfer,
		@DefaultValue("5m") Duration timeout, @DefaultValue("10s") Duration gitLockPatience,
		@DefaultValue List<String> include, @DefaultValue List<String> setup,
		@DefaultValue("5m") Duration setupTimeout) {

}
