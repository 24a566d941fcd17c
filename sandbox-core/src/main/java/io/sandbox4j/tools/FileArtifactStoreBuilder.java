package io.sandbox4j.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link FileArtifactStore}, with safe defaults. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class FileArtifactStoreBuilder {

	private final Path directory;

	private long quotaBytes = 64L << 20;

	private Duration expiry = Duration.ofDays(1);

	private InstantSource clock = InstantSource.system();

	FileArtifactStoreBuilder(Path directory) {
		this.directory = Objects.requireNonNull(directory, "'directory' must not be null");
	}

	/**
	 * Sets how much a session may keep.
	 * @param bytes the bytes of its outputs together, 64 MiB unless set
	 * @return this builder
	 */
	public FileArtifactStoreBuilder quotaBytes(long bytes) {
		if (bytes <= 0) {
			throw FileArtifactStore.invalid("'quotaBytes' must be more than zero.");
		}
		this.quotaBytes = bytes;
		return this;
	}

	/**
	 * Sets how long an output is kept.
	 * @param expiry more than zero; one day unless set
	 * @return this builder
	 */
	public FileArtifactStoreBuilder expiry(Duration expiry) {
		if (expiry.isZero() || expiry.isNegative()) {
			throw FileArtifactStore.invalid("'expiry' must be more than zero.");
		}
		this.expiry = expiry;
		return this;
	}

	/**
	 * Sets what tells the time.
	 * @param clock the clock, the system's unless set
	 * @return this builder
	 */
	public FileArtifactStoreBuilder clock(InstantSource clock) {
		this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
		return this;
	}

	/**
	 * Opens the store, makes its directory if it is missing, and removes what is expired
	 * or was left by a crash.
	 * @return the store
	 * @throws SandboxUnavailableException if the directory cannot be used; the message is
	 * for the operator and names it
	 */
	public FileArtifactStore build() {
		Path path = this.directory.toAbsolutePath().normalize();
		try {
			if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
				PrivateDirectory.makeAll(path);
			}
			PrivateDirectory.Flaw flaw = PrivateDirectory.flaw(path);
			if (flaw != null) {
				throw unusable(path, flaw.what() + ".", flaw.remedy(), null);
			}
			return new FileArtifactStore(path.toRealPath(), new Retention(this.quotaBytes, this.expiry, this.clock));
		}
		catch (IOException ex) {
			throw unusable(path, "cannot be made or opened (" + ex + ").",
					"Name a directory that the application's user can make and write.", ex);
		}
	}

	private static SandboxUnavailableException unusable(Path path, String what, String remedy,
			@Nullable Exception cause) {
		return new SandboxUnavailableException(Cause.DIRECTORY_UNUSABLE,
				"The directory for the outputs of commands, '" + path + "', " + what, remedy, cause);
	}

}
