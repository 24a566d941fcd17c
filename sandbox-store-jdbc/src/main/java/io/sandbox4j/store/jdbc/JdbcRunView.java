package io.sandbox4j.store.jdbc;

import java.util.List;

import io.sandbox4j.run.CheckoutRecord;
import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunView;
import io.sandbox4j.run.SandboxRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one transaction.
 */
class JdbcRunView implements RunView {

	private final Statements statements;

	JdbcRunView(Statements statements) {
		this.statements = statements;
	}

	final Statements statements() {
		return this.statements;
	}

	@Override
	public @Nullable SandboxRecord sandbox(String key) {
		return this.statements.one(Queries.SANDBOX, Rows::sandbox, key);
	}

	@Override
	public List<SandboxRecord> sandboxes(String after, int limit) {
		return this.statements.list(Queries.SANDBOXES, Rows::sandbox, after, limit);
	}

	@Override
	public List<String> unsettled(String after, int limit) {
		return this.statements.list(Queries.UNSETTLED, (row) -> row.getString(1), after, limit);
	}

	@Override
	public @Nullable RunRecord run(String sandbox, String run) {
		return this.statements.one(Queries.RUN, Rows::run, sandbox, run);
	}

	@Override
	public List<RunRecord> runs(String sandbox, String after, int limit) {
		return this.statements.list(Queries.RUNS, Rows::run, sandbox, after, limit);
	}

	@Override
	public @Nullable OperationRecord operation(String sandbox, String run, String operation) {
		return this.statements.one(Queries.OPERATION, Rows::operation, sandbox, run, operation);
	}

	@Override
	public List<OperationRecord> operations(String sandbox, String run, long after, int limit) {
		return this.statements.list(Queries.OPERATIONS, Rows::operation, sandbox, run, after, limit);
	}

	@Override
	public List<OperationRecord> unsettledOperations(String sandbox) {
		return this.statements.list(Queries.UNSETTLED_OPERATIONS, Rows::operation, sandbox);
	}

	@Override
	public boolean hasUnsettled(String sandbox) {
		return this.statements.exists(Queries.HAS_UNSETTLED, sandbox);
	}

	@Override
	public boolean hasUnsettled(String sandbox, String run) {
		return this.statements.exists(Queries.HAS_UNSETTLED_OF_RUN, sandbox, run);
	}

	@Override
	public List<String> unsettledConversations(String sandbox) {
		return this.statements.list(Queries.UNSETTLED_CONVERSATIONS, (row) -> row.getString(1), sandbox);
	}

	@Override
	public @Nullable OperationRecord nextOperation(String sandbox, String conversation, String owner) {
		return this.statements.one(Queries.NEXT_OPERATION, Rows::operation, sandbox, sandbox, conversation, owner);
	}

	@Override
	public boolean hasTurns(String sandbox, String conversation) {
		return this.statements.exists(Queries.HAS_TURNS, sandbox, conversation);
	}

	@Override
	public List<MessageRecord> messages(String sandbox, String run, String operation, int from, int limit) {
		return this.statements.list(Queries.MESSAGES, Rows::message, sandbox, run, operation, from, limit);
	}

	@Override
	public List<CheckoutRecord> checkouts(String sandbox) {
		return this.statements.list(Queries.CHECKOUTS, Rows::checkout, sandbox);
	}

	@Override
	public List<RunEvent> events(String sandbox, long after, int limit) {
		return this.statements.list(Queries.EVENTS, Rows::event, sandbox, after, limit);
	}

	@Override
	public long lastEvent(String sandbox) {
		Long last = this.statements.one(Queries.LAST_EVENT, (row) -> row.getLong(1), sandbox);
		return (last != null) ? last : 0;
	}

}
