package io.sandbox4j.test;

import java.util.List;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.UnansweredReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is next, without reading all that waits.
 */
interface RunStoreQueueFacts extends RunStoreFacts {

	private static void save(RunTransaction transaction, String conversation, String... runs) {
		for (String run : runs) {
			transaction.save(new RunRecord("s", run, conversation, null, "", false, RunStoreFixture.NOW));
		}
	}

	private static void save(RunTransaction transaction, String run, long number, OperationStatus status,
			String owner) {
		transaction.save(new OperationRecord("s", run, "o" + number, number, "text " + number, status,
				(status == OperationStatus.UNANSWERED) ? UnansweredReason.ABORTED : null, "", owner,
				RunStoreFixture.NOW, null));
	}

	private static @Nullable String next(RunTransaction view, String conversation, String owner) {
		OperationRecord next = view.nextOperation("s", conversation, owner);
		return (next != null) ? next.id() : null;
	}

	@Test
	default void whereNothingIsNothingIsNext() {
		RunStoreFixture.fill(store(), "other", "r");
		store().read((view) -> {
			assertThat(view.hasUnsettled("s")).isFalse();
			assertThat(view.hasUnsettled("s", "r")).isFalse();
			assertThat(view.hasUnsettled("other")).isTrue();
			assertThat(view.hasUnsettled("other", "absent")).isFalse();
			assertThat(view.unsettledConversations("s")).isEmpty();
			assertThat(view.nextOperation("s", "conversation-1", "")).isNull();
			assertThat(view.nextOperation("other", "absent", "owner")).isNull();
			assertThat(view.hasTurns("s", "conversation-1")).isFalse();
			assertThat(view.hasTurns("other", "conversation-1")).isFalse();
			return null;
		});
	}

	@Test
	default void theNextOfAConversationIsTheFirstOfAllItsRuns() {
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			save(transaction, "c", "z", "a");
			save(transaction, "d", "b");
			save(transaction, "b", 0, OperationStatus.QUEUED, "");
			save(transaction, "z", 1, OperationStatus.DONE, "x");
			save(transaction, "z", 2, OperationStatus.UNANSWERED, "");
			save(transaction, "z", 3, OperationStatus.QUEUED, "");
			save(transaction, "a", 4, OperationStatus.QUEUED, "");
			assertThat(next(transaction, "c", "me")).isEqualTo("o3");
			assertThat(next(transaction, "d", "me")).isEqualTo("o0");
			save(transaction, "z", 3, OperationStatus.DONE, "me");
			assertThat(next(transaction, "c", "me")).isEqualTo("o4");
			save(transaction, "a", 4, OperationStatus.DONE, "me");
			assertThat(next(transaction, "c", "me")).isNull();
			return null;
		});
	}

	@Test
	default void whatAnOwnerHasBegunIsNextForOthersOnly() {
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			save(transaction, "c", "r");
			save(transaction, "r", 0, OperationStatus.RUNNING, "me");
			save(transaction, "r", 1, OperationStatus.QUEUED, "");
			return null;
		});
		store().read((view) -> {
			OperationRecord running = view.operation("s", "r", "o0");
			assertThat(view.nextOperation("s", "c", "another")).isEqualTo(running);
			assertThat(view.nextOperation("s", "c", "")).isEqualTo(running);
			assertThat(view.nextOperation("s", "c", "me")).isEqualTo(view.operation("s", "r", "o1"));
			return null;
		});
	}

	@Test
	default void conversationsWaitInTheOrderOfTheirFirstOperation() {
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			save(transaction, "late", "a");
			save(transaction, "early", "b", "c");
			save(transaction, "settled", "d");
			save(transaction, "d", 0, OperationStatus.DONE, "x");
			save(transaction, "c", 1, OperationStatus.QUEUED, "");
			save(transaction, "a", 2, OperationStatus.RUNNING, "x");
			save(transaction, "b", 3, OperationStatus.QUEUED, "");
			return null;
		});
		assertThat(store().<List<String>>read((view) -> view.unsettledConversations("s"))).containsExactly("early",
				"late");
	}

	@Test
	default void onlyWhatWasBegunIsATurn() {
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			save(transaction, "c", "r", "q");
			save(transaction, "d", "p");
			save(transaction, "r", 0, OperationStatus.QUEUED, "");
			save(transaction, "r", 1, OperationStatus.UNANSWERED, "");
			save(transaction, "p", 2, OperationStatus.QUEUED, "");
			assertThat(transaction.hasTurns("s", "c")).isFalse();
			save(transaction, "q", 3, OperationStatus.UNANSWERED, "owner");
			assertThat(transaction.hasTurns("s", "c")).isTrue();
			assertThat(transaction.hasTurns("s", "d")).isFalse();
			return null;
		});
	}

	@Test
	default void aRunIsSettledWhenItsLastOperationIs() {
		RunStoreFixture.fill(store(), "s", "r", "q");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.done(RunStoreFixture.queued("s", "r", "o", 0)));
			assertThat(transaction.hasUnsettled("s", "r")).isFalse();
			assertThat(transaction.hasUnsettled("s", "q")).isTrue();
			assertThat(transaction.hasUnsettled("s")).isTrue();
			transaction.save(RunStoreFixture.done(RunStoreFixture.queued("s", "q", "o", 1)));
			assertThat(transaction.hasUnsettled("s")).isFalse();
			return null;
		});
	}

	@Test
	default void namesThatAreNoneAreRefusedInTheQueueToo() {
		for (String bad : List.of("", "a\0b", "\ud83d")) {
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
					() -> store().read((view) -> view.hasUnsettled(bad)));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
					() -> store().read((view) -> view.hasUnsettled("s", bad)));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
					() -> store().read((view) -> view.unsettledConversations(bad)));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
					() -> store().<Object>read((view) -> view.nextOperation("s", bad, "")));
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID,
					() -> store().read((view) -> view.hasTurns("s", bad)));
		}
	}

}
