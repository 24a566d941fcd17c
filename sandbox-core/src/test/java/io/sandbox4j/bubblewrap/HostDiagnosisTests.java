package io.sandbox4j.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class HostDiagnosisTests {

	private static final String REFUSED = "bwrap: No permissions to create a new namespace";

	@TempDir
	Path root;

	@Test
	void namesTheSysctlThatCountsNamespaces() throws Exception {
		write("proc/sys/user/max_user_namespaces", "0\n");
		assertCause(REFUSED, Cause.USER_NAMESPACES_DISABLED, "user.max_user_namespaces");
	}

	@Test
	void namesTheSysctlOfDebian() throws Exception {
		write("proc/sys/user/max_user_namespaces", "100\n");
		write("proc/sys/kernel/unprivileged_userns_clone", "0\n");
		assertCause(REFUSED, Cause.USER_NAMESPACES_DISABLED, "kernel.unprivileged_userns_clone");
	}

	@Test
	void namesTheProfileOfAppArmor() throws Exception {
		write("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
		assertCause("bwrap: setting up uid map: Permission denied", Cause.APPARMOR_RESTRICTED, "/etc/apparmor.d/bwrap");
	}

	@Test
	void knowsAContainerByItsMarkerFile() throws Exception {
		write(".dockerenv", "");
		assertCause("bwrap: Creating new namespace failed: Operation not permitted", Cause.CONTAINER_RESTRICTED,
				"seccomp profile");
	}

	@Test
	void knowsAContainerByItsSeccompFilter() throws Exception {
		write("proc/self/status", "Name:\tjava\nSeccomp:\t2\nThreads:\t1\n");
		assertCause(REFUSED, Cause.CONTAINER_RESTRICTED, "procMount");
	}

	@Test
	void saysThatRootMayNotChangeItsUser() {
		assertCause("setpriv: setresuid failed: Operation not permitted", Cause.CONTAINER_RESTRICTED, "SETUID");
	}

	@Test
	void knowsALimitOfTheApplicationItself() {
		assertCause("init: 4: ulimit: error setting limit (Operation not permitted)", Cause.OTHER,
				"'sandbox.limits.open-files'");
	}

	@Test
	void passesOtherWordsOn() {
		assertCause("bwrap: Can't find source path /x", Cause.OTHER, "Can't find source path /x");
	}

	private void write(String path, String text) throws IOException {
		Path file = this.root.resolve(path);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private void assertCause(String words, Cause cause, String mentioned) {
		SandboxUnavailableException explained = new HostDiagnosis(this.root).explain(words);
		assertThat(explained.unavailable()).isEqualTo(cause);
		assertThat(explained).hasMessageContaining(mentioned).hasMessageContaining(words.replaceAll(".*: ", ""));
	}

}
