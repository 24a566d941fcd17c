package io.sandbox4j.bubblewrap;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.storage.ProcessIdentity;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RuntimeDirectoryTests {

	@TempDir
	Path base;

	@Test
	void aDirectoryOfAProcessThatIsGoneIsSwept() throws Exception {
		Process process = new ProcessBuilder("true").start();
		long pid = process.pid();
		process.waitFor();
		Path left = leftover(pid + "-1-abcdef", ProcessIdentity.self().bootId());
		try (RuntimeDirectory directory = open()) {
			assertThat(directory.swept()).isEqualTo(1);
			assertThat(left).doesNotExist();
		}
	}

	@Test
	void aDirectoryOfAnEarlierBootIsSwept() throws Exception {
		ProcessIdentity self = ProcessIdentity.self();
		Path left = leftover(self.pid() + "-" + self.startTicks() + "-abcdef", "another-boot");
		open().close();
		assertThat(left).doesNotExist();
	}

	@Test
	void aPidThatBelongsToAnotherProcessByNowIsNoOwner() throws Exception {
		Path left = leftover(ProcessIdentity.self().pid() + "-1-abcdef", ProcessIdentity.self().bootId());
		open().close();
		assertThat(left).doesNotExist();
	}

	@Test
	void directoriesOfLiveProcessesAndForeignOnesStay() throws Exception {
		Path foreign = Files.createDirectory(this.base.resolve("foreign"));
		try (RuntimeDirectory one = open(); RuntimeDirectory other = open()) {
			assertThat(one.path()).isDirectory().isNotEqualTo(other.path());
			assertThat(foreign).isDirectory();
		}
		assertThat(this.base).isDirectoryNotContaining((path) -> !path.equals(foreign));
	}

	@Test
	void aBaseOfAnotherUserIsRefused() throws Exception {
		Assumptions.assumeTrue(GuestUser.ownUid() == 0);
		Files.setAttribute(this.base, "unix:uid", 1234);
		assertThatExceptionOfType(SandboxUnavailableException.class).isThrownBy(this::open)
			.withMessageContaining("sandbox.runtime-directory");
	}

	@Test
	void aLinkThatAnotherUserPutInTheWayIsRefusedAndItsTargetKeepsItsMode() throws Exception {
		Assumptions.assumeTrue(GuestUser.ownUid() == 0);
		Path ours = Files.createDirectory(this.base.resolve("ours"));
		Files.setPosixFilePermissions(ours, PosixFilePermissions.fromString("rwx------"));
		Path link = Files.createSymbolicLink(this.base.resolve("link"), ours);
		Files.setAttribute(link, "unix:uid", 1234, LinkOption.NOFOLLOW_LINKS);
		assertThatExceptionOfType(SandboxUnavailableException.class)
			.isThrownBy(() -> RuntimeDirectory.open(link, GuestUser.ownUid()))
			.withMessageContaining("another user");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours))).isEqualTo("rwx------");
		assertThat(ours).isEmptyDirectory();
	}

	@Test
	void aBaseThatOthersCanWriteIsRefused() throws Exception {
		Files.setPosixFilePermissions(this.base, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(SandboxUnavailableException.class).isThrownBy(this::open)
			.withMessageContaining("can be written by other users");
	}

	@Test
	void aBaseThatIsThereKeepsItsMode() throws Exception {
		Files.setPosixFilePermissions(this.base, PosixFilePermissions.fromString("rwxr-x---"));
		open().close();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.base))).isEqualTo("rwxr-x---");
	}

	@Test
	void theDefaultFollowsTheUser() {
		assertThat(RuntimeDirectory.defaultBase(0, null)).isEqualTo(Path.of("/run/sandbox4j"));
		assertThat(RuntimeDirectory.defaultBase(1000, this.base.toString())).isEqualTo(this.base.resolve("sandbox4j"));
		assertThat(RuntimeDirectory.defaultBase(1000, null)).isEqualTo(Path.of("/tmp/sandbox4j-1000"));
	}

	private RuntimeDirectory open() {
		return RuntimeDirectory.open(this.base, GuestUser.ownUid());
	}

	private Path leftover(String name, String bootId) throws Exception {
		Path left = Files.createDirectories(this.base.resolve(name).resolve("session")).getParent();
		Files.writeString(left.resolve("pid-namespace"), bootId + "\n" + ProcessIdentity.self().pidNamespace());
		return left;
	}

}
