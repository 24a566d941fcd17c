package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;

/**
 * A host file or directory that every sandbox sees, read-only. One that is or holds a
 * socket is refused: a read-only mount does not stop {@code connect(2)}.
 *
 * @param source the host's path, with every link resolved
 * @param target where the guest sees it
 */
record ReadOnlyMount(Path source, String target) {

	// What the sandbox mounts itself. A target below a writable one would be set up
	// through whatever links the guest left there (CVE-2026-87766).
	private static final List<String> RESERVED = List.of("/workspace", "/tmp", "/proc", "/dev", "/etc", "/usr", "/bin",
			"/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/run");

	static ReadOnlyMount of(Path source, String target) {
		Path normal = Path.of("/").resolve(target).normalize();
		if (!target.startsWith("/") || !normal.toString().equals(target) || target.equals("/")
				|| target.indexOf('\0') >= 0) {
			throw invalid(target, "must be an absolute path without '.', '..' or a trailing '/', for example /opt/jdk");
		}
		for (String reserved : RESERVED) {
			if (target.equals(reserved) || target.startsWith(reserved + "/")) {
				throw invalid(target, "lies below " + reserved + ", which the sandbox makes itself; use /opt/...");
			}
		}
		try {
			Path real = source.toRealPath();
			refuseSockets(real, target);
			return new ReadOnlyMount(real, target);
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.mounts' source " + source + " does not exist or cannot be read.", ex);
		}
	}

	private static void refuseSockets(Path source, String target) throws IOException {
		Files.walkFileTree(source, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				if (attributes.isOther() && isSocket(file)) {
					throw invalid(target, "has a source that is or holds the socket " + file
							+ "; a guest could connect to it. Mount something narrower");
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException ex) {
				// What the application cannot read, the guest cannot either.
				return FileVisitResult.CONTINUE;
			}

		});
	}

	private static boolean isSocket(Path file) throws IOException {
		int mode = (int) Objects.requireNonNull(Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS));
		return (mode & 0170000) == 0140000;
	}

	private static SandboxException invalid(String target, String what) {
		return new SandboxException(ErrorCode.SANDBOX_INVALID, "'sandbox.mounts' target " + target + " " + what + ".");
	}

}
