package io.sandbox4j.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one sandbox to its copy.
 */
final class InMemoryRunTransaction extends InMemoryRunView implements RunTransaction {

	private final RunShelf shelf;

	private final String sandbox;

	InMemoryRunTransaction(NavigableMap<String, RunShelf> shelves, RunShelf shelf, String sandbox) {
		super(shelves);
		this.shelf = shelf;
		this.sandbox = sandbox;
	}

	@Override
	public void save(SandboxRecord record) {
		this.shelf.sandbox = record;
	}

	@Override
	public void save(RunRecord run) {
		require(this.shelf.sandbox != null);
		this.shelf.runs.put(run.id(), run);
	}

	@Override
	public void save(OperationRecord operation) {
		require(this.shelf.runs.containsKey(operation.run()));
		RunShelf.OperationKey key = new RunShelf.OperationKey(operation.run(), operation.id());
		require(this.shelf.operations.entrySet()
			.stream()
			.noneMatch((known) -> known.getValue().number() == operation.number() && !known.getKey().equals(key)));
		this.shelf.operations.put(key, operation);
	}

	@Override
	public @Nullable MessageRecord saveMessage(String run, String operation, String id, String content) {
		RunShelf.OperationKey key = new RunShelf.OperationKey(run, operation);
		require(this.shelf.operations.containsKey(key));
		List<MessageRecord> messages = this.shelf.messages.computeIfAbsent(key, (absent) -> new ArrayList<>());
		int index = 0;
		while (index < messages.size() && !messages.get(index).id().equals(id)) {
			index++;
		}
		MessageRecord message = MessageRecord.of(index, id, content);
		if (index == messages.size()) {
			messages.add(message);
		}
		else if (messages.set(index, message).equals(message)) {
			return null;
		}
		return message;
	}

	@Override
	public void save(CheckoutRecord checkout) {
		require(this.shelf.sandbox != null);
		this.shelf.checkouts.put(checkout.directory(), checkout);
	}

	private static void require(boolean fits) {
		if (!fits) {
			throw new SandboxException(ErrorCode.SANDBOX_INVALID, RunTransaction.UNFIT);
		}
	}

	@Override
	public RunEvent append(Instant at, String kind, String run, String operation, String content) {
		RunEvent event = new RunEvent(this.sandbox, this.shelf.events.size() + 1L, at, kind, run, operation, content);
		this.shelf.events.add(event);
		return event;
	}

	@Override
	public void delete() {
		this.shelf.clear();
	}

}
