package io.sandbox4j.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunView;
import io.sandbox4j.run.SandboxRecord;
import io.sandbox4j.run.UnansweredReason;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Remembers what applications were told before they were killed, and compares it with
 * what is stored.
 */
final class Witness {

	private final Path begun;

	private final Set<String> submitted = new HashSet<>();

	private final Set<String> created = new HashSet<>();

	private final Set<String> stopped = new HashSet<>();

	private final Map<String, String> answered = new HashMap<>();

	private final Map<String, Stored> settled = new HashMap<>();

	private final Map<String, Stored> running = new HashMap<>();

	private Map<String, Stored> last = Map.of();

	private int lost;

	Witness(Path begun) {
		this.begun = begun;
	}

	void heard(List<String> lines) {
		for (String line : lines) {
			String[] words = line.split(" ", 3);
			switch (words[0]) {
				case "submitted" -> this.submitted.add(words[1]);
				case "created" -> this.created.add(words[1] + "/" + words[2]);
				case "stopped" -> this.stopped.add(words[1] + "/" + words[2]);
				case "settled" -> {
					String known = this.answered.put(words[1], words[2]);
					assertThat(known).as(words[1]).isIn(null, words[2]);
				}
				default -> assertThat(line).isEqualTo("open");
			}
		}
	}

	void look(RunStore store) {
		Map<String, Stored> now = new HashMap<>();
		Set<String> runs = new HashSet<>();
		store.read((view) -> {
			for (SandboxRecord sandbox : view.sandboxes("", RunView.MAX_PAGE)) {
				List<RunEvent> events = events(view, sandbox.key());
				Map<String, Stored> own = operations(view, sandbox, runs);
				assertTold(events, own);
				now.putAll(own);
			}
			return null;
		});
		assertThat(runs).containsAll(this.created).containsAll(this.stopped.stream().map((run) -> run + "!").toList());
		assertThat(now.keySet()).as("operations that a caller was told of").containsAll(this.submitted);
		assertThat(now.keySet()).as("operations that were there").containsAll(this.last.keySet());
		assertSame(now);
		assertBegunOnce(now);
		this.last = now;
	}

	private static List<RunEvent> events(RunView view, String sandbox) {
		List<RunEvent> events = new ArrayList<>();
		List<RunEvent> page = view.events(sandbox, 0, RunView.MAX_PAGE);
		while (!page.isEmpty()) {
			events.addAll(page);
			page = view.events(sandbox, page.get(page.size() - 1).sequence(), RunView.MAX_PAGE);
		}
		assertThat(events).extracting(RunEvent::sequence)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, view.lastEvent(sandbox)).boxed().toList());
		return events;
	}

	private static Map<String, Stored> operations(RunView view, SandboxRecord sandbox, Set<String> runs) {
		Map<String, Stored> operations = new HashMap<>();
		List<Long> numbers = new ArrayList<>();
		for (RunRecord run : view.runs(sandbox.key(), "", RunView.MAX_PAGE)) {
			runs.add(sandbox.key() + "/" + run.id());
			if (run.stopped()) {
				runs.add(sandbox.key() + "/" + run.id() + "!");
			}
			List<OperationRecord> page = view.operations(sandbox.key(), run.id(), -1, RunView.MAX_PAGE);
			while (!page.isEmpty()) {
				for (OperationRecord operation : page) {
					assertThat(operation.text()).as("its own text")
						.isEqualTo(sandbox.key() + "/" + run.id() + "/" + operation.id());
					numbers.add(operation.number());
					operations.put(operation.text(), new Stored(operation,
							view.messages(sandbox.key(), run.id(), operation.id(), 0, RunView.MAX_PAGE)));
				}
				page = view.operations(sandbox.key(), run.id(), page.get(page.size() - 1).number(), RunView.MAX_PAGE);
			}
		}
		assertThat(numbers)
			.containsExactlyInAnyOrderElementsOf(LongStream.range(0, sandbox.operations()).boxed().toList());
		return operations;
	}

	// Each step has one event, and an event is of a step that was taken.
	private static void assertTold(List<RunEvent> events, Map<String, Stored> operations) {
		Map<String, List<String>> steps = new HashMap<>();
		for (RunEvent event : events) {
			if (event.kind().startsWith("operation/") && !event.kind().equals("operation/message")) {
				steps
					.computeIfAbsent(event.sandbox() + "/" + event.run() + "/" + event.operation(),
							(absent) -> new ArrayList<>())
					.add(event.kind().substring("operation/".length()));
			}
		}
		assertThat(steps.keySet()).isEqualTo(operations.keySet());
		operations.forEach((name, stored) -> {
			List<String> expected = new ArrayList<>(List.of("queued"));
			if (!stored.operation().owner().isEmpty()) {
				expected.add("running");
			}
			if (stored.operation().isSettled()) {
				expected.add("settled");
			}
			assertThat(steps.get(name)).as(stored.toString()).isEqualTo(expected);
		});
	}

	private void assertSame(Map<String, Stored> now) {
		this.settled.forEach((name, stored) -> assertThat(now.get(name)).as("as it was settled").isEqualTo(stored));
		this.answered.forEach((name, told) -> {
			OperationRecord operation = now.get(name).operation();
			assertThat(operation.status() + " " + operation.answer()).as("as it was told").isEqualTo(told);
		});
		this.running.forEach((name, stored) -> {
			OperationRecord operation = now.get(name).operation();
			assertThat(operation.owner()).isEqualTo(stored.operation().owner());
			if (operation.isSettled()) {
				this.lost++;
				assertThat(operation.reason()).as("what ran at a kill").isEqualTo(UnansweredReason.SANDBOX_LOST);
				assertThat(now.get(name).messages()).isEqualTo(stored.messages());
			}
		});
		this.running.clear();
		now.forEach((name, stored) -> {
			if (stored.operation().isSettled()) {
				this.settled.put(name, stored);
			}
			else if (stored.operation().status() == OperationStatus.RUNNING) {
				this.running.put(name, stored);
			}
		});
	}

	private void assertBegunOnce(Map<String, Stored> now) {
		if (!Files.exists(this.begun)) {
			return;
		}
		try {
			List<String> lines = Files.readAllLines(this.begun);
			assertThat(lines).as("what was begun").doesNotHaveDuplicates();
			assertThat(lines).allSatisfy((name) -> assertThat(now.get(name).operation().owner()).isNotEmpty());
			now.forEach((name, stored) -> {
				if (stored.operation().status() == OperationStatus.DONE) {
					assertThat(lines).contains(name);
				}
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void requireWork() {
		assertThat(this.submitted).as("the applications did something").hasSizeGreaterThan(KillFacts.KILLS);
		assertThat(this.answered).isNotEmpty();
	}

	void requireAllSettled() {
		assertThat(this.last.values()).allSatisfy((stored) -> assertThat(stored.operation().isSettled()).isTrue());
		System.out.println("Witness: " + this.last.size() + " operations, " + this.submitted.size() + " told, "
				+ this.lost + " lost in kills");
	}

	/**
	 * An operation with its messages.
	 *
	 * @param operation the operation
	 * @param messages its messages
	 */
	private record Stored(OperationRecord operation, List<MessageRecord> messages) {

	}

}
