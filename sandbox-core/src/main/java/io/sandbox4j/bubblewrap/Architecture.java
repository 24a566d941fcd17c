package io.sandbox4j.bubblewrap;

import java.util.List;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.jspecify.annotations.Nullable;

/**
 * A machine this backend has a system call table for. On any other machine there is no
 * filter, and without a filter there is no sandbox.
 */
enum Architecture {

	/**
	 * 64-bit Intel and AMD.
	 */
	X86_64(0xC000003E, "amd64", "x86_64"),

	/**
	 * 64-bit ARM, little endian.
	 */
	AARCH64(0xC00000B7, "aarch64", "arm64");

	private final int auditArch;

	private final List<String> names;

	Architecture(int auditArch, String... names) {
		this.auditArch = auditArch;
		this.names = List.of(names);
	}

	/**
	 * Returns what the kernel writes into {@code seccomp_data.arch} for a native system
	 * call: {@code AUDIT_ARCH_*} of {@code linux/audit.h}.
	 * @return the value
	 */
	int auditArch() {
		return this.auditArch;
	}

	/**
	 * Returns the machine this JVM runs on.
	 * @return the architecture
	 * @throws SandboxUnavailableException if it is none of these
	 */
	static Architecture current() {
		return of(System.getProperty("os.arch"));
	}

	/**
	 * Finds an architecture. A 32-bit JVM is refused on a 64-bit kernel too: it says
	 * nothing about what its children run.
	 * @param osArch the value of the system property {@code os.arch}
	 * @return the architecture
	 * @throws SandboxUnavailableException if it is none of these
	 */
	static Architecture of(@Nullable String osArch) {
		for (Architecture architecture : values()) {
			if (osArch != null && architecture.names.contains(osArch)) {
				return architecture;
			}
		}
		throw new SandboxUnavailableException(Cause.OTHER,
				"No system call filter is known for the architecture '" + osArch + "'.",
				"Run on a 64-bit JVM on x86_64 or aarch64.", null);
	}

}
