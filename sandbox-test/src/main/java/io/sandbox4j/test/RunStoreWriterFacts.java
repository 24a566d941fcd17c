package io.sandbox4j.test;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.RunView;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Of the writers of two processes one is busy at once, and writes when it asks again.
 */
interface RunStoreWriterFacts extends RunStoreFacts {

	@Test
	default void whileOneWritesAnotherIsBusyAtOnceAndWritesAfterwards() {
		RunStore other = stores().anotherStore();
		RunStoreFixture.fill(store(), "s", "r");
		store().write("s", (transaction) -> {
			long start = System.nanoTime();
			ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY,
					() -> other.write("s", (never) -> RunStoreFixture.append(never, "never")));
			assertThat(System.nanoTime() - start).as("nothing is waited for").isLessThan(5_000_000_000L);
			return RunStoreFixture.append(transaction, "first");
		});
		RunStoreFixture.fill(other, "s", "r");
		assertThat(store().read((RunView view) -> view.events("s", 0, 10))).extracting(RunEvent::content)
			.containsExactly("filled", "first", "filled");
	}

	@Test
	default void anotherReadsWhileOneWrites() {
		RunStore other = stores().anotherStore();
		RunStoreFixture.fill(store(), "s", "r");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.run("s", "q"));
			assertThat(other.read((RunView view) -> view.runs("s", "", 10))).hasSize(1);
			return null;
		});
		assertThat(other.read((RunView view) -> view.runs("s", "", 10))).hasSize(2);
	}

	@Test
	default void afterAFailedWriteAnotherWrites() {
		RunStore other = stores().anotherStore();
		assertThatIllegalStateException().isThrownBy(() -> store().write("s", (transaction) -> {
			RunStoreFixture.append(transaction, "undone");
			ContractFixture.assertFails(ErrorCode.SANDBOX_BUSY,
					() -> other.write("s", (never) -> RunStoreFixture.append(never, "never")));
			throw new IllegalStateException("from the work");
		}));
		assertThat(other.write("s", (RunTransaction transaction) -> RunStoreFixture.append(transaction, "kept")))
			.isEqualTo(1);
	}

	@Test
	default void aReadOfOneIsNotMixedWithACommitOfAnother() {
		RunStore other = stores().anotherStore();
		RunStoreFixture.fill(store(), "s", "r");
		store().read((view) -> {
			assertThat(view.lastEvent("s")).isEqualTo(1);
			RunStoreFixture.fill(other, "s", "r", "q");
			assertThat(view.runs("s", "", 10)).hasSize(1);
			assertThat(view.events("s", 0, 10)).hasSize(1);
			return null;
		});
		assertThat(store().read((RunView view) -> view.runs("s", "", 10))).hasSize(2);
	}

	@Test
	default void writersThatAskAgainLoseNothing() {
		List<RunStore> writers = List.of(store(), stores().anotherStore(), stores().anotherStore());
		List<CompletableFuture<Object>> racing = IntStream.range(0, 6)
			.mapToObj((i) -> ContractFixture.<Object>async(() -> {
				IntStream.range(0, 10).forEach((turn) -> append(writers.get(i % 3), i + "-" + turn));
				return "done";
			}))
			.toList();
		racing.forEach(ContractFixture::result);
		List<RunEvent> events = store().read((view) -> view.events("s", 0, 1000));
		assertThat(events).extracting(RunEvent::sequence)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, 60).boxed().toList());
		assertThat(events).extracting(RunEvent::content).doesNotHaveDuplicates();
	}

	private static void append(RunStore store, String content) {
		ContractFixture.await().until(() -> {
			try {
				store.write("s", (transaction) -> RunStoreFixture.append(transaction, content));
				return true;
			}
			catch (SandboxException ex) {
				assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY);
				return false;
			}
		});
	}

}
