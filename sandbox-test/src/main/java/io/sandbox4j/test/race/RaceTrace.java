package io.sandbox4j.test.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What happened in a race, in the order in which it was recorded. Every failed assertion
 * shows the whole trace. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RaceTrace {

	private final List<Entry> entries = new ArrayList<>();

	/**
	 * Creates an empty trace.
	 */
	public RaceTrace() {
	}

	/**
	 * Records that something happened.
	 * @param name what happened
	 * @return the entry
	 */
	public Entry record(String name) {
		synchronized (this.entries) {
			Entry entry = new Entry(name, this.entries.size() + 1);
			this.entries.add(entry);
			return entry;
		}
	}

	/**
	 * Returns what was recorded so far.
	 * @return a copy, in order
	 */
	public List<Entry> entries() {
		synchronized (this.entries) {
			return List.copyOf(this.entries);
		}
	}

	/**
	 * Returns how often something happened so far.
	 * @param name what happened
	 * @return how many entries have this name
	 */
	public int count(String name) {
		return named(entries(), name).size();
	}

	/**
	 * Asserts that something happened before something else: both did, and every entry of
	 * the first comes before every entry of the second.
	 * @param earlier what happened first
	 * @param later what happened then
	 * @throws AssertionError if it was otherwise
	 */
	public void assertBefore(String earlier, String later) {
		if (earlier.equals(later)) {
			throw new IllegalArgumentException("'earlier' and 'later' must differ");
		}
		List<Entry> all = entries();
		String claim = "'" + earlier + "' before '" + later + "'";
		List<Entry> first = recorded(all, earlier, claim);
		List<Entry> second = recorded(all, later, claim);
		Entry last = first.get(first.size() - 1);
		if (last.sequence() > second.get(0).sequence()) {
			throw failure("Expected " + claim, all);
		}
	}

	/**
	 * Asserts that exactly this happened, in this order.
	 * @param names the name of every entry
	 * @throws AssertionError if it was otherwise
	 */
	public void assertSequence(String... names) {
		List<String> expected = List.of(names);
		List<Entry> all = entries();
		if (!all.stream().map(Entry::name).toList().equals(expected)) {
			throw failure("Expected exactly " + expected, all);
		}
	}

	private static List<Entry> recorded(List<Entry> all, String name, String claim) {
		List<Entry> found = named(all, name);
		if (found.isEmpty()) {
			throw failure("Expected " + claim + ", but '" + name + "' was not recorded", all);
		}
		return found;
	}

	private static List<Entry> named(List<Entry> all, String name) {
		Objects.requireNonNull(name, "'name' must not be null");
		return all.stream().filter((entry) -> entry.name().equals(name)).toList();
	}

	private static AssertionError failure(String problem, List<Entry> all) {
		return new AssertionError(problem + ". " + text(all));
	}

	private static String text(List<Entry> all) {
		return all.isEmpty() ? "The trace is empty."
				: all.stream()
					.map((entry) -> entry.sequence() + " " + entry.name())
					.collect(Collectors.joining(", ", "The trace: ", "."));
	}

	/**
	 * Returns the whole trace.
	 */
	@Override
	public String toString() {
		return text(entries());
	}

	/**
	 * Something that happened.
	 *
	 * @param name what it was
	 * @param sequence its place in the trace, counted from 1
	 * @since 0.1.0
	 */
	public record Entry(String name, int sequence) {

		/**
		 * Validates the components.
		 */
		public Entry {
			Objects.requireNonNull(name, "'name' must not be null");
			if (name.isBlank()) {
				throw new IllegalArgumentException("'name' must not be blank");
			}
			if (sequence < 1) {
				throw new IllegalArgumentException("'sequence' must be positive");
			}
		}

	}

}
