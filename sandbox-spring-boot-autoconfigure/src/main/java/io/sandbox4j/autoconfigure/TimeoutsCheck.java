package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.sandbox4j.doctor.DoctorCheck;
import io.sandbox4j.doctor.DoctorContext;
import io.sandbox4j.doctor.DoctorFinding;

/**
 * Whether commands get the time to end that a shutdown promises them.
 */
final class TimeoutsCheck implements DoctorCheck {

	private final Duration drain;

	private final Duration phase;

	/**
	 * Creates a check.
	 * @param drain how long commands may take to end
	 * @param phase how long the shutdown gives the whole phase
	 */
	TimeoutsCheck(Duration drain, Duration phase) {
		this.drain = drain;
		this.phase = phase;
	}

	@Override
	public String name() {
		return "timeouts";
	}

	@Override
	public List<DoctorFinding> check(DoctorContext context) {
		String summary = "'sandbox.drain-timeout' is " + this.drain
				+ " and 'spring.lifecycle.timeout-per-shutdown-phase' is " + this.phase + ".";
		if (this.drain.compareTo(this.phase) >= 0) {
			return List.of(DoctorFinding.warn(name(), summary,
					"The shutdown goes on before commands had the time that they are promised, and kills them.",
					"Make the first less than the second."));
		}
		return List.of(DoctorFinding.ok(name(), summary));
	}

}
