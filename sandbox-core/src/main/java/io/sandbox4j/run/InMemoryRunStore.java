package io.sandbox4j.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory. A sandbox's records are one value, which a writer copies, changes
 * and puts in place of the old one.
 */
final class InMemoryRunStore implements RunStore {

	private final NavigableMap<String, Shelf> shelves = new ConcurrentSkipListMap<>();

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	private volatile boolean closed;

	@Override
	public <T extends @Nullable Object> T read(Function<? super RunView, T> work) {
		requireOpen();
		return work.apply(new View(new TreeMap<>(this.shelves)));
	}

	@Override
	public <T extends @Nullable Object> T write(String sandbox, Function<? super RunTransaction, T> work) {
		ReentrantLock lock = this.locks.computeIfAbsent(sandbox, (key) -> new ReentrantLock(true));
		lock.lock();
		try {
			requireOpen();
			NavigableMap<String, Shelf> all = new TreeMap<>(this.shelves);
			Shelf copy = all.getOrDefault(sandbox, new Shelf()).copy();
			all.put(sandbox, copy);
			T result = work.apply(new Transaction(all, copy, sandbox));
			this.shelves.put(sandbox, copy);
			return result;
		}
		finally {
			lock.unlock();
		}
	}

	private void requireOpen() {
		if (this.closed) {
			throw new SandboxException(ErrorCode.SANDBOX_STOPPED, "The store of runs is closed.");
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

	/**
	 * Identifies a run, or an operation of it.
	 *
	 * @param run the run's id
	 * @param operation the operation's id
	 */
	private record OperationKey(String run, String operation) {

	}

	/**
	 * What is known of one sandbox.
	 */
	private static final class Shelf {

		@Nullable SandboxRecord sandbox;

		final NavigableMap<String, RunRecord> runs = new TreeMap<>();

		final Map<OperationKey, OperationRecord> operations = new HashMap<>();

		final Map<OperationKey, List<MessageRecord>> messages = new HashMap<>();

		final NavigableMap<String, CheckoutRecord> checkouts = new TreeMap<>();

		final List<RunEvent> events = new ArrayList<>();

		Shelf copy() {
			Shelf copy = new Shelf();
			copy.sandbox = this.sandbox;
			copy.runs.putAll(this.runs);
			copy.operations.putAll(this.operations);
			this.messages.forEach((key, list) -> copy.messages.put(key, new ArrayList<>(list)));
			copy.checkouts.putAll(this.checkouts);
			copy.events.addAll(this.events);
			return copy;
		}

	}

	/**
	 * Reads of one state.
	 */
	private static class View implements RunView {

		private static final Shelf NOTHING = new Shelf();

		private final NavigableMap<String, Shelf> shelves;

		View(NavigableMap<String, Shelf> shelves) {
			this.shelves = shelves;
		}

		private Shelf shelf(String sandbox) {
			return this.shelves.getOrDefault(sandbox, NOTHING);
		}

		@Override
		public @Nullable SandboxRecord sandbox(String key) {
			return shelf(key).sandbox;
		}

		@Override
		public List<SandboxRecord> sandboxes(String after, int limit) {
			return page(this.shelves.tailMap(after, false)
				.values()
				.stream()
				.map((shelf) -> shelf.sandbox)
				.filter(Objects::nonNull), limit);
		}

		@Override
		public List<String> unsettled(String after, int limit) {
			return page(this.shelves.tailMap(after, false)
				.keySet()
				.stream()
				.filter((key) -> !unsettledOperations(key).isEmpty()), limit);
		}

		@Override
		public @Nullable RunRecord run(String sandbox, String run) {
			return shelf(sandbox).runs.get(run);
		}

		@Override
		public List<RunRecord> runs(String sandbox, String after, int limit) {
			return page(shelf(sandbox).runs.tailMap(after, false).values().stream(), limit);
		}

		@Override
		public @Nullable OperationRecord operation(String sandbox, String run, String operation) {
			return shelf(sandbox).operations.get(new OperationKey(run, operation));
		}

		@Override
		public List<OperationRecord> operations(String sandbox, String run, long after, int limit) {
			return page(sorted(sandbox).filter((operation) -> operation.run().equals(run))
				.filter((operation) -> operation.number() > after), limit);
		}

		@Override
		public List<OperationRecord> unsettledOperations(String sandbox) {
			return sorted(sandbox).filter((operation) -> !operation.isSettled()).toList();
		}

		private Stream<OperationRecord> sorted(String sandbox) {
			return shelf(sandbox).operations.values().stream().sorted(Comparator.comparing(OperationRecord::number));
		}

		@Override
		public List<MessageRecord> messages(String sandbox, String run, String operation, int from, int limit) {
			return page(shelf(sandbox).messages.getOrDefault(new OperationKey(run, operation), List.of())
				.stream()
				.skip(from), limit);
		}

		@Override
		public List<CheckoutRecord> checkouts(String sandbox) {
			return shelf(sandbox).checkouts.values()
				.stream()
				.sorted(Comparator.comparing(CheckoutRecord::noted).reversed().thenComparing(CheckoutRecord::directory))
				.toList();
		}

		@Override
		public List<RunEvent> events(String sandbox, long after, int limit) {
			return page(shelf(sandbox).events.stream().skip(after), limit);
		}

		@Override
		public long lastEvent(String sandbox) {
			return shelf(sandbox).events.size();
		}

		private static <T> List<T> page(Stream<T> all, int limit) {
			if (limit < 1 || limit > RunView.MAX_PAGE) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"'limit' must be between 1 and " + RunView.MAX_PAGE + ".");
			}
			return all.limit(limit).toList();
		}

	}

	/**
	 * Writes of one sandbox to its copy.
	 */
	private static final class Transaction extends View implements RunTransaction {

		private final Shelf shelf;

		private final String sandbox;

		Transaction(NavigableMap<String, Shelf> shelves, Shelf shelf, String sandbox) {
			super(shelves);
			this.shelf = shelf;
			this.sandbox = sandbox;
		}

		private void requireOwn(String named) {
			if (!named.equals(this.sandbox)) {
				throw new SandboxException(ErrorCode.SANDBOX_INVALID,
						"The transaction is of another sandbox, and may write of no other.");
			}
		}

		@Override
		public void save(SandboxRecord record) {
			requireOwn(record.key());
			this.shelf.sandbox = record;
		}

		@Override
		public void save(RunRecord run) {
			requireOwn(run.sandbox());
			this.shelf.runs.put(run.id(), run);
		}

		@Override
		public void save(OperationRecord operation) {
			requireOwn(operation.sandbox());
			this.shelf.operations.put(new OperationKey(operation.run(), operation.id()), operation);
		}

		@Override
		public @Nullable MessageRecord saveMessage(String run, String operation, String id, String content) {
			List<MessageRecord> messages = this.shelf.messages.computeIfAbsent(new OperationKey(run, operation),
					(key) -> new ArrayList<>());
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
			this.shelf.checkouts.put(checkout.directory(), checkout);
		}

		@Override
		public RunEvent append(Instant at, String kind, String run, String operation, String content) {
			RunEvent event = new RunEvent(this.sandbox, this.shelf.events.size() + 1L, at, kind, run, operation,
					content);
			this.shelf.events.add(event);
			return event;
		}

		@Override
		public void delete() {
			this.shelf.sandbox = null;
			this.shelf.runs.clear();
			this.shelf.operations.clear();
			this.shelf.messages.clear();
			this.shelf.checkouts.clear();
		}

	}

}
