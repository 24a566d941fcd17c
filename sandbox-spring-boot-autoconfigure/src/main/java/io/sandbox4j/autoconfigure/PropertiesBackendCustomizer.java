package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.autoconfigure.SandboxProperties.Files;
import io.sandbox4j.autoconfigure.SandboxProperties.Limits;
import io.sandbox4j.autoconfigure.SandboxProperties.Mount;
import io.sandbox4j.autoconfigure.SandboxProperties.RunAs;
import io.sandbox4j.autoconfigure.SandboxProperties.Storage;
import io.sandbox4j.autoconfigure.SandboxProperties.Warm;
import io.sandbox4j.bubblewrap.BubblewrapBackendBuilder;
import io.sandbox4j.bubblewrap.ResourceLimits;
import io.sandbox4j.bubblewrap.WarmSettings;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.storage.FileOwner;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Applies the properties to the builder. The core checks the values as well; they are
 * checked here first because only here it is known which property they came from.
 */
final class PropertiesBackendCustomizer implements SandboxBackendCustomizer {

	private static final Duration MAX_CLEANUP_TIMEOUT = Duration.ofSeconds(30);

	private final SandboxProperties properties;

	PropertiesBackendCustomizer(SandboxProperties properties) {
		this.properties = properties;
	}

	@Override
	public void customize(BubblewrapBackendBuilder builder) {
		require(!this.properties.name().isBlank(), "sandbox.name", "It must not be empty.");
		builder.name(this.properties.name());
		builder.executable(absolute("sandbox.executable", this.properties.executable()));
		if (this.properties.stateDirectory() != null) {
			builder.stateDirectory(absolute("sandbox.state-directory", this.properties.stateDirectory()));
		}
		if (this.properties.runtimeDirectory() != null) {
			builder.runtimeDirectory(absolute("sandbox.runtime-directory", this.properties.runtimeDirectory()));
		}
		if (this.properties.rootfs() != null) {
			builder.rootfs(absolute("sandbox.rootfs", this.properties.rootfs()));
		}
		builder.runAs(owner(this.properties.runAs()));
		mounts(builder, this.properties.mounts());
		if (this.properties.require() != null) {
			builder.require(this.properties.require());
		}
		builder.cleanupTimeout(cleanupTimeout(this.properties.cleanupTimeout()));
		builder.sessionLimits(sessionLimits(this.properties.maxConcurrentCommands(), this.properties.files()));
		builder.resourceLimits(resourceLimits(this.properties.limits()));
		builder.warm(warm(this.properties.warm()));
		storage(builder, this.properties.storage());
	}

	private static FileOwner owner(RunAs runAs) {
		require(runAs.uid() > 0, "sandbox.run-as.uid", "It must be more than 0: commands never run as root.");
		require(runAs.gid() > 0, "sandbox.run-as.gid", "It must be more than 0: commands never run as root.");
		return new FileOwner(runAs.uid(), runAs.gid());
	}

	private static void mounts(BubblewrapBackendBuilder builder, List<Mount> mounts) {
		for (int i = 0; i < mounts.size(); i++) {
			String property = "sandbox.mounts[" + i + "]";
			Path source = absolute(property + ".source", mounts.get(i).source());
			String target = mounts.get(i).target();
			if (target == null || !target.startsWith("/")) {
				throw new InvalidSandboxPropertyException(property + ".target", "It must be an absolute path.");
			}
			builder.mount(source, target);
		}
	}

	private static Duration cleanupTimeout(Duration timeout) {
		require(timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(MAX_CLEANUP_TIMEOUT) <= 0,
				"sandbox.cleanup-timeout", "It must be more than 0 and at most 30 seconds.");
		return timeout;
	}

	private static SessionLimits sessionLimits(int maxConcurrentCommands, Files files) {
		require(maxConcurrentCommands >= 1 && maxConcurrentCommands <= 1024, "sandbox.max-concurrent-commands",
				"It must be between 1 and 1024.");
		return new SessionLimits(maxConcurrentCommands,
				atLeast("sandbox.files.max-read-size", DataSize.ofBytes(1), files.maxReadSize()),
				atLeast("sandbox.files.max-write-size", DataSize.ofBytes(1), files.maxWriteSize()),
				atLeast("sandbox.files.max-stream-size", DataSize.ofBytes(1), files.maxStreamSize()),
				(int) atLeast("sandbox.files.max-entries", 1, files.maxEntries()));
	}

	private static ResourceLimits resourceLimits(Limits limits) {
		require(limits.cpuTime().toSeconds() >= 1, "sandbox.limits.cpu-time", "It must be at least 1 second.");
		return new ResourceLimits(atLeast("sandbox.limits.open-files", 16, limits.openFiles()),
				atLeast("sandbox.limits.processes", 0, limits.processes()),
				atLeast("sandbox.limits.file-size", DataSize.ofBytes(512), limits.fileSize()), limits.cpuTime(),
				atLeast("sandbox.limits.tmp-size", DataSize.ofKilobytes(4), limits.tmpSize()),
				atLeast("sandbox.limits.shm-size", DataSize.ofKilobytes(4), limits.shmSize()));
	}

	private static WarmSettings warm(Warm warm) {
		require(warm.perSession() >= 0 && warm.perSession() <= 64, "sandbox.warm.per-session",
				"It must be between 0 and 64.");
		int most = Objects.requireNonNullElseGet(warm.maxPerSession(),
				() -> (warm.perSession() != 0) ? Math.max(4, warm.perSession()) : 0);
		require(most >= warm.perSession() && most <= 64, "sandbox.warm.max-per-session",
				"It must be at least 'sandbox.warm.per-session' and at most 64.");
		require(warm.total() >= 1 && warm.total() <= 300, "sandbox.warm.total", "It must be between 1 and 300.");
		require(warm.idle().toMillis() > 0, "sandbox.warm.idle", "It must be at least one millisecond.");
		require(warm.maxAge().toMillis() > 0, "sandbox.warm.max-age", "It must be at least one millisecond.");
		return new WarmSettings(warm.perSession(), most, warm.total(), warm.idle(), warm.maxAge(), warm.early());
	}

	private static void storage(BubblewrapBackendBuilder builder, Storage storage) {
		builder.durability(storage.durability());
		builder.maxTemplateBytes(
				atLeast("sandbox.storage.max-template-size", DataSize.ofBytes(1), storage.maxTemplateSize()));
		builder.maxTemplateFiles((int) atLeast("sandbox.storage.max-template-files", 1, storage.maxTemplateFiles()));
		builder.maxWorkspaceBytes(
				atLeast("sandbox.storage.max-workspace-size", DataSize.ofBytes(0), storage.maxWorkspaceSize()));
	}

	static Path absolute(String property, @Nullable Path path) {
		if (path == null) {
			throw new InvalidSandboxPropertyException(property, "It must be set.");
		}
		require(path.isAbsolute(), property,
				"It must be an absolute path: a relative one would depend on where the application is started.");
		return path;
	}

	private static long atLeast(String property, DataSize least, DataSize value) {
		return atLeast(property, least.toBytes(), value.toBytes());
	}

	private static long atLeast(String property, long least, long value) {
		require(value >= least, property, "It must be at least " + least + ".");
		return value;
	}

	private static void require(boolean condition, String property, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(property, reason);
		}
	}

}
