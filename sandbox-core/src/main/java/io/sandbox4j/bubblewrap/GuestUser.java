package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import io.sandbox4j.storage.FileOwner;
import org.jspecify.annotations.Nullable;

/**
 * As whom commands run. It is never the host's root: with uid 0 a guest could write the
 * host's sysctls and overwrite the host's programs through {@code /proc/self/exe}
 * (CVE-2019-5736). An application that is root drops to another user with
 * {@code setpriv(1)} before bubblewrap; any other runs commands as itself, in a user
 * namespace.
 *
 * @param owner the user
 * @param setpriv the program that drops to it, or {@code null} if nothing is to drop
 */
record GuestUser(FileOwner owner, @Nullable Path setpriv) {

	/**
	 * The mode of a file for the user alone.
	 */
	static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

	private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

	private static final List<Path> SETPRIV = List.of(Path.of("/usr/bin/setpriv"), Path.of("/bin/setpriv"));

	GuestUser {
		boolean root = owner.uid() <= 0 || (setpriv != null && owner.gid() <= 0);
		if (root) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.run-as' must not be root: uid and gid must be more than zero.");
		}
	}

	static GuestUser of(int ownUid, int ownGid, FileOwner runAs) {
		if (ownUid != 0) {
			return new GuestUser(new FileOwner(ownUid, ownGid), null);
		}
		Path setpriv = SETPRIV.stream()
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new SandboxUnavailableException(Cause.OTHER,
					"The application runs as root and setpriv(1) is missing.",
					"Install util-linux, or run the application as another user.", null));
		return new GuestUser(runAs, setpriv);
	}

	/**
	 * Whether files must be given to the user.
	 * @return the user, or {@code null} if it is the application's own
	 */
	@Nullable FileOwner fileOwner() {
		return (this.setpriv != null) ? this.owner : null;
	}

	/**
	 * Makes a directory for the user alone.
	 * @param directory the directory, which does not exist
	 * @return the directory
	 * @throws IOException if it cannot be made or given away
	 */
	Path createDirectory(Path directory) throws IOException {
		Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
		Files.setPosixFilePermissions(directory, DIRECTORY);
		give(directory);
		return directory;
	}

	/**
	 * Gives a file to the user, unless the application is that user.
	 * @param file the file
	 * @throws IOException if it cannot be given away
	 */
	void give(Path file) throws IOException {
		FileOwner owner = fileOwner();
		if (owner != null) {
			Files.setAttribute(file, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
			Files.setAttribute(file, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
		}
	}

	static int ownUid() {
		return own("uid");
	}

	static int ownGid() {
		return own("gid");
	}

	private static int own(String what) {
		try {
			return (int) Objects.requireNonNull(Files.getAttribute(Path.of("/proc/self"), "unix:" + what));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
