package io.sandbox4j.run;

/**
 * An agent has no answer. The message is stored and told to whoever polls, so it must
 * hold no secret.
 *
 * @since 0.1.0
 */
public final class AgentFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message why there is no answer
	 */
	public AgentFailedException(String message) {
		super(message);
	}

}
