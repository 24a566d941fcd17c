package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of checkpoints of workspaces. Values are checked when the application
 * starts.
 *
 * @param enabled Whether to auto-configure checkpoints and a store for them.
 * @param directory Absolute path of the directory of the store. Unless set, a directory
 * below the state directory.
 * @param powerLoss Whether every write waits for the disk, so that a checkpoint survives
 * a power failure.
 * @param maxBytes Maximum size of the files of a workspace together, without holes.
 * @param maxFiles Maximum number of files, links and directories of a workspace.
 * @param timeout Maximum time of the part of a capture or a restore inside the sandbox.
 * @param abandonedAfter Time after which a capture that did not end is taken for dead.
 * @param beforeStop Whether durable sandboxes are backed up before they are stopped.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.checkpoint")
public record SandboxCheckpointProperties(@DefaultValue("false") boolean enabled, @Nullable Path directory,
		@DefaultValue("false") boolean powerLoss, @DefaultValue("8GB") DataSize maxBytes,
		@DefaultValue("1000000") long maxFiles, @DefaultValue("10m") Duration timeout,
		@DefaultValue("6h") Duration abandonedAfter, @DefaultValue("true") boolean beforeStop) {

}
