package io.sandbox4j.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one sandbox, in memory.
 */
final class RunShelf {

	/**
	 * By code points, which is the order of UTF-8's bytes. That of a string is another
	 * one: it has characters beyond the first 65,536 before the last of these.
	 */
	static final Comparator<String> ORDER = RunShelf::compare;

	@Nullable SandboxRecord sandbox;

	final NavigableMap<String, RunRecord> runs = new TreeMap<>(ORDER);

	final Map<OperationKey, OperationRecord> operations = new HashMap<>();

	final Map<OperationKey, List<MessageRecord>> messages = new HashMap<>();

	final NavigableMap<String, CheckoutRecord> checkouts = new TreeMap<>(ORDER);

	final List<RunEvent> events = new ArrayList<>();

	RunShelf copy() {
		RunShelf copy = new RunShelf();
		copy.sandbox = this.sandbox;
		copy.runs.putAll(this.runs);
		copy.operations.putAll(this.operations);
		this.messages.forEach((key, list) -> copy.messages.put(key, new ArrayList<>(list)));
		copy.checkouts.putAll(this.checkouts);
		copy.events.addAll(this.events);
		return copy;
	}

	void clear() {
		this.sandbox = null;
		this.runs.clear();
		this.operations.clear();
		this.messages.clear();
		this.checkouts.clear();
	}

	private static int compare(String left, String right) {
		int length = Math.min(left.length(), right.length());
		for (int i = 0; i < length; i++) {
			char one = left.charAt(i);
			char other = right.charAt(i);
			if (one != other) {
				boolean same = Character.isSurrogate(one) == Character.isSurrogate(other);
				return same ? Character.compare(one, other) : (Character.isSurrogate(one) ? 1 : -1);
			}
		}
		return Integer.compare(left.length(), right.length());
	}

	/**
	 * Identifies an operation of the sandbox.
	 *
	 * @param run the run's id
	 * @param operation the operation's id
	 */
	record OperationKey(String run, String operation) {

	}

}
