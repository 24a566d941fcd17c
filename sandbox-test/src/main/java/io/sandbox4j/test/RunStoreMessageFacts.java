package io.sandbox4j.test;

import java.util.List;
import java.util.stream.IntStream;

import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.RunTransaction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message keeps its place, and its digest tells whether it was replaced.
 */
interface RunStoreMessageFacts extends RunStoreFacts {

	private MessageRecord save(String id, String content) {
		return store().write("s", (transaction) -> transaction.saveMessage("r", "o", id, content));
	}

	private List<MessageRecord> messages(int from, int limit) {
		return store().read((view) -> view.messages("s", "r", "o", from, limit));
	}

	@Test
	default void messagesHaveTheOrderInWhichTheyCame() {
		RunStoreFixture.fill(store(), "s", "r");
		assertThat(save("z", "1")).isEqualTo(MessageRecord.of(0, "z", "1"));
		assertThat(save("a", "2")).isEqualTo(MessageRecord.of(1, "a", "2"));
		assertThat(messages(0, 10)).containsExactly(MessageRecord.of(0, "z", "1"), MessageRecord.of(1, "a", "2"));
	}

	@Test
	default void aMessageIsReplacedInItsPlace() {
		RunStoreFixture.fill(store(), "s", "r");
		save("a", "1");
		save("b", "2");
		assertThat(save("a", "3")).isEqualTo(MessageRecord.of(0, "a", "3"));
		assertThat(messages(0, 10)).containsExactly(MessageRecord.of(0, "a", "3"), MessageRecord.of(1, "b", "2"));
	}

	@Test
	default void theSameMessageAgainIsNoChange() {
		RunStoreFixture.fill(store(), "s", "r");
		save("a", "1");
		assertThat(save("a", "1")).isNull();
		assertThat(messages(0, 10)).hasSize(1);
	}

	@Test
	default void theDigestIsThatOfTheBytes() {
		RunStoreFixture.fill(store(), "s", "r");
		assertThat(save("a", "abc").digest())
			.isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
		assertThat(messages(0, 1).get(0).digest()).startsWith("ba7816bf");
		assertThat(save("b", "\u00e9\ud83d\ude00\0")).isEqualTo(messages(1, 1).get(0));
	}

	@Test
	default void pagesOfMessagesStartWhereTheyAreToldTo() {
		RunStoreFixture.fill(store(), "s", "r");
		store().write("s", (transaction) -> {
			IntStream.range(0, 25).forEach((i) -> transaction.saveMessage("r", "o", "m" + i, "" + i));
			return null;
		});
		assertThat(messages(0, 10)).extracting(MessageRecord::content)
			.containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
		assertThat(messages(20, 10)).extracting(MessageRecord::index).containsExactly(20, 21, 22, 23, 24);
		assertThat(messages(25, 10)).isEmpty();
		assertThat(messages(Integer.MAX_VALUE, 10)).isEmpty();
	}

	@Test
	default void operationsHaveMessagesOfTheirOwn() {
		RunStoreFixture.fill(store(), "s", "r", "q");
		save("a", "1");
		assertThat(store().write("s", (RunTransaction transaction) -> transaction.saveMessage("q", "o", "a", "2")))
			.isEqualTo(MessageRecord.of(0, "a", "2"));
		assertThat(messages(0, 10)).hasSize(1);
	}

	@Test
	default void aSettledOperationKeepsItsMessages() {
		RunStoreFixture.fill(store(), "s", "r");
		save("a", "1");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.done(RunStoreFixture.queued("s", "r", "o", 0)));
			transaction.save(RunStoreFixture.run("s", "r"));
			transaction.save(RunStoreFixture.sandbox("s"));
			return null;
		});
		assertThat(messages(0, 10)).containsExactly(MessageRecord.of(0, "a", "1"));
	}

	@Test
	default void aLargeMessageComesBackWhole() {
		RunStoreFixture.fill(store(), "s", "r");
		String large = "0123456789abcde\u20ac".repeat(200_000);
		save("a", large);
		assertThat(messages(0, 1)).containsExactly(MessageRecord.of(0, "a", large));
	}

}
