package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.sandbox4j.Restriction;
import io.sandbox4j.storage.Durability;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the sandboxes. Values are checked when the backend is built from them,
 * with or without a Bean Validation provider on the class path.
 *
 * @param enabled Whether to auto-configure sandboxes.
 * @param name Name of the backend. Part of every template key and of the path of its
 * state.
 * @param stateDirectory Absolute path of the directory that holds templates and
 * workspaces. Defaults to '/var/lib/sandbox4j' for root and to a directory below the
 * user's home otherwise.
 * @param runtimeDirectory Absolute path of the directory for what does not outlive the
 * application, best on a tmpfs.
 * @param executable Absolute path of the bubblewrap program.
 * @param runAs User that commands run as when the application runs as root.
 * @param rootfs Absolute path of a root file system whose programs and libraries the
 * sandboxes see instead of the host's.
 * @param mounts List of additional read-only mounts, each with the host's absolute path
 * as 'source' and the sandbox's absolute path as 'target'.
 * @param maxConcurrentCommands Maximum number of commands that one sandbox runs at once,
 * between 1 and 1024. Further commands are refused as busy.
 * @param cleanupTimeout Maximum time to wait until the processes of an ended command are
 * gone, at most 30 seconds.
 * @param probeAtStart Whether to prove the isolation of a sandbox when the application
 * starts, and to fail the start if it does not hold.
 * @param require Comma-separated list of restrictions that must hold, or else no sandbox
 * is made. Unless set, all but 'egress-brokered'.
 * @param drainTimeout Maximum time to let running commands end when the application shuts
 * down. Must be less than 'spring.lifecycle.timeout-per-shutdown-phase'.
 * @param storage Storage of templates and workspaces.
 * @param limits Resource limits of each command.
 * @param warm Sandboxes that wait, built, for a command.
 * @param files Limits of the files API.
 * @param templates Templates by name, prepared when the application starts. A template
 * has a 'directory' to copy, 'files' with inline text and 'resources' with resource
 * locations, both by workspace path.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox")
public record SandboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue("bubblewrap") String name,
		@Nullable Path stateDirectory, @Nullable Path runtimeDirectory, @DefaultValue("/usr/bin/bwrap") Path executable,
		@DefaultValue RunAs runAs, @Nullable Path rootfs, @DefaultValue List<Mount> mounts,
		@DefaultValue("8") int maxConcurrentCommands, @DefaultValue("2s") Duration cleanupTimeout,
		@DefaultValue("true") boolean probeAtStart, @Nullable Set<Restriction> require,
		@DefaultValue("20s") Duration drainTimeout, @DefaultValue Storage storage, @DefaultValue Limits limits,
		@DefaultValue Warm warm, @DefaultValue Files files, @DefaultValue Map<String, Template> templates) {

	/**
	 * User that commands run as when the application runs as root.
	 *
	 * @param uid User id that commands run as when the application runs as root. Never 0.
	 * @param gid Group id that commands run as when the application runs as root. Never
	 * 0.
	 */
	public record RunAs(@DefaultValue("65532") int uid, @DefaultValue("65532") int gid) {

	}

	/**
	 * A read-only mount.
	 *
	 * @param source Absolute path on the host.
	 * @param target Absolute path inside the sandboxes.
	 */
	public record Mount(@Nullable Path source, @Nullable String target) {

	}

	/**
	 * Storage of templates and workspaces.
	 *
	 * @param durability What a stored template or session survives. 'process' is the end
	 * of the application, 'power-loss' also that of the machine, at the cost of waiting
	 * for the disk.
	 * @param maxTemplateSize Maximum size of all files of a template together.
	 * @param maxTemplateFiles Maximum number of files and directories in a template.
	 * @param maxWorkspaceSize Maximum size of a workspace. A command that exceeds it is
	 * ended, within a second or so. A value of 0 means no limit.
	 */
	public record Storage(@DefaultValue("process") Durability durability, @DefaultValue("1GB") DataSize maxTemplateSize,
			@DefaultValue("200000") int maxTemplateFiles, @DefaultValue("0B") DataSize maxWorkspaceSize) {

	}

	/**
	 * Resource limits of each command.
	 *
	 * @param openFiles Maximum number of open files of one process, at least 16.
	 * @param processes Maximum number of processes and threads of one command together. A
	 * value of 0 means no limit.
	 * @param fileSize Maximum size of a file that a command writes.
	 * @param cpuTime Maximum CPU time of one process, rounded up to seconds.
	 * @param tmpSize Size of the private '/tmp' of each command.
	 * @param shmSize Size of the private '/dev/shm' of each command.
	 */
	public record Limits(@DefaultValue("4096") long openFiles, @DefaultValue("512") long processes,
			@DefaultValue("1GB") DataSize fileSize, @DefaultValue("1h") Duration cpuTime,
			@DefaultValue("256MB") DataSize tmpSize, @DefaultValue("64MB") DataSize shmSize) {

	}

	/**
	 * Sandboxes that wait, built, for a command.
	 *
	 * @param perSession Number of sandboxes that a session which runs commands keeps
	 * ready, at most 64. A value of 0 builds each when its command comes.
	 * @param maxPerSession Maximum number of sandboxes that a session keeps ready while
	 * its commands come faster than they are built, at most 64. Unless set, 4 or
	 * 'sandbox.warm.per-session' if that is more.
	 * @param total Maximum number of sandboxes that all sessions keep ready together,
	 * between 1 and 300.
	 * @param idle How long after a session's last command its ready sandboxes are kept.
	 * @param maxAge Maximum time that a sandbox waits.
	 * @param early Whether to build a session's first sandbox when the session is opened,
	 * rather than after its first command.
	 */
	public record Warm(@DefaultValue("1") int perSession, @Nullable Integer maxPerSession,
			@DefaultValue("64") int total, @DefaultValue("1m") Duration idle, @DefaultValue("10m") Duration maxAge,
			@DefaultValue("false") boolean early) {

	}

	/**
	 * Limits of the files API.
	 *
	 * @param maxReadSize Maximum size of a file that is read whole. Larger ones can be
	 * streamed.
	 * @param maxWriteSize Maximum size of a file that is written whole. Larger ones can
	 * be streamed.
	 * @param maxStreamSize Maximum size of a file that is written from a stream.
	 * @param maxEntries Maximum number of entries that a listing returns.
	 */
	public record Files(@DefaultValue("1MB") DataSize maxReadSize, @DefaultValue("1MB") DataSize maxWriteSize,
			@DefaultValue("1GB") DataSize maxStreamSize, @DefaultValue("100000") int maxEntries) {

	}

	/**
	 * The files that a workspace starts with. Keys with '/' need brackets, as in
	 * {@code "[src/app.py]"}.
	 *
	 * @param directory Absolute path of a host directory to copy.
	 * @param files Inline text by workspace path.
	 * @param resources Resource locations by workspace path.
	 */
	public record Template(@Nullable Path directory, @DefaultValue Map<String, String> files,
			@DefaultValue Map<String, String> resources) {

	}

}
