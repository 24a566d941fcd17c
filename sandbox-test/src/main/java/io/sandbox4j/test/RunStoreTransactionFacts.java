package io.sandbox4j.test;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.RunView;
import io.sandbox4j.run.SandboxRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * All of a call is written or nothing, and a read sees one state.
 */
interface RunStoreTransactionFacts extends RunStoreFacts {

	private static long count(RunView view, String key) {
		return Objects.requireNonNull(view.sandbox(key)).operations();
	}

	private static SandboxRecord counting(String key, long count) {
		return new SandboxRecord(key, null, false, null, count, RunStoreFixture.NOW, RunStoreFixture.NOW);
	}

	@Test
	default void theResultOfTheWorkIsReturned() {
		assertThat(store().<Object>read((view) -> null)).isNull();
		assertThat(store().write("s", (RunTransaction transaction) -> "result")).isEqualTo("result");
	}

	@Test
	default void aTransactionSeesWhatItWrote() {
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			transaction.save(RunStoreFixture.run("s", "r"));
			transaction.save(RunStoreFixture.queued("s", "r", "o", 0));
			transaction.saveMessage("r", "o", "m", "text");
			RunStoreFixture.append(transaction, "");
			assertThat(transaction.sandbox("s")).isNotNull();
			assertThat(transaction.sandboxes("", 10)).hasSize(1);
			assertThat(transaction.runs("s", "", 10)).hasSize(1);
			assertThat(transaction.unsettled("", 10)).containsExactly("s");
			assertThat(transaction.messages("s", "r", "o", 0, 10)).hasSize(1);
			assertThat(transaction.lastEvent("s")).isEqualTo(1);
			return null;
		});
	}

	@Test
	default void whatTheWorkThrowsIsThrownAndNothingIsWritten() {
		RunStoreFixture.fill(store(), "s", "r");
		IllegalStateException failure = new IllegalStateException("from the work");
		assertThatIllegalStateException().isThrownBy(() -> store().write("s", (transaction) -> {
			transaction.save(counting("s", 9));
			transaction.save(RunStoreFixture.run("s", "another"));
			transaction.saveMessage("r", "o", "m", "text");
			RunStoreFixture.append(transaction, "undone");
			throw failure;
		})).isSameAs(failure);
		store().read((view) -> {
			assertThat(view.sandbox("s")).isEqualTo(RunStoreFixture.sandbox("s"));
			assertThat(view.run("s", "another")).isNull();
			assertThat(view.messages("s", "r", "o", 0, 10)).isEmpty();
			assertThat(view.lastEvent("s")).isEqualTo(1);
			return null;
		});
		RunStoreFixture.fill(store(), "s", "r");
	}

	@Test
	default void aDeletionIsUndoneToo() {
		RunStoreFixture.fill(store(), "s", "r");
		assertThatIllegalStateException().isThrownBy(() -> store().write("s", (transaction) -> {
			transaction.delete();
			throw new IllegalStateException("from the work");
		}));
		assertThat(store().<Object>read((view) -> view.operation("s", "r", "o"))).isNotNull();
	}

	@Test
	default void aFailedCallSpoilsItsTransaction() {
		RunStoreFixture.fill(store(), "s", "r");
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("s", (transaction) -> {
			transaction.save(counting("s", 9));
			failing(() -> transaction.save(RunStoreFixture.queued("s", "absent", "o", 5)));
			failing(() -> transaction.save(counting("s", 10)));
			return "as if nothing had happened";
		}));
		assertThat(store().<Object>read((view) -> view.sandbox("s"))).isEqualTo(RunStoreFixture.sandbox("s"));
	}

	private static void failing(Runnable call) {
		try {
			call.run();
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID);
			return;
		}
		throw new AssertionError("The call did not fail");
	}

	@Test
	default void aTransactionWritesOfItsSandboxOnly() {
		for (int i = 0; i < 3; i++) {
			int what = i;
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("s", (transaction) -> {
				transaction.save(RunStoreFixture.sandbox("s"));
				if (what == 0) {
					transaction.save(RunStoreFixture.sandbox("t"));
				}
				else if (what == 1) {
					transaction.save(RunStoreFixture.run("t", "r"));
				}
				else {
					transaction.save(RunStoreFixture.queued("t", "r", "o", 0));
				}
				return null;
			}));
		}
		assertThat(store().read((RunView view) -> view.sandboxes("", 10))).isEmpty();
	}

	@Test
	default void writersOfOneSandboxLoseNoUpdate() {
		RunStoreFixture.fill(store(), "s");
		List<CompletableFuture<Object>> writers = IntStream.range(0, 8)
			.mapToObj((i) -> ContractFixture.<Object>async(() -> {
				for (int turn = 0; turn < 10; turn++) {
					store().write("s", (transaction) -> {
						transaction.save(counting("s", count(transaction, "s") + 1));
						return null;
					});
				}
				return "done";
			}))
			.toList();
		writers.forEach(ContractFixture::result);
		assertThat(store().read((RunView view) -> count(view, "s"))).isEqualTo(80);
	}

	@Test
	default void aReadNeitherWaitsForAWriterNorSeesWhatItHasNotDone() throws Exception {
		RunStoreFixture.fill(store(), "s", "r");
		CountDownLatch written = new CountDownLatch(1);
		CountDownLatch looked = new CountDownLatch(1);
		CompletableFuture<Object> writer = ContractFixture.async(() -> store().write("s", (transaction) -> {
			transaction.save(counting("s", 9));
			written.countDown();
			return await(looked);
		}));
		assertThat(written.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(store().<Object>read((view) -> view.sandbox("s"))).isEqualTo(RunStoreFixture.sandbox("s"));
		looked.countDown();
		ContractFixture.result(writer);
		assertThat(store().<Object>read((view) -> view.sandbox("s"))).isEqualTo(counting("s", 9));
	}

	@Test
	default void aReadSeesOneStateWhateverIsWrittenMeanwhile() {
		RunStoreFixture.fill(store(), "a");
		RunStoreFixture.fill(store(), "b");
		store().read((view) -> {
			assertThat(count(view, "a")).isZero();
			ContractFixture.result(ContractFixture.async(() -> store().write("a", this::countUp)));
			ContractFixture.result(ContractFixture.async(() -> store().write("b", (transaction) -> {
				transaction.delete();
				return RunStoreFixture.append(transaction, "deleted");
			})));
			assertThat(count(view, "a")).isZero();
			assertThat(view.sandboxes("", 10)).hasSize(2);
			assertThat(view.lastEvent("b")).isEqualTo(1);
			return null;
		});
		assertThat(store().read((RunView view) -> view.sandboxes("", 10))).containsExactly(counting("a", 1));
	}

	@Test
	default void aTransactionSeesOneStateOfTheOtherSandboxes() {
		RunStoreFixture.fill(store(), "a");
		store().write("b", (transaction) -> {
			assertThat(transaction.sandbox("a")).isNotNull();
			assertThat(transaction.lastEvent("a")).isEqualTo(1);
			return null;
		});
	}

	private String countUp(RunTransaction transaction) {
		transaction.save(counting("a", count(transaction, "a") + 1));
		return "counted";
	}

	@Test
	default void aViewIsOfNoUseAfterItsCall() {
		RunView view = store().read((given) -> given);
		RunTransaction transaction = store().write("s", (given) -> given);
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> view.sandbox("s"));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> transaction.sandbox("s"));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> transaction.save(RunStoreFixture.sandbox("s")));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, transaction::delete);
		assertThat(store().<Object>read((given) -> given.sandbox("s"))).isNull();
	}

	@Test
	default void aViewBelongsToItsThread() {
		store().write("s", (transaction) -> ContractFixture.result(ContractFixture.<Object>async(() -> {
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
					() -> transaction.save(RunStoreFixture.sandbox("s")));
			return "refused";
		})));
		assertThat(store().<Object>read((view) -> view.sandbox("s"))).isNull();
	}

	@Test
	default void noCallIsMadeWithinAnother() {
		store().read((view) -> {
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().read((inner) -> null));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("s", (inner) -> null));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().close());
			return null;
		});
		store().write("s", (transaction) -> {
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().read((inner) -> null));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("t", (inner) -> null));
			return null;
		});
		RunStoreFixture.fill(store(), "s");
	}

	@Test
	default void anInterruptEndsNoCallAndStaysSet() {
		assertThat(ContractFixture.result(ContractFixture.<Object>async(() -> {
			Thread.currentThread().interrupt();
			RunStoreFixture.fill(store(), "s", "r");
			store().read((view) -> assertThat(view.run("s", "r")).isNotNull());
			return Thread.currentThread().isInterrupted();
		}))).isEqualTo(true);
		assertThat(store().<Object>read((view) -> view.run("s", "r"))).isNotNull();
	}

	private static String await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
			return "awaited";
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
