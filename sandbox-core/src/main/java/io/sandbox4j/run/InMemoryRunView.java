package io.sandbox4j.run;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Reads of one state in memory.
 */
class InMemoryRunView implements RunView {

	private static final RunShelf NOTHING = new RunShelf();

	private final NavigableMap<String, RunShelf> shelves;

	InMemoryRunView(NavigableMap<String, RunShelf> shelves) {
		this.shelves = shelves;
	}

	private RunShelf shelf(String sandbox) {
		return this.shelves.getOrDefault(sandbox, NOTHING);
	}

	@Override
	public @Nullable SandboxRecord sandbox(String key) {
		return shelf(key).sandbox;
	}

	@Override
	public List<SandboxRecord> sandboxes(String after, int limit) {
		return this.shelves.tailMap(after, false)
			.values()
			.stream()
			.map((shelf) -> shelf.sandbox)
			.filter(Objects::nonNull)
			.limit(limit)
			.toList();
	}

	@Override
	public List<String> unsettled(String after, int limit) {
		return this.shelves.tailMap(after, false).keySet().stream().filter(this::hasUnsettled).limit(limit).toList();
	}

	@Override
	public @Nullable RunRecord run(String sandbox, String run) {
		return shelf(sandbox).runs.get(run);
	}

	@Override
	public List<RunRecord> runs(String sandbox, String after, int limit) {
		return shelf(sandbox).runs.tailMap(after, false).values().stream().limit(limit).toList();
	}

	@Override
	public @Nullable OperationRecord operation(String sandbox, String run, String operation) {
		return shelf(sandbox).operations.get(new RunShelf.OperationKey(run, operation));
	}

	@Override
	public List<OperationRecord> operations(String sandbox, String run, long after, int limit) {
		return sorted(sandbox).filter((operation) -> operation.run().equals(run))
			.filter((operation) -> operation.number() > after)
			.limit(limit)
			.toList();
	}

	@Override
	public List<OperationRecord> unsettledOperations(String sandbox) {
		return sorted(sandbox).filter((operation) -> !operation.isSettled()).toList();
	}

	@Override
	public boolean hasUnsettled(String sandbox) {
		return shelf(sandbox).operations.values().stream().anyMatch((operation) -> !operation.isSettled());
	}

	@Override
	public boolean hasUnsettled(String sandbox, String run) {
		return shelf(sandbox).operations.values()
			.stream()
			.anyMatch((operation) -> operation.run().equals(run) && !operation.isSettled());
	}

	@Override
	public List<String> unsettledConversations(String sandbox) {
		return unsettledOperations(sandbox).stream().map(this::conversation).distinct().toList();
	}

	@Override
	public @Nullable OperationRecord nextOperation(String sandbox, String conversation, String owner) {
		return unsettledOperations(sandbox).stream()
			.filter((operation) -> !operation.owner().equals(owner) && conversation(operation).equals(conversation))
			.findFirst()
			.orElse(null);
	}

	@Override
	public boolean hasTurns(String sandbox, String conversation) {
		return shelf(sandbox).operations.values()
			.stream()
			.anyMatch((operation) -> !operation.owner().isEmpty() && conversation(operation).equals(conversation));
	}

	// An operation is saved after its run, and no run is deleted alone.
	private String conversation(OperationRecord operation) {
		return Objects.requireNonNull(shelf(operation.sandbox()).runs.get(operation.run())).conversation();
	}

	private Stream<OperationRecord> sorted(String sandbox) {
		return shelf(sandbox).operations.values().stream().sorted(Comparator.comparing(OperationRecord::number));
	}

	@Override
	public List<MessageRecord> messages(String sandbox, String run, String operation, int from, int limit) {
		return shelf(sandbox).messages.getOrDefault(new RunShelf.OperationKey(run, operation), List.of())
			.stream()
			.skip(from)
			.limit(limit)
			.toList();
	}

	@Override
	public List<CheckoutRecord> checkouts(String sandbox) {
		// The sort keeps the order of directories among those of one time.
		return shelf(sandbox).checkouts.values()
			.stream()
			.sorted(Comparator.comparing(CheckoutRecord::noted).reversed())
			.toList();
	}

	@Override
	public List<RunEvent> events(String sandbox, long after, int limit) {
		return shelf(sandbox).events.stream().skip(after).limit(limit).toList();
	}

	@Override
	public long lastEvent(String sandbox) {
		return shelf(sandbox).events.size();
	}

}
