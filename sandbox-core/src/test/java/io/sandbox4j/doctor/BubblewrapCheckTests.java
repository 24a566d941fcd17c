package io.sandbox4j.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BubblewrapCheck}.
 */
class BubblewrapCheckTests {

	private final Examination examination = new Examination();

	@TempDir
	Path directory;

	@ParameterizedTest
	@CsvSource({ "bubblewrap 0.8.0,OK", "bubblewrap 0.11.0,OK", "bubblewrap 1.0.0,OK", "bubblewrap 0.7.9,FAIL",
			"bubblewrap,FAIL" })
	void theVersionDecides(String said, DoctorStatus status) throws Exception {
		assertThat(examine("echo '" + said + "'").status()).isEqualTo(status);
	}

	@Test
	void aProgramThatIsNotThereFails() throws Exception {
		this.examination.executable = this.directory.resolve("bwrap");
		DoctorFinding finding = this.examination.by(new BubblewrapCheck()).get(0);
		assertThat(finding.status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(finding.remedy()).contains("apt-get install bubblewrap", "sandbox.executable");
	}

	@ParameterizedTest
	@CsvSource({ "4755,setuid", "2755,setgid", "757,written by other users", "775,written by other users" })
	void anUnsafeProgramFailsAndIsNotRun(String mode, String summary) throws Exception {
		Path ran = this.directory.resolve("ran");
		Path program = program("touch '" + ran + "'; echo bubblewrap 0.11.0");
		Files.setAttribute(program, "unix:mode", Integer.parseInt(mode, 8));
		DoctorFinding finding = this.examination.by(new BubblewrapCheck()).get(0);
		assertThat(finding.status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(finding.summary()).contains(summary);
		assertThat(ran).doesNotExist();
	}

	@Test
	void aProgramThatFailsFails() throws Exception {
		assertThat(examine("echo bubblewrap 0.11.0; exit 3").summary()).contains("exit code 3");
	}

	@Test
	@Timeout(30)
	void aFloodFails() throws Exception {
		assertThat(examine("while :; do echo 0.11; done").status()).isEqualTo(DoctorStatus.FAIL);
	}

	@Test
	void nothingOfTheEnvironmentReachesIt() throws Exception {
		assertThat(examine("[ -z \"$HOME\" ] && echo bubblewrap 0.11.0").status()).isEqualTo(DoctorStatus.OK);
	}

	@Test
	void withoutAProgramItSaysNothing() throws Exception {
		assertThat(this.examination.by(new BubblewrapCheck())).isEmpty();
	}

	private DoctorFinding examine(String script) throws Exception {
		program(script);
		return this.examination.by(new BubblewrapCheck()).get(0);
	}

	private Path program(String script) throws Exception {
		Path program = Files.writeString(this.directory.resolve("bwrap"), "#!/bin/sh\n" + script + "\n");
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.examination.executable = program;
		return program;
	}

}
