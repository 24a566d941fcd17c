package io.sandbox4j.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Counts what was settled, once it is written: a write that fails has settled nothing.
 * What a write is about to settle belongs to its thread.
 */
final class SettledTurns {

	private final LongAdder done = new LongAdder();

	private final Map<UnansweredReason, LongAdder> unanswered = new ConcurrentHashMap<>();

	private final ThreadLocal<List<OperationRecord>> pending = ThreadLocal.withInitial(ArrayList::new);

	void begin() {
		this.pending.get().clear();
	}

	void add(OperationRecord operation) {
		this.pending.get().add(operation);
	}

	void written() {
		for (OperationRecord operation : this.pending.get()) {
			count(operation.reason());
		}
		this.pending.remove();
	}

	private void count(@Nullable UnansweredReason reason) {
		if (reason != null) {
			this.unanswered.computeIfAbsent(reason, (absent) -> new LongAdder()).increment();
		}
		else {
			this.done.increment();
		}
	}

	long done() {
		return this.done.sum();
	}

	Map<UnansweredReason, Long> unanswered() {
		return this.unanswered.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().sum()));
	}

}
