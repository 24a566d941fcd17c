package io.sandbox4j.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.RunView;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events have numbers without gaps, and outlive their sandbox.
 */
interface RunStoreLedgerFacts extends RunStoreFacts {

	@Test
	default void theFirstEventIsNumberOne() {
		RunEvent appended = store().write("s",
				(transaction) -> transaction.append(RunStoreFixture.NOW, "kind/a", "r", "o", "a\0\u20ac"));
		assertThat(appended).isEqualTo(new RunEvent("s", 1, RunStoreFixture.NOW, "kind/a", "r", "o", "a\0\u20ac"));
		assertThat(store().read((RunView view) -> view.events("s", 0, 10))).containsExactly(appended);
		assertThat(store().read((RunView view) -> view.lastEvent("s"))).isEqualTo(1);
	}

	@Test
	default void anEventNeedsNoSandbox() {
		store().write("s", (transaction) -> RunStoreFixture.append(transaction, "before anything"));
		assertThat(store().<Object>read((view) -> view.sandbox("s"))).isNull();
		assertThat(store().read((RunView view) -> view.sandboxes("", 10))).isEmpty();
		assertThat(store().read((RunView view) -> view.lastEvent("s"))).isEqualTo(1);
	}

	@Test
	default void manyAppendsAtOnceHaveNumbersWithoutGaps() {
		List<CompletableFuture<Long>> appends = IntStream.range(0, 20)
			.mapToObj((i) -> ContractFixture
				.async(() -> store().write("s", (transaction) -> RunStoreFixture.append(transaction, "" + i))))
			.toList();
		assertThat(appends.stream().map(ContractFixture::result))
			.containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
		assertThat(store().read((RunView view) -> view.events("s", 0, 100))).extracting(RunEvent::sequence)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
	}

	@Test
	default void eachSandboxCountsForItself() {
		store().write("a", (transaction) -> RunStoreFixture.append(transaction, ""));
		assertThat(store().write("b", (RunTransaction transaction) -> RunStoreFixture.append(transaction, "")))
			.isEqualTo(1);
	}

	@Test
	default void pagesOfEventsFollowEachOther() {
		List<Long> numbers = new ArrayList<>();
		store().write("s", (transaction) -> {
			IntStream.range(0, 25).forEach((i) -> RunStoreFixture.append(transaction, "" + i));
			assertThat(transaction.lastEvent("s")).isEqualTo(25);
			return null;
		});
		List<RunEvent> page = store().read((view) -> view.events("s", 0, 10));
		while (!page.isEmpty()) {
			page.forEach((event) -> numbers.add(event.sequence()));
			page = store().read((view) -> view.events("s", numbers.get(numbers.size() - 1), 10));
		}
		assertThat(numbers).containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
		assertThat(store().read((RunView view) -> view.events("s", Long.MAX_VALUE, 10))).isEmpty();
	}

	@Test
	default void theLedgerOutlivesItsSandboxAndGoesOn() {
		RunStoreFixture.fill(store(), "s", "r");
		assertThat(store().write("s", (RunTransaction transaction) -> {
			transaction.delete();
			return RunStoreFixture.append(transaction, "deleted");
		})).isEqualTo(2);
		RunStoreFixture.fill(store(), "s", "r");
		assertThat(store().read((RunView view) -> view.events("s", 0, 10))).extracting(RunEvent::content)
			.containsExactly("filled", "deleted", "filled");
		assertThat(store().read((RunView view) -> view.lastEvent("s"))).isEqualTo(3);
	}

	@Test
	default void anAppendThatWasUndoneLeavesNoGap() {
		IllegalStateException failure = new IllegalStateException("from the work");
		ContractFixture.async(() -> {
			try {
				return store().write("s", (transaction) -> {
					RunStoreFixture.append(transaction, "undone");
					throw failure;
				});
			}
			catch (IllegalStateException ex) {
				return ex;
			}
		}).thenAccept((thrown) -> assertThat(thrown).isSameAs(failure)).join();
		assertThat(store().write("s", (RunTransaction transaction) -> RunStoreFixture.append(transaction, "kept")))
			.isEqualTo(1);
	}

	@Test
	default void twoReadsOfTheLedgerAreTheSame() {
		RunStoreFixture.fill(store(), "s", "r");
		assertThat(store().read((RunView view) -> view.events("s", 0, 10)))
			.isEqualTo(store().read((view) -> view.events("s", 0, 10)));
	}

}
