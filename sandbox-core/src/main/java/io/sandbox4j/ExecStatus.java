package io.sandbox4j;

/**
 * How a command ended.
 *
 * @since 0.1.0
 */
public enum ExecStatus {

	/**
	 * The program ended by itself, with any exit code.
	 */
	EXITED,

	/**
	 * A signal that nobody on the host sent for this command ended the program.
	 */
	SIGNALLED,

	/**
	 * The deadline passed and every process of the command was killed.
	 */
	TIMED_OUT,

	/**
	 * More output came than {@link ExecSpec#maxOutputBytes()} and every process of the
	 * command was killed.
	 */
	OUTPUT_LIMIT,

	/**
	 * A resource limit of the sandbox ended the program: CPU time or file size.
	 */
	RESOURCE_LIMIT,

	/**
	 * The sandbox was stopped.
	 */
	STOPPED,

	/**
	 * The caller cancelled the command or interrupted the thread that waited for it.
	 */
	CANCELLED,

	/**
	 * The program could not be started: it, or its interpreter, does not exist or is not
	 * executable. Nothing of it ran.
	 */
	LAUNCH_FAILED

}
