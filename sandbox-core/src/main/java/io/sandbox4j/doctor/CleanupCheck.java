package io.sandbox4j.doctor;

import java.util.List;

/**
 * Deletes the sandbox of an examination.
 */
final class CleanupCheck implements DoctorCheck {

	@Override
	public String name() {
		return "own-sandbox";
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) {
		context.close();
		return List.of();
	}

}
