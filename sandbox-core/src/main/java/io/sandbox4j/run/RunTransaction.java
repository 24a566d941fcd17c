package io.sandbox4j.run;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Writes of one sandbox, which are kept together. A record replaces the one with the same
 * identity. What was written is seen by the reads of the transaction.
 * <p>
 * What a record belongs to is there before it: a run needs its sandbox, an operation its
 * run, a message its operation, a checkout its sandbox, and two operations of a sandbox
 * never have one number. A call that fails spoils the transaction, whatever the work does
 * about it: nothing is written, and the failure is thrown once more.
 *
 * @since 0.1.0
 */
public interface RunTransaction extends RunView {

	/**
	 * The message for a record that does not fit to those that are there.
	 */
	String UNFIT = "The record does not fit to what is stored: what it belongs to must be there before it, "
			+ "and its number must be its own.";

	/**
	 * Saves the sandbox.
	 * @param sandbox the sandbox
	 */
	void save(SandboxRecord sandbox);

	/**
	 * Saves a run.
	 * @param run the run
	 */
	void save(RunRecord run);

	/**
	 * Saves an operation.
	 * @param operation the operation
	 */
	void save(OperationRecord operation);

	/**
	 * Saves a message in place of the one with its id, or behind the others.
	 * @param run the run's id
	 * @param operation the operation's id
	 * @param id the message's id
	 * @param content the content
	 * @return the message, {@code null} if the very same was there
	 */
	@Nullable MessageRecord saveMessage(String run, String operation, String id, String content);

	/**
	 * Saves a checkout in place of the one with its directory.
	 * @param checkout the checkout
	 */
	void save(CheckoutRecord checkout);

	/**
	 * Appends an event. The numbers of a sandbox start with 1 and have no gap, also after
	 * {@link #delete()}.
	 * @param at when it happened
	 * @param kind what happened, such as {@code operation/settled}
	 * @param run the run's id, empty if it is of none
	 * @param operation the operation's id, empty if it is of none
	 * @param content what is to be told of it
	 * @return the event
	 */
	RunEvent append(Instant at, String kind, String run, String operation, String content);

	/**
	 * Deletes the sandbox with its runs, operations, messages and checkouts. Its events
	 * stay.
	 */
	void delete();

}
