package io.sandbox4j.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.storage.Durability;
import io.sandbox4j.storage.FileOwner;
import io.sandbox4j.storage.StorageSettings;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link BubblewrapBackend}, with safe defaults. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class BubblewrapBackendBuilder {

	private String name = "bubblewrap";

	private @Nullable Path stateDirectory;

	private @Nullable Path runtimeDirectory;

	private Path executable = Path.of("/usr/bin/bwrap");

	private FileOwner runAs = new FileOwner(65532, 65532);

	private Path rootfs = Path.of("/");

	private final List<ReadOnlyMount> mounts = new ArrayList<>();

	private SessionLimits sessionLimits = SessionLimits.defaults();

	private ResourceLimits resourceLimits = ResourceLimits.defaults();

	private WarmSettings warm = WarmSettings.defaults();

	private Durability durability = Durability.PROCESS;

	private long maxTemplateBytes = StorageSettings.defaults().maxTemplateBytes();

	private long maxWorkspaceBytes;

	private int maxTemplateFiles = StorageSettings.defaults().maxTemplateFiles();

	private Set<Restriction> required = EnumSet.of(Restriction.NETWORK_DENIED, Restriction.WRITE_CONTAINED,
			Restriction.SECRETS_HIDDEN, Restriction.PROCESS_CONTAINED, Restriction.RESOURCES_BOUNDED);

	private Duration cleanupTimeout = Duration.ofSeconds(2);

	private Duration launchTimeout = Duration.ofSeconds(10);

	private @Nullable SandboxGateway gateway;

	private SandboxListener listener = (event) -> {
	};

	BubblewrapBackendBuilder() {
	}

	/**
	 * Sets the backend's name. Two names in one state directory share nothing.
	 * @param name the name, {@code bubblewrap} unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder name(String name) {
		if (Objects.requireNonNull(name, "'name' must not be null").isBlank()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'sandbox.name' must not be empty.");
		}
		this.name = name;
		return this;
	}

	/**
	 * Sets where templates and sessions are kept.
	 * @param directory an absolute path, made if missing; unless set
	 * {@code /var/lib/sandbox4j} for root and {@code ~/.local/state/sandbox4j} for others
	 * @return this builder
	 */
	public BubblewrapBackendBuilder stateDirectory(Path directory) {
		this.stateDirectory = absolute("sandbox.state-directory", directory);
		return this;
	}

	/**
	 * Sets where sockets and launch options are kept while the application runs.
	 * @param directory an absolute path, best on a tmpfs, and short: a socket's has at
	 * most 107 bytes, and about 40 are for this one. Unless set below {@code /run},
	 * {@code XDG_RUNTIME_DIR} or {@code /tmp}
	 * @return this builder
	 */
	public BubblewrapBackendBuilder runtimeDirectory(Path directory) {
		this.runtimeDirectory = absolute("sandbox.runtime-directory", directory);
		return this;
	}

	/**
	 * Sets where bubblewrap is. It is never looked up through {@code PATH}.
	 * @param executable an absolute path, {@code /usr/bin/bwrap} unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder executable(Path executable) {
		this.executable = absolute("sandbox.executable", executable);
		return this;
	}

	/**
	 * Sets as whom commands run when the application is root.
	 * @param user a uid and gid above zero that nothing else uses, 65532 unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder runAs(FileOwner user) {
		this.runAs = Objects.requireNonNull(user, "'user' must not be null");
		return this;
	}

	/**
	 * Takes programs and libraries from another root file system than the host's, for
	 * example a debootstrap tree. It is mounted read-only and needs a {@code usr}.
	 * @param rootfs an absolute path
	 * @return this builder
	 */
	public BubblewrapBackendBuilder rootfs(Path rootfs) {
		absolute("sandbox.rootfs", rootfs);
		if (!Files.isDirectory(rootfs.resolve("usr"))) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.rootfs' " + rootfs + " has no directory 'usr'.");
		}
		this.rootfs = rootfs;
		return this;
	}

	/**
	 * Shows a host file or directory to every sandbox, read-only.
	 * @param source the host's path
	 * @param target where the guest sees it, for example {@code /opt/jdk}
	 * @return this builder
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} for a target that the
	 * sandbox makes itself, or a source that is, or holds, a socket
	 */
	public BubblewrapBackendBuilder mount(Path source, String target) {
		if (this.mounts.stream().anyMatch((mount) -> mount.target().equals(target))) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.mounts' has the target " + target + " twice.");
		}
		this.mounts.add(ReadOnlyMount.of(source, target));
		return this;
	}

	/**
	 * Sets the bounds of a session.
	 * @param limits the limits
	 * @return this builder
	 */
	public BubblewrapBackendBuilder sessionLimits(SessionLimits limits) {
		this.sessionLimits = Objects.requireNonNull(limits, "'limits' must not be null");
		return this;
	}

	/**
	 * Sets the resource bounds of a command.
	 * @param limits the limits
	 * @return this builder
	 */
	public BubblewrapBackendBuilder resourceLimits(ResourceLimits limits) {
		this.resourceLimits = Objects.requireNonNull(limits, "'limits' must not be null");
		return this;
	}

	/**
	 * Sets how many sandboxes wait for a command. Default: one a session that runs
	 * commands, four while they come fast, 64 together.
	 * @param warm the settings; {@link WarmSettings#off()} for none
	 * @return this builder
	 */
	public BubblewrapBackendBuilder warm(WarmSettings warm) {
		this.warm = Objects.requireNonNull(warm, "'warm' must not be null");
		return this;
	}

	/**
	 * Sets what stored data survives.
	 * @param durability the level, {@link Durability#PROCESS} unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder durability(Durability durability) {
		this.durability = Objects.requireNonNull(durability, "'durability' must not be null");
		return this;
	}

	/**
	 * Sets how large a template may be.
	 * @param bytes the bytes of its files together
	 * @return this builder
	 */
	public BubblewrapBackendBuilder maxTemplateBytes(long bytes) {
		this.maxTemplateBytes = bytes;
		return this;
	}

	/**
	 * Sets how large a workspace may grow before the command that runs is ended with
	 * {@link io.sandbox4j.ExecStatus#RESOURCE_LIMIT}. Looked at about once a second, so
	 * it can be larger for a moment.
	 * @param bytes the logical bytes of its files together, 0 for no limit, as unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder maxWorkspaceBytes(long bytes) {
		if (bytes < 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.storage.max-workspace-size' must not be negative.");
		}
		this.maxWorkspaceBytes = bytes;
		return this;
	}

	/**
	 * Sets how many entries a template may have.
	 * @param files the files, links and directories together
	 * @return this builder
	 */
	public BubblewrapBackendBuilder maxTemplateFiles(int files) {
		this.maxTemplateFiles = files;
		return this;
	}

	/**
	 * Sets what this host must hold.
	 * @param restrictions the restrictions; all but {@link Restriction#EGRESS_BROKERED}
	 * unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder require(Set<Restriction> restrictions) {
		this.required = Set.copyOf(restrictions);
		return this;
	}

	/**
	 * Sets how long killed processes may take to go before their command counts as
	 * unproven.
	 * @param timeout more than zero, at most 30 seconds; 2 seconds unless set
	 * @return this builder
	 */
	public BubblewrapBackendBuilder cleanupTimeout(Duration timeout) {
		if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(Duration.ofSeconds(30)) > 0) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.cleanup-timeout' must be more than zero and at most 30 s.");
		}
		this.cleanupTimeout = timeout;
		return this;
	}

	BubblewrapBackendBuilder launchTimeout(Duration timeout) {
		this.launchTimeout = timeout;
		return this;
	}

	/**
	 * Sets what serves the origins that policies list. Whoever sets it closes it, after
	 * the backend. Unless set, the backend has one of its own, without sources of
	 * credentials.
	 * @param gateway the gateway
	 * @return this builder
	 */
	public BubblewrapBackendBuilder gateway(SandboxGateway gateway) {
		this.gateway = Objects.requireNonNull(gateway, "'gateway' must not be null");
		return this;
	}

	/**
	 * Sets who hears what happens.
	 * @param listener the listener
	 * @return this builder
	 */
	public BubblewrapBackendBuilder listener(SandboxListener listener) {
		this.listener = Objects.requireNonNull(listener, "'listener' must not be null");
		return this;
	}

	/**
	 * Builds the backend, opens its directories and removes what earlier processes left.
	 * Bubblewrap is not needed before the first session.
	 * @return the backend
	 * @throws SandboxUnavailableException if this is not Linux, or a directory cannot be
	 * used
	 */
	public BubblewrapBackend build() {
		return build(System.getProperty("os.name", ""));
	}

	BubblewrapBackend build(String operatingSystem) {
		if (!operatingSystem.equals("Linux")) {
			throw new SandboxUnavailableException(Cause.NOT_LINUX,
					"Sandboxes need Linux; this is " + operatingSystem + ".",
					"Set 'sandbox.enabled=false', or use the fake backend of sandbox-test on this machine.", null);
		}
		return new BubblewrapBackend(
				new BackendSettings(this.name, this.stateDirectory, this.runtimeDirectory, this.executable, this.runAs,
						this.rootfs, List.copyOf(this.mounts), this.sessionLimits, this.resourceLimits, this.warm,
						this.durability, this.maxTemplateBytes, this.maxTemplateFiles, this.maxWorkspaceBytes,
						this.required, this.cleanupTimeout, this.launchTimeout, this.gateway, this.listener));
	}

	private static Path absolute(String property, Path path) {
		if (!path.isAbsolute()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'" + property + "' must be an absolute path, not '" + path + "'.");
		}
		return path;
	}

}
