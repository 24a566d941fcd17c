package io.sandbox4j.cli;

/**
 * The command line is not one that this program understands.
 */
final class UsageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UsageException(String message) {
		super(message);
	}

}
