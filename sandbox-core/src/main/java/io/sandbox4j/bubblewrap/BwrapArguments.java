package io.sandbox4j.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxException;
import io.sandbox4j.storage.FileNames;
import org.jspecify.annotations.Nullable;

/**
 * Bubblewrap's options, in order, as bytes for {@code --args}. Nothing in them is secret:
 * host paths and limits.
 * <ol>
 * <li>Namespaces: all of them, the user namespace by force, nested ones forbidden; a
 * session of its own, so that nothing can be typed into the host's terminal
 * (CVE-2017-5226); death with the launcher; no capability; an empty environment.</li>
 * <li>Programs: {@code /usr} read-only and its links or directories as the host has them,
 * a small {@code /etc}, extra mounts.</li>
 * <li>Kernel views: {@code /proc} read-only, because a guest of uid 0 could otherwise
 * write the host's sysctls; a minimal {@code /dev}, read-only.</li>
 * <li>Scratch: sized {@code /dev/shm} and {@code /tmp}.</li>
 * <li>The gateway's directory, read-only, which does not stop {@code connect(2)}; its
 * socket is the only one.</li>
 * <li>The workspace: the one writable thing that lasts, mounted after all others, because
 * a mount below it would be made through the guest's own links (CVE-2026-87766).</li>
 * <li>The root read-only, last.</li>
 * </ol>
 */
final class BwrapArguments {

	/**
	 * Bubblewrap's own limit is 9,000 words; what it says beyond is no help.
	 */
	private static final int MAX_WORDS = 9000;

	private static final List<String> ROOT_ENTRIES = List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private int words;

	private BwrapArguments() {
	}

	/**
	 * Builds the options of a session's sandboxes.
	 * @param mounts what of the host is visible
	 * @param limits the sizes
	 * @param network the policy
	 * @return the options, each ended by NUL
	 */
	static byte[] build(GuestMounts mounts, ResourceLimits limits, NetworkPolicy network) {
		BwrapArguments arguments = new BwrapArguments();
		boolean hostNetwork = network instanceof NetworkPolicy.AllowAll;
		arguments.namespaces(hostNetwork);
		arguments.programs(mounts, hostNetwork);
		arguments.kernelViews(limits);
		arguments.add("--size", Long.toString(limits.tmpBytes()), "--tmpfs", "/tmp");
		arguments.add("--ro-bind").add(mounts.gateway()).add(GuestEnvironment.DIRECTORY);
		arguments.add("--bind").add(mounts.workspace()).add("/workspace");
		arguments.add("--remount-ro", "/", "--chdir", "/");
		if (arguments.words > MAX_WORDS) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID,
					"'sandbox.mounts' has too many entries: bubblewrap takes " + MAX_WORDS
							+ " words. Mount a common parent directory.");
		}
		return arguments.bytes.toByteArray();
	}

	private void namespaces(boolean hostNetwork) {
		add("--unshare-all", "--unshare-user", "--disable-userns", "--assert-userns-disabled");
		if (hostNetwork) {
			add("--share-net");
		}
		add("--hostname", "sandbox", "--new-session", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL",
				"--clearenv");
	}

	private void programs(GuestMounts mounts, boolean hostNetwork) {
		Path root = mounts.root();
		add("--ro-bind").add(root.resolve("usr")).add("/usr");
		for (String name : ROOT_ENTRIES) {
			Path entry = root.resolve(name);
			if (Files.isSymbolicLink(entry)) {
				add("--symlink").add(target(entry)).add("/" + name);
			}
			else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
				add("--ro-bind").add(entry).add("/" + name);
			}
		}
		add("--ro-bind").add(mounts.etc()).add("/etc");
		if (hostNetwork) {
			Path resolver = resolver();
			if (resolver != null) {
				add("--ro-bind").add(resolver).add("/etc/" + GuestEtc.RESOLVER);
			}
			Path certificates = root.resolve("etc").resolve(GuestEtc.CERTIFICATES);
			if (Files.isDirectory(certificates)) {
				add("--ro-bind").add(certificates).add("/etc/" + GuestEtc.CERTIFICATES);
			}
		}
		mounts.extra().forEach((mount) -> add("--ro-bind").add(mount.source()).add(mount.target()));
	}

	private void kernelViews(ResourceLimits limits) {
		add("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev");
		add("--size", Long.toString(limits.shmBytes()), "--tmpfs", "/dev/shm", "--remount-ro", "/dev");
	}

	private static Path target(Path link) {
		try {
			return Files.readSymbolicLink(link);
		}
		catch (IOException ex) {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, link + " cannot be read.", ex);
		}
	}

	// Often a link into /run, sometimes a dangling one.
	private static @Nullable Path resolver() {
		try {
			return Path.of("/etc/resolv.conf").toRealPath();
		}
		catch (IOException ex) {
			return null;
		}
	}

	private BwrapArguments add(String... texts) {
		for (String text : texts) {
			add(text.getBytes(StandardCharsets.UTF_8));
		}
		return this;
	}

	private BwrapArguments add(Path path) {
		return add(FileNames.bytes(path));
	}

	private BwrapArguments add(byte[] word) {
		this.bytes.writeBytes(word);
		this.bytes.write(0);
		this.words++;
		return this;
	}

}
