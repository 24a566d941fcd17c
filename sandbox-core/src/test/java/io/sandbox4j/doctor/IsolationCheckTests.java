package io.sandbox4j.doctor;

import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.Isolation;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;
import io.sandbox4j.SandboxUnavailableException.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IsolationCheck}.
 */
class IsolationCheckTests {

	private final Examination examination = new Examination();

	@Test
	void eachRestrictionIsAFinding() throws Exception {
		List<DoctorFinding> findings = this.examination.by(new IsolationCheck());
		assertThat(findings).hasSize(1 + Restriction.values().length)
			.allSatisfy((finding) -> assertThat(finding.status()).isEqualTo(DoctorStatus.OK));
	}

	@Test
	void aGapWarnsAndNamesTheCheck() throws Exception {
		this.examination.backend.isolation = () -> new Isolation(
				List.of(new Isolation.Check("good", Restriction.WRITE_CONTAINED, true, ""),
						new Isolation.Check("bad", Restriction.WRITE_CONTAINED, false, "wrote there")));
		DoctorFinding finding = this.examination.finding(new IsolationCheck(), "isolation.write-contained");
		assertThat(finding.status()).isEqualTo(DoctorStatus.WARN);
		assertThat(finding.summary()).contains("bad (wrote there)").doesNotContain("good");
	}

	@Test
	void whatIsNotProvenWarns() throws Exception {
		this.examination.backend.isolation = () -> new Isolation(List.of());
		assertThat(this.examination.finding(new IsolationCheck(), "isolation.secrets-hidden").status())
			.isEqualTo(DoctorStatus.WARN);
	}

	@Test
	void whereNoSandboxRunsTheCauseAndTheRemedyAreNamed() throws Exception {
		this.examination.backend.isolation = () -> {
			throw new SandboxUnavailableException(Cause.APPARMOR_RESTRICTED, "AppArmor forbids it.", "Add a profile.",
					null);
		};
		assertThat(this.examination.by(new IsolationCheck())).containsExactly(DoctorFinding.fail("isolation",
				"AppArmor forbids it.", "No command can run (APPARMOR_RESTRICTED).", "Add a profile."));
	}

	@Test
	void anotherRefusalFailsToo() {
		DoctorReport report = DoctorReport.of(new SandboxException(ErrorCode.SANDBOX_INVALID, "Not so."));
		assertThat(report.status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(report.findings().get(0).summary()).isEqualTo("Not so.");
	}

}
