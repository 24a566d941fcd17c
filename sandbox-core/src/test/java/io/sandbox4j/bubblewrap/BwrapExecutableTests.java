package io.sandbox4j.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BwrapExecutableTests {

	@TempDir
	Path directory;

	private Path bwrap;

	@BeforeEach
	void copy() throws Exception {
		this.bwrap = Files.copy(Path.of("/usr/bin/bwrap"), this.directory.resolve("bwrap"));
		mode("rwxr-xr-x");
	}

	@Test
	void isResolvedOnceToItsRealPath() throws Exception {
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), this.bwrap);
		assertThat(BwrapExecutable.check(link, GuestUser.ownUid()).path()).isEqualTo(this.bwrap.toRealPath());
	}

	@Test
	void isRefusedWhenOthersCanWriteIt() throws Exception {
		mode("rwxr-xrwx");
		assertRefused(Cause.BWRAP_UNSAFE, "chmod go-w");
		mode("rwxrwxr-x");
		assertRefused(Cause.BWRAP_UNSAFE, "chmod go-w");
	}

	@Test
	void isRefusedWhenItIsSetuid() throws Exception {
		Process chmod = new ProcessBuilder("chmod", "u+s", this.bwrap.toString()).start();
		assertThat(chmod.waitFor()).isZero();
		assertRefused(Cause.BWRAP_UNSAFE, "setuid");
	}

	@Test
	void isMissingWhenItIsNotExecutable() throws Exception {
		mode("rw-r--r--");
		assertRefused(Cause.BWRAP_MISSING, "apt-get install bubblewrap");
	}

	@Test
	void isToldFromAReplacement() throws Exception {
		BwrapExecutable before = BwrapExecutable.check(this.bwrap, GuestUser.ownUid());
		Files.move(this.bwrap, this.directory.resolve("old"));
		Files.copy(Path.of("/usr/bin/bwrap"), this.bwrap);
		mode("rwxr-xr-x");
		assertThat(BwrapExecutable.check(this.bwrap, GuestUser.ownUid())).isNotEqualTo(before);
	}

	private void mode(String mode) throws Exception {
		Files.setPosixFilePermissions(this.bwrap, PosixFilePermissions.fromString(mode));
	}

	private void assertRefused(Cause cause, String remedy) {
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> BwrapExecutable.check(this.bwrap, GuestUser.ownUid()))
			.withMessageContaining(remedy)
			.satisfies((ex) -> assertThat(ex.unavailable()).isEqualTo(cause));
	}

}
