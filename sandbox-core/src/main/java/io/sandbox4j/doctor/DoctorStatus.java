package io.sandbox4j.doctor;

/**
 * How a finding is to be taken, from good to bad.
 *
 * @since 0.1.0
 */
public enum DoctorStatus {

	/**
	 * As it should be.
	 */
	OK,

	/**
	 * Sandboxes run, and somebody should look at it.
	 */
	WARN,

	/**
	 * Sandboxes do not run, or not as promised.
	 */
	FAIL

}
