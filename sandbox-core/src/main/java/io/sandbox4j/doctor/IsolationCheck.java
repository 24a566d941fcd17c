package io.sandbox4j.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.sandbox4j.Isolation;
import io.sandbox4j.Isolation.Check;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxUnavailableException;

/**
 * Whether a sandbox can run, and what it holds.
 */
final class IsolationCheck implements DoctorCheck {

	private static final String NAME = "isolation";

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) throws InterruptedException {
		Isolation isolation;
		try {
			isolation = context.isolation();
		}
		catch (SandboxException ex) {
			return List.of(unavailable(ex));
		}
		List<DoctorFinding> findings = new ArrayList<>();
		findings.add(DoctorFinding.ok(NAME, "A sandbox runs, and " + isolation.checks().size() + " checks were made."));
		for (Restriction restriction : Restriction.values()) {
			findings.add(finding(restriction, isolation));
		}
		return findings;
	}

	static DoctorFinding unavailable(SandboxException failure) {
		String message = String.valueOf(failure.getMessage());
		if (!(failure instanceof SandboxUnavailableException unavailable)) {
			return DoctorFinding.fail(NAME, message, "No sandbox can be made.", "See docs/troubleshooting.md.");
		}
		int remedy = message.lastIndexOf(unavailable.remedy());
		String summary = (remedy > 0) ? message.substring(0, remedy).strip() : message;
		return DoctorFinding.fail(NAME, summary, "No command can run (" + unavailable.unavailable() + ").",
				unavailable.remedy());
	}

	private static DoctorFinding finding(Restriction restriction, Isolation isolation) {
		String name = NAME + "." + restriction.id();
		List<Check> checks = isolation.checks().stream().filter((check) -> check.restriction() == restriction).toList();
		if (checks.isEmpty()) {
			return DoctorFinding.warn(name, "The backend proves nothing of it.",
					"Whether it holds for commands is not known.",
					"Use a backend that proves it, such as bubblewrap's.");
		}
		String gaps = checks.stream()
			.filter((check) -> !check.held())
			.map((check) -> check.name() + " (" + check.detail() + ")")
			.collect(Collectors.joining("; "));
		if (gaps.isEmpty()) {
			return DoctorFinding.ok(name,
					"Held: " + checks.stream().map(Check::name).collect(Collectors.joining(", ")) + ".");
		}
		return DoctorFinding.warn(name, "Not held: " + gaps + ".",
				"Commands run without this restriction, as it is not required.",
				"Repair the host, and put the restriction into 'sandbox.require'.");
	}

}
