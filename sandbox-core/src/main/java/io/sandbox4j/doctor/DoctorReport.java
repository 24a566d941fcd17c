package io.sandbox4j.doctor;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.sandbox4j.SandboxException;

/**
 * What a doctor found. Immutable.
 *
 * @since 0.1.0
 */
public final class DoctorReport {

	private final List<DoctorFinding> findings;

	private final Collection<Path> paths;

	DoctorReport(List<DoctorFinding> findings, Collection<Path> paths) {
		this.findings = List.copyOf(findings);
		this.paths = List.copyOf(paths);
	}

	/**
	 * Makes the report of a host on which not even a backend can be built.
	 * @param failure why
	 * @return a report with one finding
	 */
	public static DoctorReport of(SandboxException failure) {
		Objects.requireNonNull(failure, "'failure' must not be null");
		return new DoctorReport(List.of(IsolationCheck.unavailable(failure)), List.of());
	}

	/**
	 * Returns the findings.
	 * @return the findings, in the order of the checks
	 */
	public List<DoctorFinding> findings() {
		return this.findings;
	}

	/**
	 * Returns the worst status of all findings.
	 * @return the status
	 */
	public DoctorStatus status() {
		return this.findings.stream().map(DoctorFinding::status).max(Comparator.naturalOrder()).orElse(DoctorStatus.OK);
	}

	/**
	 * Returns the same findings for readers who should not learn where things lie on this
	 * host.
	 * @return a report in which {@code (path)} stands for every path of the host
	 */
	public DoctorReport withoutPaths() {
		PathMask mask = new PathMask(this.paths);
		return new DoctorReport(this.findings.stream()
			.map((finding) -> new DoctorFinding(mask.apply(finding.name()), finding.status(),
					mask.apply(finding.summary()), mask.apply(finding.meaning()), mask.apply(finding.remedy())))
			.toList(), List.of());
	}

}
