package io.sandbox4j.doctor;

import java.util.Objects;

/**
 * One thing that a check saw. Holds no secret.
 *
 * @param name what was looked at, lower-case words with dashes, and dots between parts
 * @param status how it is to be taken
 * @param summary what was seen
 * @param meaning what follows from it; empty if nothing does
 * @param remedy what to do; empty if there is nothing to do
 * @since 0.1.0
 */
public record DoctorFinding(String name, DoctorStatus status, String summary, String meaning, String remedy) {

	/**
	 * Refuses nulls.
	 */
	public DoctorFinding {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(status, "'status' must not be null");
		Objects.requireNonNull(summary, "'summary' must not be null");
		Objects.requireNonNull(meaning, "'meaning' must not be null");
		Objects.requireNonNull(remedy, "'remedy' must not be null");
	}

	/**
	 * Makes a finding that asks for nothing.
	 * @param name what was looked at
	 * @param summary what was seen
	 * @return the finding
	 */
	public static DoctorFinding ok(String name, String summary) {
		return new DoctorFinding(name, DoctorStatus.OK, summary, "", "");
	}

	/**
	 * Makes a finding that somebody should look at.
	 * @param name what was looked at
	 * @param summary what was seen
	 * @param meaning what follows from it
	 * @param remedy what to do
	 * @return the finding
	 */
	public static DoctorFinding warn(String name, String summary, String meaning, String remedy) {
		return new DoctorFinding(name, DoctorStatus.WARN, summary, meaning, remedy);
	}

	/**
	 * Makes a finding that keeps sandboxes from running as promised.
	 * @param name what was looked at
	 * @param summary what was seen
	 * @param meaning what follows from it
	 * @param remedy what to do
	 * @return the finding
	 */
	public static DoctorFinding fail(String name, String summary, String meaning, String remedy) {
		return new DoctorFinding(name, DoctorStatus.FAIL, summary, meaning, remedy);
	}

}
