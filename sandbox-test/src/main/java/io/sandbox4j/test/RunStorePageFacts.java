package io.sandbox4j.test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunView;
import io.sandbox4j.run.SandboxRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages follow each other by key, in the order of UTF-8's bytes, whatever comes between.
 */
interface RunStorePageFacts extends RunStoreFacts {

	/**
	 * What a language, a case or a UTF-16 string would sort otherwise.
	 */
	List<String> AWKWARD = List.of("a", "B", "b", "A", "a b", "a-b", "aB", "ab", "ab ", "Z", "z", "_", "~", "10", "9",
			"\u00e4", "\u00c4", "e\u0301", "\u00e9", "\u00df", "ss", "\u0130", "\u0131", "\uffee", "\ue000",
			"\ud83d\ude00", "\ud83d\ude00a", "\udbff\udfff", "a\u200bb", "%", "a%", "'", "\"", "\\", "\u4e2d", "\t");

	private static List<String> sorted() {
		List<String> sorted = new ArrayList<>(AWKWARD);
		sorted.sort((left, right) -> Arrays.compareUnsigned(left.getBytes(StandardCharsets.UTF_8),
				right.getBytes(StandardCharsets.UTF_8)));
		return sorted;
	}

	@Test
	default void sandboxesAreSortedByTheBytesOfTheirKeys() {
		AWKWARD.forEach((key) -> RunStoreFixture.fill(store(), key, "r"));
		assertThat(store().read((RunView view) -> view.sandboxes("", 1000))).extracting(SandboxRecord::key)
			.containsExactlyElementsOf(sorted());
		assertThat(store().read((RunView view) -> view.unsettled("", 1000))).containsExactlyElementsOf(sorted());
	}

	@Test
	default void runsAreSortedByTheBytesOfTheirIds() {
		RunStoreFixture.fill(store(), "s", AWKWARD.toArray(String[]::new));
		assertThat(store().read((RunView view) -> view.runs("s", "", 1000))).extracting(RunRecord::id)
			.containsExactlyElementsOf(sorted());
	}

	@Test
	default void everyKeyIsAPlaceToGoOnFrom() {
		AWKWARD.forEach((key) -> RunStoreFixture.fill(store(), key));
		List<String> seen = new ArrayList<>();
		String after = "";
		for (List<SandboxRecord> page = sandboxes(after, 1); !page.isEmpty(); page = sandboxes(after, 1)) {
			after = page.get(0).key();
			seen.add(after);
		}
		assertThat(seen).containsExactlyElementsOf(sorted());
	}

	private List<SandboxRecord> sandboxes(String after, int limit) {
		return store().read((view) -> view.sandboxes(after, limit));
	}

	@Test
	default void whatIsAddedMeanwhileMovesNoPage() {
		for (String key : List.of("b", "d", "f", "h")) {
			RunStoreFixture.fill(store(), key, "r");
		}
		assertThat(sandboxes("", 2)).extracting(SandboxRecord::key).containsExactly("b", "d");
		RunStoreFixture.fill(store(), "a", "r");
		RunStoreFixture.fill(store(), "e", "r");
		store().write("d", (transaction) -> {
			transaction.delete();
			return null;
		});
		assertThat(sandboxes("d", 2)).extracting(SandboxRecord::key).containsExactly("e", "f");
		assertThat(store().read((RunView view) -> view.unsettled("d", 2))).containsExactly("e", "f");
		assertThat(sandboxes("f", 2)).extracting(SandboxRecord::key).containsExactly("h");
		assertThat(sandboxes("h", 2)).isEmpty();
	}

	@Test
	default void operationsOfARunArePagedByNumber() {
		RunStoreFixture.fill(store(), "s", "r", "q");
		store().write("s", (transaction) -> {
			IntStream.range(2, 20)
				.forEach((i) -> transaction
					.save(RunStoreFixture.queued("s", (i % 2 == 0) ? "r" : "q", "o" + (100 - i), i)));
			return null;
		});
		assertThat(store().read((RunView view) -> view.operations("s", "r", -1, 3))).extracting(OperationRecord::number)
			.containsExactly(0L, 2L, 4L);
		assertThat(store().read((RunView view) -> view.operations("s", "r", 4, 3))).extracting(OperationRecord::number)
			.containsExactly(6L, 8L, 10L);
		assertThat(store().read((RunView view) -> view.operations("s", "r", 18, 3))).isEmpty();
		assertThat(store().read((RunView view) -> view.operations("s", "r", Long.MAX_VALUE, 3))).isEmpty();
	}

	@Test
	default void aPageMayHaveAThousand() {
		RunStoreFixture.fill(store(), "s",
				IntStream.range(0, 1001).mapToObj("r%04d"::formatted).toArray(String[]::new));
		List<RunRecord> first = store().read((view) -> view.runs("s", "", 1000));
		assertThat(first).hasSize(1000);
		assertThat(store().read((RunView view) -> view.runs("s", first.get(999).id(), 1000))).hasSize(1);
	}

}
