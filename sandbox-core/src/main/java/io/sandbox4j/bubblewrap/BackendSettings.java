package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.storage.Durability;
import io.sandbox4j.storage.FileOwner;
import org.jspecify.annotations.Nullable;

/**
 * What {@link BubblewrapBackendBuilder} gathered, fixed. Its methods say what each means.
 */
record BackendSettings(String name, @Nullable Path stateDirectory, @Nullable Path runtimeDirectory, Path executable,
		FileOwner runAs, Path rootfs, List<ReadOnlyMount> mounts, SessionLimits sessionLimits,
		ResourceLimits resourceLimits, WarmSettings warm, Durability durability, long maxTemplateBytes,
		int maxTemplateFiles, long maxWorkspaceBytes, Set<Restriction> required, Duration cleanupTimeout,
		Duration launchTimeout, @Nullable SandboxGateway gateway, SandboxListener listener) {

}
