package io.sandbox4j.store.jdbc;

import java.time.Instant;

import io.sandbox4j.SandboxState;
import io.sandbox4j.run.CheckoutRecord;
import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.SandboxRecord;
import io.sandbox4j.run.UnansweredReason;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one transaction. Nobody else writes of the sandbox meanwhile, so the next
 * number is one more than the last.
 */
final class JdbcRunTransaction extends JdbcRunView implements RunTransaction {

	private static final String SAVE_SANDBOX = "INSERT INTO sandbox4j_sandbox (sandbox, state_backend, state_session, "
			+ "state_template, prepared, checkpoint, operations, created, used) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
			+ "ON CONFLICT (sandbox) DO UPDATE SET state_backend = excluded.state_backend, "
			+ "state_session = excluded.state_session, state_template = excluded.state_template, "
			+ "prepared = excluded.prepared, checkpoint = excluded.checkpoint, operations = excluded.operations, "
			+ "created = excluded.created, used = excluded.used";

	private static final String SAVE_RUN = "INSERT INTO sandbox4j_run (sandbox, run, conversation, parent, cwd, "
			+ "stopped, created) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sandbox, run) DO UPDATE SET "
			+ "conversation = excluded.conversation, parent = excluded.parent, cwd = excluded.cwd, "
			+ "stopped = excluded.stopped, created = excluded.created";

	private static final String SAVE_OPERATION = "INSERT INTO sandbox4j_operation (sandbox, run, operation, number, "
			+ "content, status, reason, answer, owner, submitted, settled, unsettled) "
			+ "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sandbox, run, operation) DO UPDATE SET "
			+ "number = excluded.number, content = excluded.content, status = excluded.status, "
			+ "reason = excluded.reason, answer = excluded.answer, owner = excluded.owner, "
			+ "submitted = excluded.submitted, settled = excluded.settled, unsettled = excluded.unsettled";

	private static final String ADD_MESSAGE = "INSERT INTO sandbox4j_message (sandbox, run, operation, place, "
			+ "message, digest, content) VALUES (?, ?, ?, ?, ?, ?, ?)";

	private static final String REPLACE_MESSAGE = "UPDATE sandbox4j_message SET digest = ?, content = ? "
			+ "WHERE sandbox = ? AND run = ? AND operation = ? AND place = ?";

	private static final String SAVE_CHECKOUT = "INSERT INTO sandbox4j_checkout (sandbox, directory, kind, "
			+ "repository, noted) VALUES (?, ?, ?, ?, ?) ON CONFLICT (sandbox, directory) DO UPDATE SET "
			+ "kind = excluded.kind, repository = excluded.repository, noted = excluded.noted";

	private static final String APPEND = "INSERT INTO sandbox4j_event (sandbox, sequence, happened, kind, run, "
			+ "operation, content) VALUES (?, ?, ?, ?, ?, ?, ?)";

	// What belongs to it goes with it.
	private static final String DELETE = "DELETE FROM sandbox4j_sandbox WHERE sandbox = ?";

	private final String sandbox;

	JdbcRunTransaction(Statements statements, String sandbox) {
		super(statements);
		this.sandbox = sandbox;
	}

	@Override
	public void save(SandboxRecord record) {
		SandboxState state = record.state();
		statements().update(SAVE_SANDBOX, record.key(), (state != null) ? state.backend() : null,
				(state != null) ? state.sessionId() : null, (state != null) ? state.templateKey() : null,
				record.prepared() ? 1 : 0, record.checkpoint(), record.operations(), Rows.time(record.created()),
				Rows.time(record.used()));
	}

	@Override
	public void save(RunRecord run) {
		statements().update(SAVE_RUN, run.sandbox(), run.id(), run.conversation(), run.parent(), run.cwd(),
				run.stopped() ? 1 : 0, Rows.time(run.created()));
	}

	@Override
	public void save(OperationRecord operation) {
		UnansweredReason reason = operation.reason();
		statements().update(SAVE_OPERATION, operation.sandbox(), operation.run(), operation.id(), operation.number(),
				Rows.text(operation.text()), operation.status().name(), (reason != null) ? reason.name() : null,
				Rows.text(operation.answer()), operation.owner(), Rows.time(operation.submitted()),
				Rows.timeOrNull(operation.settled()), operation.isSettled() ? 0 : 1);
	}

	@Override
	public @Nullable MessageRecord saveMessage(String run, String operation, String id, String content) {
		MessageRecord known = statements().one(Queries.MESSAGE, Rows::message, this.sandbox, run, operation, id);
		if (known == null) {
			return addMessage(run, operation, id, content);
		}
		MessageRecord message = MessageRecord.of(known.index(), id, content);
		if (message.equals(known)) {
			return null;
		}
		statements().update(REPLACE_MESSAGE, message.digest(), Rows.text(content), this.sandbox, run, operation,
				message.index());
		return message;
	}

	private MessageRecord addMessage(String run, String operation, String id, String content) {
		Integer next = statements().one(Queries.LAST_PLACE, (row) -> {
			int last = row.getInt(1);
			return row.wasNull() ? 0 : last + 1;
		}, this.sandbox, run, operation);
		MessageRecord message = MessageRecord.of((next != null) ? next : 0, id, content);
		statements().update(ADD_MESSAGE, this.sandbox, run, operation, message.index(), id, message.digest(),
				Rows.text(content));
		return message;
	}

	@Override
	public void save(CheckoutRecord checkout) {
		statements().update(SAVE_CHECKOUT, this.sandbox, checkout.directory(), checkout.kind().name(),
				checkout.repository(), Rows.time(checkout.noted()));
	}

	@Override
	public RunEvent append(Instant at, String kind, String run, String operation, String content) {
		RunEvent event = new RunEvent(this.sandbox, lastEvent(this.sandbox) + 1, at, kind, run, operation, content);
		statements().update(APPEND, this.sandbox, event.sequence(), Rows.time(at), kind, run, operation,
				Rows.text(content));
		return event;
	}

	@Override
	public void delete() {
		statements().update(DELETE, this.sandbox);
	}

}
