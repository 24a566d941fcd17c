package io.sandbox4j.run;

import java.util.List;

/**
 * Where an operation stands, and its messages.
 *
 * @param operation the operation
 * @param messages its messages from the cursor on, at most {@link RunView#MAX_PAGE}. One
 * that is replaced keeps its index, so one before the cursor is not seen again
 * @param next the cursor behind them
 * @since 0.1.0
 */
public record PollResult(OperationRecord operation, List<MessageRecord> messages, int next) {

	/**
	 * Copies the messages.
	 */
	public PollResult {
		messages = List.copyOf(messages);
	}

}
