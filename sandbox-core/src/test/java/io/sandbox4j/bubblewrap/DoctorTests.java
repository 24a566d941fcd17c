package io.sandbox4j.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.doctor.DoctorFinding;
import io.sandbox4j.doctor.DoctorReport;
import io.sandbox4j.doctor.DoctorStatus;
import io.sandbox4j.doctor.SandboxDoctor;
import io.sandbox4j.session.SessionLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the doctor with real sandboxes.
 */
@Tag("isolation")
class DoctorTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@Test
	void nothingFailsHere() {
		DoctorReport report = examine(this.sandboxes.backend());
		assertThat(report.findings()).as("%s", report.findings())
			.noneMatch((finding) -> finding.status() == DoctorStatus.FAIL)
			.extracting(DoctorFinding::name)
			.contains("bubblewrap", "isolation", "isolation.network-denied", "limits", "state-directory",
					"runtime-directory", "disk", "toolchain", "clock", "leftovers.processes", "leftovers.trash",
					"network.default", "jvm", "jvm.open-files");
		assertThat(find(report, "toolchain").summary()).contains("sh");
		assertThat(find(report, "clock").status()).isEqualTo(DoctorStatus.OK);
		assertThat(find(report, "leftovers.processes").status()).isEqualTo(DoctorStatus.OK);
	}

	@Test
	void itsSandboxIsGoneAfterwards() {
		BubblewrapBackend backend = this.sandboxes.backend();
		examine(backend);
		assertThat(backend.sessions()).isEmpty();
		assertThat(backend.handles()).isEmpty();
	}

	@Test
	void runningSandboxesKeepTheirSlotsAndTheirWork() {
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder.sessionLimits(oneCommand()));
		SandboxHandle sandbox = this.sandboxes.sandbox(backend);
		try (SandboxProcess process = sandbox.session().start(ExecSpec.shell("read x; exit 7"))) {
			assertThat(examine(backend).status()).isNotEqualTo(DoctorStatus.FAIL);
			assertThat(sandbox.session().admission()).isEqualTo(new AdmissionStatus(1, 1, 0, 0));
			assertThat(backend.sessions()).hasSize(1);
			assertThat(process.onExit()).isNotDone();
		}
	}

	@Test
	void aMissingProgramFailsWithItsRemedy() {
		BubblewrapBackend backend = this.sandboxes.backend((builder) -> builder.executable(Path.of("/missing/bwrap")));
		DoctorReport report = examine(backend);
		assertThat(report.findings()).filteredOn((finding) -> finding.status() == DoctorStatus.FAIL)
			.extracting(DoctorFinding::name)
			.containsExactly("bubblewrap", "isolation");
		assertThat(find(report, "isolation").meaning()).contains("BWRAP_MISSING");
		assertThat(find(report, "isolation").remedy()).contains("apt-get install bubblewrap");
		assertThat(backend.sessions()).isEmpty();
	}

	@Test
	void aBackendThatDrainsIsReported() {
		BubblewrapBackend backend = this.sandboxes.backend();
		backend.drain(Duration.ofSeconds(1));
		assertThat(find(examine(backend), "toolchain").summary()).contains("SANDBOX_STOPPED");
	}

	private static SessionLimits oneCommand() {
		SessionLimits limits = SessionLimits.defaults();
		return new SessionLimits(1, limits.maxReadBytes(), limits.maxWriteBytes(), limits.maxStreamBytes(),
				limits.maxEntries());
	}

	private static DoctorReport examine(BubblewrapBackend backend) {
		return SandboxDoctor.builder(backend)
			.executable(backend.executable())
			.stateDirectory(backend.stateDirectory())
			.runtimeDirectory(backend.runtimeDirectory())
			.network("default", NetworkPolicy.denyAll())
			.build()
			.examine();
	}

	private static DoctorFinding find(DoctorReport report, String name) {
		return report.findings().stream().filter((finding) -> finding.name().equals(name)).findFirst().orElseThrow();
	}

}
