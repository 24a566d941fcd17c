package io.sandbox4j.tools;

/**
 * Why a tool did not do what a model asked, as a stable word.
 *
 * @since 0.1.0
 */
public enum RefusalCode {

	/**
	 * The arguments are wrong, or too large; other arguments can succeed.
	 */
	BAD_REQUEST,

	/**
	 * The path or the operation is not allowed.
	 */
	FORBIDDEN,

	/**
	 * There is no such file, directory or text.
	 */
	NOT_FOUND,

	/**
	 * What is there is not what the call expects.
	 */
	CONFLICT,

	/**
	 * The sandbox does as much as it may; the same call can succeed later.
	 */
	SANDBOX_BUSY,

	/**
	 * The sandbox was stopped, or cannot run commands.
	 */
	SANDBOX_UNAVAILABLE,

	/**
	 * The sandbox lacks a restriction that commands need.
	 */
	SANDBOX_INSUFFICIENT,

	/**
	 * No output is kept under the reference.
	 */
	SPILL_REFERENCE_UNKNOWN,

	/**
	 * The tool failed. The log of the application says why.
	 */
	INTERNAL_SERVER_ERROR

}
