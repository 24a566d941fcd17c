package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.jspecify.annotations.Nullable;

/**
 * The bubblewrap program, checked before it is trusted: whoever can replace it owns the
 * application. A setuid one is refused, for its history (CVE-2020-5291, CVE-2026-41163)
 * and because it cannot forbid nested user namespaces.
 *
 * @param path where it really is
 * @param fingerprint tells whether the file was replaced since
 */
record BwrapExecutable(Path path, String fingerprint) {

	private static final int SETUID_SETGID = 06000;

	private static final int GROUP_OTHER_WRITE = 022;

	static BwrapExecutable check(Path configured, int ownUid) {
		try {
			Path real = configured.toRealPath();
			if (!Files.isRegularFile(real) || !Files.isExecutable(real)) {
				throw missing(configured, null);
			}
			int mode = (int) Objects.requireNonNull(Files.getAttribute(real, "unix:mode"));
			int owner = (int) Objects.requireNonNull(Files.getAttribute(real, "unix:uid"));
			if ((mode & SETUID_SETGID) != 0) {
				throw unsafe(real, "is setuid or setgid", "chmod u-s,g-s " + real);
			}
			if ((mode & GROUP_OTHER_WRITE) != 0) {
				throw unsafe(real, "can be written by other users", "chmod go-w " + real);
			}
			if (owner != 0 && owner != ownUid) {
				throw unsafe(real, "belongs to another user (uid " + owner + ")", "chown root " + real);
			}
			return new BwrapExecutable(real,
					Files.getAttribute(real, "unix:ino") + "-" + Files.getAttribute(real, "unix:ctime"));
		}
		catch (NoSuchFileException ex) {
			throw missing(configured, ex);
		}
		catch (IOException ex) {
			throw new SandboxUnavailableException(Cause.BWRAP_MISSING,
					"The bubblewrap program " + configured + " cannot be examined.",
					"Make it readable, or set 'sandbox.executable' to another.", ex);
		}
	}

	private static SandboxUnavailableException missing(Path configured, @Nullable Exception cause) {
		return new SandboxUnavailableException(Cause.BWRAP_MISSING,
				"The bubblewrap program " + configured + " does not exist or is not executable.",
				"Install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap), or set "
						+ "'sandbox.executable' to where it is.",
				cause);
	}

	private static SandboxUnavailableException unsafe(Path real, String what, String command) {
		return new SandboxUnavailableException(Cause.BWRAP_UNSAFE, "The bubblewrap program " + real + " " + what + ".",
				"Run '" + command + "', or set 'sandbox.executable' to a safe one.", null);
	}

}
