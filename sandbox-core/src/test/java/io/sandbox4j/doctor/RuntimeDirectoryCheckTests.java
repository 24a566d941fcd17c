package io.sandbox4j.doctor;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RuntimeDirectoryCheck}.
 */
class RuntimeDirectoryCheckTests {

	private final Examination examination = new Examination();

	@TempDir
	Path directory;

	@Test
	void aShortPathIsRight() throws Exception {
		assertThat(find(Path.of("/tmp")).status()).isEqualTo(DoctorStatus.OK);
	}

	@Test
	void aLongPathWarns() throws Exception {
		Path deep = Files.createDirectory(this.directory.resolve("d".repeat(80)));
		assertThat(find(deep).status()).isEqualTo(DoctorStatus.WARN);
	}

	@Test
	void whatIsGoneFails() throws Exception {
		assertThat(find(this.directory.resolve("gone")).status()).isEqualTo(DoctorStatus.FAIL);
	}

	private DoctorFinding find(Path path) throws Exception {
		this.examination.runtimeDirectory = path;
		return this.examination.by(new RuntimeDirectoryCheck()).get(0);
	}

}
