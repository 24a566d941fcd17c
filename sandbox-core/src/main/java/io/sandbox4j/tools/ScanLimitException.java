package io.sandbox4j.tools;

/**
 * A line is too far from the start of a file to be looked for.
 */
final class ScanLimitException extends Exception {

	private final long lines;

	private final long bytes;

	ScanLimitException(long lines, long bytes) {
		super("The first " + bytes + " bytes hold " + lines + " whole lines only");
		this.lines = lines;
		this.bytes = bytes;
	}

	/**
	 * Returns how many lines were passed.
	 * @return the whole lines only
	 */
	long lines() {
		return this.lines;
	}

	long bytes() {
		return this.bytes;
	}

}
