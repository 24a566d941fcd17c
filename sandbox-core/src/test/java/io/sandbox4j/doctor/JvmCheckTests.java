package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JvmCheck}.
 */
class JvmCheckTests {

	private final Examination examination = new Examination();

	@ParameterizedTest
	@CsvSource({ "10,1024,OK", "10,1023,WARN", "3275,4096,OK", "3277,4096,WARN", "3892,4096,FAIL", "4096,4096,FAIL",
			"10,0,FAIL", "10,92233720368547758,OK" })
	void theDescriptorsThatAreLeftDecide(long open, long limit, DoctorStatus status) {
		assertThat(JvmCheck.descriptors(open, limit).status()).isEqualTo(status);
	}

	@Test
	void processOneWarns() {
		assertThat(JvmCheck.process(1).status()).isEqualTo(DoctorStatus.WARN);
		assertThat(JvmCheck.process(2).status()).isEqualTo(DoctorStatus.OK);
	}

	@Test
	void thisProcessIsRead() throws Exception {
		List<DoctorFinding> findings = this.examination.by(new JvmCheck(Path.of("/")));
		assertThat(findings).extracting(DoctorFinding::name).containsExactly("jvm", "jvm.open-files");
		assertThat(findings.get(1).summary()).matches("[1-9]\\d* of \\d+ file descriptors are in use\\.");
	}

}
