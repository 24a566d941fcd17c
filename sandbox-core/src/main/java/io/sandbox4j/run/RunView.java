package io.sandbox4j.run;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One consistent state of a {@link RunStore}. Pages are by key: what comes after the last
 * one of a page is the next page, whatever was added meanwhile.
 *
 * @since 0.1.0
 */
public interface RunView {

	/**
	 * How many records one page has at most.
	 */
	int MAX_PAGE = 1000;

	/**
	 * Returns a sandbox.
	 * @param key its key
	 * @return the sandbox, or {@code null} if there is none
	 */
	@Nullable SandboxRecord sandbox(String key);

	/**
	 * Returns sandboxes, sorted by key.
	 * @param after only keys that sort behind this one; empty for the first page
	 * @param limit how many at most, 1 to 1000
	 * @return the sandboxes
	 */
	List<SandboxRecord> sandboxes(String after, int limit);

	/**
	 * Returns the sandboxes that have an operation that is not settled, sorted by key.
	 * @param after only keys that sort behind this one; empty for the first page
	 * @param limit how many at most, 1 to 1000
	 * @return their keys
	 */
	List<String> unsettled(String after, int limit);

	/**
	 * Returns a run.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 * @return the run, or {@code null} if there is none
	 */
	@Nullable RunRecord run(String sandbox, String run);

	/**
	 * Returns the runs of a sandbox, sorted by id.
	 * @param sandbox the sandbox's key
	 * @param after only ids that sort behind this one; empty for the first page
	 * @param limit how many at most, 1 to 1000
	 * @return the runs
	 */
	List<RunRecord> runs(String sandbox, String after, int limit);

	/**
	 * Returns an operation.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 * @param operation the operation's id
	 * @return the operation, or {@code null} if there is none
	 */
	@Nullable OperationRecord operation(String sandbox, String run, String operation);

	/**
	 * Returns the operations of a run in the order of their submission.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 * @param after only those with a greater number; -1 for the first page
	 * @param limit how many at most, 1 to 1000
	 * @return the operations
	 */
	List<OperationRecord> operations(String sandbox, String run, long after, int limit);

	/**
	 * Returns the operations of a sandbox that are not settled, in the order of their
	 * submission.
	 * @param sandbox the sandbox's key
	 * @return the operations
	 */
	List<OperationRecord> unsettledOperations(String sandbox);

	/**
	 * Whether a sandbox has an operation that is not settled.
	 * @param sandbox the sandbox's key
	 * @return whether there is one
	 */
	boolean hasUnsettled(String sandbox);

	/**
	 * Whether a run has an operation that is not settled.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 * @return whether there is one
	 */
	boolean hasUnsettled(String sandbox, String run);

	/**
	 * Returns the conversations of a sandbox that have an operation that is not settled,
	 * in the order of the first one of each.
	 * @param sandbox the sandbox's key
	 * @return the conversations
	 */
	List<String> unsettledConversations(String sandbox);

	/**
	 * Returns the first operation of a conversation that is not settled and that is not
	 * of an owner, which is that nobody began, or somebody else did.
	 * @param sandbox the sandbox's key
	 * @param conversation the conversation, which several runs may have
	 * @param owner the owner
	 * @return the one that was submitted first, or {@code null} if there is none
	 */
	@Nullable OperationRecord nextOperation(String sandbox, String conversation, String owner);

	/**
	 * Whether an operation of a conversation was ever begun, which is that it has an
	 * owner.
	 * @param sandbox the sandbox's key
	 * @param conversation the conversation, which several runs may have
	 * @return whether there is one
	 */
	boolean hasTurns(String sandbox, String conversation);

	/**
	 * Returns the messages of an operation, sorted by index.
	 * @param sandbox the sandbox's key
	 * @param run the run's id
	 * @param operation the operation's id
	 * @param from the first index
	 * @param limit how many at most, 1 to 1000
	 * @return the messages
	 */
	List<MessageRecord> messages(String sandbox, String run, String operation, int from, int limit);

	/**
	 * Returns the checkouts of a sandbox, the newest first.
	 * @param sandbox the sandbox's key
	 * @return the checkouts
	 */
	List<CheckoutRecord> checkouts(String sandbox);

	/**
	 * Returns events of a sandbox, sorted by sequence number.
	 * @param sandbox the sandbox's key
	 * @param after only those with a greater number; 0 for the first page
	 * @param limit how many at most, 1 to 1000
	 * @return the events
	 */
	List<RunEvent> events(String sandbox, long after, int limit);

	/**
	 * Returns the number of the last event of a sandbox.
	 * @param sandbox the sandbox's key
	 * @return the number, 0 if there is none
	 */
	long lastEvent(String sandbox);

}
