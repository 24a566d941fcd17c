package io.sandbox4j.sample;

import io.sandbox4j.test.ai.ReplayMismatchException;

/**
 * The model, or what it did to its repository, ended the work. The message is for whoever
 * gave the task.
 */
class AgentException extends RuntimeException {

	AgentException(String message) {
		super(message);
	}

	// What a provider says can name its account or repeat what was sent.
	static AgentException of(RuntimeException failure) {
		return new AgentException((failure instanceof ReplayMismatchException) ? String.valueOf(failure.getMessage())
				: "The model failed. The log of the application says why.");
	}

}
