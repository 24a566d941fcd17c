package io.sandbox4j.doctor;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DiskCheck}.
 */
class DiskCheckTests {

	private final Examination examination = new Examination();

	@ParameterizedTest
	@CsvSource({ "0,1000000,FAIL", "99,1000,FAIL", "100,1000,WARN", "1023,2000,WARN", "1024,2000,OK", "1024,20480,OK",
			"1024,20500,WARN", "49999,1000000,WARN", "50000,1000000,OK", "0,0,FAIL" })
	void theSpaceThatIsLeftDecides(long usable, long total, DoctorStatus status) {
		assertThat(DiskCheck.judge(usable << 20, total << 20).status()).isEqualTo(status);
	}

	@Test
	void theFileSystemOfTheDirectoryIsAsked(@TempDir Path directory) throws Exception {
		this.examination.stateDirectory = directory;
		assertThat(this.examination.by(new DiskCheck()).get(0).summary()).matches(".* \\d+ MiB left of \\d+ MiB\\.");
	}

	@Test
	void withoutADirectoryItSaysNothing() throws Exception {
		assertThat(this.examination.by(new DiskCheck())).isEmpty();
	}

}
