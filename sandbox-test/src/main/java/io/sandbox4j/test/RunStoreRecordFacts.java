package io.sandbox4j.test;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxState;
import io.sandbox4j.run.CheckoutRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunView;
import io.sandbox4j.run.SandboxRecord;
import io.sandbox4j.run.UnansweredReason;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A record comes back as it was saved, and replaces the one with its identity.
 */
interface RunStoreRecordFacts extends RunStoreFacts {

	@Test
	default void whatIsNotThereIsNullOrEmpty() {
		store().read((view) -> {
			assertThat(view.sandbox("s")).isNull();
			assertThat(view.sandboxes("", 1)).isEmpty();
			assertThat(view.unsettled("", 1)).isEmpty();
			assertThat(view.run("s", "r")).isNull();
			assertThat(view.runs("s", "", 1)).isEmpty();
			assertThat(view.operation("s", "r", "o")).isNull();
			assertThat(view.operations("s", "r", -1, 1)).isEmpty();
			assertThat(view.unsettledOperations("s")).isEmpty();
			assertThat(view.messages("s", "r", "o", 0, 1)).isEmpty();
			assertThat(view.checkouts("s")).isEmpty();
			assertThat(view.events("s", 0, 1)).isEmpty();
			assertThat(view.lastEvent("s")).isZero();
			return null;
		});
	}

	@Test
	default void everyFieldComesBackAsItWas() {
		Instant earlier = Instant.parse("1969-12-31T23:59:59.999999999Z");
		SandboxRecord sandbox = new SandboxRecord("s", new SandboxState("backend", "session", "template"), true,
				"checkpoint", 1L << 40, earlier, RunStoreFixture.NOW);
		RunRecord run = new RunRecord("s", "r", "conversation", "parent", "a/b", true, earlier);
		OperationRecord unanswered = new OperationRecord("s", "r", "o", 1L << 40, "a\0b\n", OperationStatus.UNANSWERED,
				UnansweredReason.SANDBOX_LOST, "\u20ac\ud83d\ude00\0", "owner", earlier, RunStoreFixture.NOW);
		CheckoutRecord checkout = new CheckoutRecord("", CheckoutRecord.Kind.SCRATCH, null, earlier);
		store().write("s", (transaction) -> {
			transaction.save(sandbox);
			transaction.save(run);
			transaction.save(unanswered);
			transaction.save(checkout);
			return null;
		});
		store().read((view) -> {
			assertThat(view.sandbox("s")).isEqualTo(sandbox);
			assertThat(view.run("s", "r")).isEqualTo(run);
			assertThat(view.operation("s", "r", "o")).isEqualTo(unanswered);
			assertThat(view.checkouts("s")).containsExactly(checkout);
			return null;
		});
	}

	@Test
	default void whatMayBeAbsentComesBackAsAbsent() {
		SandboxRecord sandbox = RunStoreFixture.sandbox("s");
		RunRecord run = RunStoreFixture.run("s", "r");
		OperationRecord queued = RunStoreFixture.queued("s", "r", "o", 0);
		store().write("s", (transaction) -> {
			transaction.save(new SandboxRecord("s", new SandboxState("b", "s", "t"), true, "c", 1, RunStoreFixture.NOW,
					RunStoreFixture.NOW));
			transaction.save(sandbox);
			transaction.save(new RunRecord("s", "r", "c", "p", "x", true, RunStoreFixture.NOW));
			transaction.save(run);
			transaction.save(queued);
			return null;
		});
		store().read((view) -> {
			assertThat(view.sandbox("s")).isEqualTo(sandbox);
			assertThat(view.run("s", "r")).isEqualTo(run);
			assertThat(view.operation("s", "r", "o")).isEqualTo(queued);
			return null;
		});
	}

	@Test
	default void everyStatusAndReasonIsKept() {
		RunStoreFixture.fill(store(), "s", "r");
		int number = 1;
		for (OperationStatus status : OperationStatus.values()) {
			for (UnansweredReason reason : UnansweredReason.values()) {
				OperationRecord operation = new OperationRecord("s", "r", status + "-" + reason, number++, "", status,
						(status == OperationStatus.UNANSWERED) ? reason : null, "", "", RunStoreFixture.NOW, null);
				store().write("s", (transaction) -> {
					transaction.save(operation);
					return null;
				});
				assertThat(store().<Object>read((view) -> view.operation("s", "r", operation.id())))
					.isEqualTo(operation);
			}
		}
	}

	@Test
	default void theSameRecordTwiceIsOneRecord() {
		RunStoreFixture.fill(store(), "s", "r");
		RunStoreFixture.fill(store(), "s", "r");
		store().read((view) -> {
			assertThat(view.sandboxes("", 10)).hasSize(1);
			assertThat(view.runs("s", "", 10)).hasSize(1);
			assertThat(view.operations("s", "r", -1, 10)).hasSize(1);
			return null;
		});
	}

	@Test
	default void aSettledOperationIsUnsettledNoMore() {
		RunStoreFixture.fill(store(), "s", "r", "q");
		assertThat(store().read((RunView view) -> view.unsettled("", 10))).containsExactly("s");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.done(RunStoreFixture.queued("s", "r", "o", 0)));
			return null;
		});
		assertThat(store().read((RunView view) -> view.unsettledOperations("s"))).extracting(OperationRecord::run)
			.containsExactly("q");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.done(RunStoreFixture.queued("s", "q", "o", 1)));
			return null;
		});
		assertThat(store().read((RunView view) -> view.unsettled("", 10))).isEmpty();
	}

	@Test
	default void unsettledOperationsOfAllRunsAreInTheOrderOfTheirNumbers() {
		RunStoreFixture.fill(store(), "s", "z", "a", "m");
		assertThat(store().read((RunView view) -> view.unsettledOperations("s"))).extracting(OperationRecord::run)
			.containsExactly("z", "a", "m");
	}

	@Test
	default void aDuplicateIsSeenBeforeItIsAdmitted() {
		RunStoreFixture.fill(store(), "s", "r");
		List<Boolean> admitted = IntStream.range(0, 16)
			.mapToObj((i) -> ContractFixture.async(() -> store().write("s", (transaction) -> {
				if (transaction.operation("s", "r", "twice") != null) {
					return false;
				}
				transaction.save(RunStoreFixture.queued("s", "r", "twice", 7));
				return true;
			})))
			.toList()
			.stream()
			.map(ContractFixture::result)
			.toList();
		assertThat(admitted).containsOnlyOnce(true);
	}

	@Test
	default void checkoutsAreReplacedByDirectoryAndTheNewestIsFirst() {
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			transaction.save(RunStoreFixture.checkout("b", RunStoreFixture.NOW));
			transaction.save(RunStoreFixture.checkout("a", RunStoreFixture.NOW));
			transaction.save(RunStoreFixture.checkout("c", RunStoreFixture.NOW.plusNanos(1)));
			transaction.save(RunStoreFixture.checkout("d", RunStoreFixture.NOW.plusNanos(-1)));
			return null;
		});
		assertThat(store().read((RunView view) -> view.checkouts("s"))).extracting(CheckoutRecord::directory)
			.containsExactly("c", "a", "b", "d");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.checkout("d", RunStoreFixture.NOW.plusSeconds(1)));
			return null;
		});
		assertThat(store().read((RunView view) -> view.checkouts("s"))).extracting(CheckoutRecord::directory)
			.containsExactly("d", "c", "a", "b");
	}

	@Test
	default void sandboxesKnowNothingOfEachOther() {
		RunStoreFixture.fill(store(), "a", "r");
		RunStoreFixture.fill(store(), "b", "r");
		store().write("a", (transaction) -> {
			transaction.delete();
			return null;
		});
		store().read((view) -> {
			assertThat(view.run("a", "r")).isNull();
			assertThat(view.run("b", "r")).isNotNull();
			assertThat(view.operation("b", "r", "o")).isNotNull();
			return null;
		});
	}

	@Test
	default void aDeletedSandboxLeavesNoRecord() {
		RunStoreFixture.fill(store(), "s", "r");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.checkout("d", RunStoreFixture.NOW));
			transaction.saveMessage("r", "o", "m", "text");
			transaction.delete();
			assertThat(transaction.sandbox("s")).as("seen within the transaction").isNull();
			return null;
		});
		store().read((view) -> {
			assertThat(view.sandbox("s")).isNull();
			assertThat(view.sandboxes("", 10)).isEmpty();
			assertThat(view.unsettled("", 10)).isEmpty();
			assertThat(view.runs("s", "", 10)).isEmpty();
			assertThat(view.operation("s", "r", "o")).isNull();
			assertThat(view.unsettledOperations("s")).isEmpty();
			assertThat(view.messages("s", "r", "o", 0, 10)).isEmpty();
			assertThat(view.checkouts("s")).isEmpty();
			return null;
		});
	}

	@Test
	default void aSandboxWithADeletedOnesKeyIsANewOne() {
		RunStoreFixture.fill(store(), "s", "r");
		store().write("s", (transaction) -> {
			transaction.saveMessage("r", "o", "m", "text");
			transaction.delete();
			transaction.save(RunStoreFixture.sandbox("s"));
			transaction.save(RunStoreFixture.run("s", "r"));
			transaction.save(RunStoreFixture.queued("s", "r", "o", 0));
			return null;
		});
		assertThat(store().read((RunView view) -> view.messages("s", "r", "o", 0, 10))).isEmpty();
	}

	@Test
	default void whatARecordBelongsToMustBeThere() {
		RunStoreFixture.fill(store(), "s", "r");
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("t", (transaction) -> {
			transaction.save(RunStoreFixture.run("t", "r"));
			return null;
		}));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.queued("s", "absent", "o", 5));
			return null;
		}));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
				() -> store().write("s", (transaction) -> transaction.saveMessage("r", "absent", "m", "")));
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("t", (transaction) -> {
			transaction.save(RunStoreFixture.checkout("d", RunStoreFixture.NOW));
			return null;
		}));
	}

	@Test
	default void noTwoOperationsOfASandboxHaveOneNumber() {
		RunStoreFixture.fill(store(), "s", "r", "q");
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.queued("s", "r", "another", 1));
			return null;
		}));
		assertThat(store().<Object>read((view) -> view.operation("s", "r", "another"))).isNull();
	}

}
