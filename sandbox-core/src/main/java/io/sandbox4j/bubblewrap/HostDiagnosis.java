package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;

/**
 * Says why bubblewrap could not build a sandbox here, from its words and from what the
 * host shows. Only reads; a wrong guess names a wrong remedy, it never lets anything run.
 */
final class HostDiagnosis {

	private final Path root;

	/**
	 * Creates a diagnosis.
	 * @param root the root of the file system with {@code /proc}
	 */
	HostDiagnosis(Path root) {
		this.root = root;
	}

	SandboxUnavailableException explain(String words) {
		if (words.contains("setpriv:")) {
			return new SandboxUnavailableException(Cause.CONTAINER_RESTRICTED,
					"The application is root and may not change its user: " + words + ".",
					"Run it as an unprivileged user, or with the capabilities SETUID, SETGID and SETPCAP.", null);
		}
		if (words.contains("ulimit")) {
			return new SandboxUnavailableException(Cause.OTHER,
					"The application's own limits are lower than 'sandbox.limits' asks for: " + words + ".",
					"Lower 'sandbox.limits.open-files' or 'sandbox.limits.processes', or raise the hard limits of the "
							+ "application (LimitNOFILE and LimitNPROC of its service).",
					null);
		}
		if (!mentionsNamespaces(words)) {
			return new SandboxUnavailableException(Cause.OTHER, "A sandbox could not be built: " + words + ".",
					"Run bubblewrap by hand, as the application's user, to see what it lacks.", null);
		}
		if (isZero("proc/sys/user/max_user_namespaces")) {
			return disabled("user.max_user_namespaces", "sysctl -w user.max_user_namespaces=15000", words);
		}
		if (isZero("proc/sys/kernel/unprivileged_userns_clone")) {
			return disabled("kernel.unprivileged_userns_clone", "sysctl -w kernel.unprivileged_userns_clone=1", words);
		}
		if (isOne("proc/sys/kernel/apparmor_restrict_unprivileged_userns")) {
			return new SandboxUnavailableException(Cause.APPARMOR_RESTRICTED,
					"AppArmor restricts unprivileged user namespaces "
							+ "(kernel.apparmor_restrict_unprivileged_userns=1): " + words + ".",
					"Add a profile for bubblewrap: in /etc/apparmor.d/bwrap put 'abi <abi/4.0>, include "
							+ "<tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' and run "
							+ "'apparmor_parser -r /etc/apparmor.d/bwrap'.",
					null);
		}
		if (inContainer()) {
			return new SandboxUnavailableException(Cause.CONTAINER_RESTRICTED,
					"The application runs in a container that does not allow namespaces: " + words + ".",
					"Start the container with a seccomp profile that allows unshare, mount and pivot_root, an unmasked "
							+ "/proc (Docker: --security-opt seccomp=... --security-opt systempaths=unconfined; "
							+ "Kubernetes: procMount: Unmasked), or run the application on the host.",
					null);
		}
		return new SandboxUnavailableException(Cause.OTHER, "A sandbox could not be built: " + words + ".",
				"Ask the host's administrator which security module forbids user namespaces here.", null);
	}

	private static boolean mentionsNamespaces(String words) {
		return words.contains("namespace") || words.contains("uid map") || words.contains("clone")
				|| words.contains("Operation not permitted") || words.contains("Permission denied")
				|| words.contains("No space left on device");
	}

	private static SandboxUnavailableException disabled(String sysctl, String command, String words) {
		return new SandboxUnavailableException(Cause.USER_NAMESPACES_DISABLED,
				"User namespaces are switched off by the sysctl " + sysctl + ": " + words + ".",
				"Run '" + command + "' and keep it in /etc/sysctl.d.", null);
	}

	private boolean isZero(String path) {
		return read(path).equals("0");
	}

	private boolean isOne(String path) {
		return read(path).equals("1");
	}

	private boolean inContainer() {
		return Files.exists(this.root.resolve(".dockerenv")) || Files.exists(this.root.resolve("run/.containerenv"))
				|| read("proc/self/status").matches("(?s).*\\nSeccomp:\\s+2\\n.*");
	}

	private String read(String path) {
		try {
			return Files.readString(this.root.resolve(path)).strip();
		}
		catch (IOException ex) {
			return "";
		}
	}

}
