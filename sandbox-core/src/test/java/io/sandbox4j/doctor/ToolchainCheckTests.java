package io.sandbox4j.doctor;

import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolchainCheck}.
 */
class ToolchainCheckTests {

	private final Examination examination = new Examination();

	@Test
	void whatWorksIsNamedWithItsVersion() throws Exception {
		List<DoctorFinding> findings = examine(ScriptedBackend.exited(0,
				"works git git version 2.47.3\nworks tar tar (GNU tar) 1.35\nabsent rg\nbroken node\n"));
		assertThat(findings).containsExactly(DoctorFinding.ok("toolchain",
				"Inside a sandbox work sh, git (git version 2.47.3), tar (tar (GNU tar) 1.35). "
						+ "Not there: rg, node (does not start)."));
	}

	@Test
	void withoutGitOrTarItWarnsAndSaysWhatFollows() throws Exception {
		List<DoctorFinding> findings = examine(ScriptedBackend.exited(0, "absent git\nbroken tar\n"));
		assertThat(findings).extracting(DoctorFinding::name)
			.containsExactly("toolchain", "toolchain.git", "toolchain.tar");
		assertThat(findings.get(1).status()).isEqualTo(DoctorStatus.WARN);
		assertThat(findings.get(1).meaning()).contains("repositories");
		assertThat(findings.get(2).summary()).contains("broken");
	}

	@Test
	void withoutAShellItFails() throws Exception {
		DoctorFinding finding = examine(ScriptedBackend.result(ExecStatus.LAUNCH_FAILED, 127, "")).get(0);
		assertThat(finding.name()).isEqualTo("toolchain.sh");
		assertThat(finding.status()).isEqualTo(DoctorStatus.FAIL);
	}

	@Test
	void whatAProgramSaysCannotSteerATerminal() throws Exception {
		assertThat(examine(ScriptedBackend.exited(0, "works git \u001b[2J" + "x".repeat(5000))).get(0).summary())
			.doesNotContain("\u001b")
			.hasSizeLessThan(200);
	}

	@Test
	void aRefusedCommandFailsWithItsCodeOnly() throws Exception {
		this.examination.backend.program = (command) -> {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "At /srv/place.");
		};
		DoctorFinding finding = this.examination.by(new ToolchainCheck()).get(0);
		assertThat(finding.status()).isEqualTo(DoctorStatus.FAIL);
		assertThat(finding.toString()).contains("SANDBOX_STOPPED").doesNotContain("/srv");
	}

	private List<DoctorFinding> examine(ExecResult result) throws Exception {
		this.examination.backend.program = (command) -> result;
		return this.examination.by(new ToolchainCheck());
	}

}
