package io.sandbox4j.test;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.run.CheckoutRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunRecord;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.SandboxRecord;
import io.sandbox4j.run.UnansweredReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What some store could not keep, no store takes; and each takes what the limits allow.
 */
interface RunStoreArgumentFacts extends RunStoreFacts {

	private void refused(Consumer<RunTransaction> call) {
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write("s", (transaction) -> {
			call.accept(transaction);
			return null;
		}));
	}

	@Test
	default void aPageHasOneToAThousand() {
		for (int limit : new int[] { Integer.MIN_VALUE, -1, 0, 1001, Integer.MAX_VALUE }) {
			refused((view) -> view.sandboxes("", limit));
			refused((view) -> view.unsettled("", limit));
			refused((view) -> view.runs("s", "", limit));
			refused((view) -> view.operations("s", "r", -1, limit));
			refused((view) -> view.messages("s", "r", "o", 0, limit));
			refused((view) -> view.events("s", 0, limit));
		}
		ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().read((view) -> view.sandboxes("", 0)));
	}

	@Test
	default void placesBeforeTheFirstAreRefused() {
		refused((view) -> view.operations("s", "r", -2, 1));
		refused((view) -> view.messages("s", "r", "o", -1, 1));
		refused((view) -> view.events("s", -1, 1));
	}

	@Test
	default void namesThatAreNoneAreRefusedEverywhere() {
		for (String bad : List.of("", "a\0b", "\ud83d", "a\udc00", "\udc00\ud83d",
				"x".repeat(RunStore.MAX_ID_BYTES + 1), "\u20ac".repeat(RunStore.MAX_ID_BYTES / 3 + 1))) {
			ContractFixture.assertFails(ErrorCode.SANDBOX_INVALID, () -> store().write(bad, (transaction) -> null));
			refused((view) -> view.sandbox(bad));
			refused((view) -> view.run("s", bad));
			refused((view) -> view.operation("s", "r", bad));
			refused((view) -> view.events(bad, 0, 1));
			refused((transaction) -> transaction.append(RunStoreFixture.NOW, bad, "", "", ""));
			refused((transaction) -> {
				transaction.save(RunStoreFixture.sandbox("s"));
				transaction.save(RunStoreFixture.run("s", bad));
			});
			if (!bad.isEmpty()) {
				refused((view) -> view.sandboxes(bad, 1));
				refused((view) -> view.runs("s", bad, 1));
			}
		}
	}

	@Test
	default void theLongestNamesAreTaken() {
		String longest = "\ud83d\ude00".repeat(RunStore.MAX_ID_BYTES / 4);
		String path = "\u20ac".repeat(RunStore.MAX_PATH_BYTES / 3);
		store().write(longest, (transaction) -> {
			transaction
				.save(new SandboxRecord(longest, null, false, path, 0, RunStoreFixture.NOW, RunStoreFixture.NOW));
			transaction.save(new RunRecord(longest, longest, longest, longest, path, false, RunStoreFixture.NOW));
			transaction.save(RunStoreFixture.queued(longest, longest, longest, 0));
			transaction.saveMessage(longest, longest, longest, "text");
			transaction.save(new CheckoutRecord(path, CheckoutRecord.Kind.SCRATCH, path, RunStoreFixture.NOW));
			return transaction.append(RunStoreFixture.NOW, longest, longest, longest, "");
		});
		store().read((view) -> {
			assertThat(view.run(longest, longest)).isNotNull().extracting(RunRecord::cwd).isEqualTo(path);
			assertThat(view.operation(longest, longest, longest)).isNotNull();
			assertThat(view.messages(longest, longest, longest, 0, 1).get(0).id()).isEqualTo(longest);
			assertThat(view.checkouts(longest).get(0).directory()).isEqualTo(path);
			assertThat(view.events(longest, 0, 1).get(0).kind()).isEqualTo(longest);
			return null;
		});
	}

	@Test
	default void textsOfHalfCharactersAreRefused() {
		RunStoreFixture.fill(store(), "s", "r");
		refused((transaction) -> transaction.saveMessage("r", "o", "m", "a\ud83db"));
		refused((transaction) -> transaction.append(RunStoreFixture.NOW, "kind", "", "", "\udc00"));
		refused((transaction) -> transaction.save(operation("\ud83d", OperationStatus.QUEUED, null)));
		store().read((view) -> {
			assertThat(view.messages("s", "r", "o", 0, 10)).isEmpty();
			assertThat(view.lastEvent("s")).isEqualTo(1);
			return null;
		});
	}

	@Test
	default void aReasonBelongsToWhatIsUnanswered() {
		RunStoreFixture.fill(store(), "s", "r");
		refused((transaction) -> transaction.save(operation("", OperationStatus.UNANSWERED, null)));
		refused((transaction) -> transaction.save(operation("", OperationStatus.DONE, UnansweredReason.FAILED)));
	}

	private static OperationRecord operation(String text, OperationStatus status, @Nullable UnansweredReason reason) {
		return new OperationRecord("s", "r", "o", 0, text, status, reason, "", "", RunStoreFixture.NOW, null);
	}

	@Test
	default void timesOutsideOfFourDigitsAreRefused() {
		for (Instant bad : List.of(Instant.MIN, Instant.MAX, Instant.parse("-0001-12-31T23:59:59Z"),
				Instant.parse("+10000-01-01T00:00:00Z"))) {
			refused((transaction) -> transaction
				.save(new SandboxRecord("s", null, false, null, 0, bad, RunStoreFixture.NOW)));
			refused((transaction) -> transaction.append(bad, "kind", "", "", ""));
		}
	}

	@Test
	default void theFirstAndTheLastTimesAreExact() {
		for (Instant time : List.of(Instant.parse("0000-01-01T00:00:00Z"), Instant.parse("0099-01-01T00:00:00.1Z"),
				Instant.EPOCH, Instant.parse("9999-12-31T23:59:59.999999999Z"))) {
			store().write("s", (transaction) -> transaction.append(time, "kind", "", "", ""));
			List<RunEvent> events = store().read((view) -> view.events("s", 0, 10));
			assertThat(events.get(events.size() - 1).at()).isEqualTo(time);
		}
	}

}
