package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.sandbox4j.NetworkPolicy;

/**
 * One check, run over what a test says.
 */
final class Examination {

	final ScriptedBackend backend = new ScriptedBackend();

	final Map<String, NetworkPolicy> networks = new LinkedHashMap<>();

	Path executable;

	Path stateDirectory;

	Path runtimeDirectory;

	List<DoctorFinding> by(DoctorCheck check) throws Exception {
		return check.check(new DoctorContext(this.backend, new DoctorSettings(this.executable, this.stateDirectory,
				this.runtimeDirectory, this.networks, List.of(), Duration.ofSeconds(10), Duration.ofSeconds(60))));
	}

	DoctorFinding finding(DoctorCheck check, String name) throws Exception {
		return by(check).stream().filter((finding) -> finding.name().equals(name)).findFirst().orElseThrow();
	}

}
