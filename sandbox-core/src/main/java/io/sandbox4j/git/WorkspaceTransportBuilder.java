package io.sandbox4j.git;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;

/**
 * Describes a {@link WorkspaceTransport}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WorkspaceTransportBuilder {

	final SandboxSession session;

	final Path root;

	final Path directory;

	Duration timeout = Duration.ofMinutes(5);

	long maxTransfer = 64L << 20;

	long maxSeed = 1L << 30;

	Duration gitLockPatience = Duration.ofSeconds(10);

	List<String> include = List.of();

	List<ExecSpec> setup = List.of();

	WorkspaceTransportBuilder(SandboxSession session, Path root, Path directory) {
		this.session = Objects.requireNonNull(session, "'session' must not be null");
		this.root = Objects.requireNonNull(root, "'root' must not be null");
		this.directory = Objects.requireNonNull(directory, "'directory' must not be null");
	}

	/**
	 * Sets how long a step inside the sandbox may take. 5 minutes unless set.
	 * @param timeout more than zero
	 * @return this builder
	 */
	public WorkspaceTransportBuilder timeout(Duration timeout) {
		if (timeout.isZero() || timeout.isNegative()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'timeout' must be more than zero.");
		}
		this.timeout = timeout;
		return this;
	}

	/**
	 * Limits what a sync after the seed may carry one way, before compression. 64 MiB
	 * unless set.
	 * @param bytes at least 1
	 * @return this builder
	 */
	public WorkspaceTransportBuilder maxTransfer(long bytes) {
		this.maxTransfer = positive("maxTransfer", bytes);
		return this;
	}

	/**
	 * Limits the seed, as it is sent. 1 GiB unless set.
	 * @param bytes at least 1
	 * @return this builder
	 */
	public WorkspaceTransportBuilder maxSeed(long bytes) {
		this.maxSeed = positive("maxSeed", bytes);
		return this;
	}

	/**
	 * Sets how long {@link WorkspaceTransport#extract()} waits for the user's own git
	 * command to end. 10 seconds unless set.
	 * @param patience zero or more
	 * @return this builder
	 */
	public WorkspaceTransportBuilder gitLockPatience(Duration patience) {
		if (patience.isNegative()) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'gitLockPatience' must not be negative.");
		}
		this.gitLockPatience = patience;
		return this;
	}

	/**
	 * Carries files although they are ignored, such as {@code .env}. They are then as
	 * others are, and their changes come back.
	 * @param paths files or directories relative to the root, no patterns
	 * @return this builder
	 */
	public WorkspaceTransportBuilder include(String... paths) {
		for (String path : paths) {
			if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0
					|| List.of(path.split("/")).contains("..")) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'include' must name paths relative to the root, without '..'.");
			}
		}
		this.include = List.of(paths);
		return this;
	}

	/**
	 * Runs commands once after the seed, one after the other, such as one that fetches
	 * dependencies. Each has its own deadline, which is 30 seconds unless it names
	 * another. The first that fails ends the seed with a {@link SetupFailedException}.
	 * What they write is a change of the sandbox's, which the next
	 * {@link WorkspaceTransport#extract()} brings to the host unless it is ignored.
	 * @param commands the commands
	 * @return this builder
	 */
	public WorkspaceTransportBuilder setup(ExecSpec... commands) {
		this.setup = List.of(commands);
		return this;
	}

	private static long positive(String name, long bytes) {
		if (bytes < 1) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, "'" + name + "' must be at least 1 byte.");
		}
		return bytes;
	}

	/**
	 * Builds the transport. Reads where the repository is, and writes nothing.
	 * @return the transport
	 * @throws SandboxException {@link ErrorCode#SANDBOX_INVALID} if the root is not the
	 * top of a Git working tree or has the directory inside
	 */
	public WorkspaceTransport build() {
		return new WorkspaceTransport(this);
	}

}
