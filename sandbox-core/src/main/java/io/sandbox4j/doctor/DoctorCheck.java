package io.sandbox4j.doctor;

import java.util.List;

/**
 * One look at the host or at the settings. Called on a thread of the doctor, which is
 * interrupted when the check takes too long.
 *
 * @since 0.1.0
 */
public interface DoctorCheck {

	/**
	 * Returns the name under which a failure of the check itself is reported.
	 * @return lower-case words with dashes
	 */
	String name();

	/**
	 * Looks. Must change nothing that others see.
	 * @param context what there is to look at
	 * @return what was seen; empty if there is nothing to say
	 * @throws Exception if it cannot look. The report then names the class of the
	 * exception, and no message
	 */
	List<DoctorFinding> check(DoctorContext context) throws Exception;

}
