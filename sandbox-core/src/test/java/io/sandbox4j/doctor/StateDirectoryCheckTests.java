package io.sandbox4j.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StateDirectoryCheck}.
 */
class StateDirectoryCheckTests {

	private final Examination examination = new Examination();

	@TempDir
	Path root;

	private Path state;

	@BeforeEach
	void makeDirectory() throws IOException {
		this.state = Files.createDirectory(this.root.toRealPath().resolve("my state"));
		this.examination.stateDirectory = this.state;
		mode("rwx------");
		mount("/", "rw", "ext4");
	}

	@Test
	void aPrivateDirectoryOnALocalDiskIsRight() throws Exception {
		mode("rwx--x--x");
		assertThat(find().status()).isEqualTo(DoctorStatus.OK);
		assertThat(find().summary()).contains("ext4");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rwxrwx---", "rwx----w-", "rwxrwxrwx" })
	void whatOthersCanWriteFails(String mode) throws Exception {
		mode(mode);
		assertThat(find().status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(find().remedy()).contains("chmod go-w");
	}

	@Test
	void whatIsGoneFails() throws Exception {
		Files.delete(this.state);
		assertThat(find().status()).isEqualTo(DoctorStatus.FAIL);
	}

	@ParameterizedTest
	@CsvSource({ "'rw,relatime',nfs4,FAIL,network file system", "rw,fuse.sshfs,FAIL,network file system",
			"ro,ext4,FAIL,read-only", "'rw,nosuid,noexec',xfs,WARN,noexec", "'rw,nosuid',xfs,OK,xfs" })
	void theMountDecides(String options, String type, DoctorStatus status, String summary) throws Exception {
		mount(this.state.toString().replace(" ", "\\040"), options, type);
		assertThat(find().status()).isEqualTo(status);
		assertThat(find().summary()).contains(summary);
	}

	@Test
	void theLaterOfTwoMountsCounts() throws Exception {
		mount("/", "rw,noexec", "ext4");
		mount("/", "rw", "btrfs");
		assertThat(find().summary()).contains("btrfs");
	}

	@Test
	void aMountBesideItDoesNotCount() throws Exception {
		mount(this.state.resolveSibling("my").toString(), "ro", "nfs4");
		assertThat(find().status()).isEqualTo(DoctorStatus.OK);
	}

	@Test
	void theTableOfThisHostIsRead() throws Exception {
		assertThat(MountTable.read(Path.of("/proc/self/mountinfo")).of(this.state)).isNotNull();
	}

	private DoctorFinding find() throws Exception {
		return this.examination.by(new StateDirectoryCheck(this.root)).get(0);
	}

	private void mode(String mode) throws IOException {
		Files.setPosixFilePermissions(this.state, PosixFilePermissions.fromString(mode));
	}

	private void mount(String point, String options, String type) throws IOException {
		Path table = this.root.resolve("proc/self/mountinfo");
		Files.createDirectories(table.getParent());
		String known = Files.exists(table) ? Files.readString(table) : "";
		Files.writeString(table,
				known + "36 35 98:0 / " + point + " " + options + " shared:1 - " + type + " /dev/x rw\n");
	}

}
