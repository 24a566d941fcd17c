package io.sandbox4j.test;

import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.RunEvent;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.RunTransaction;
import io.sandbox4j.run.RunView;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was written is there for who opens the store next.
 */
interface RunStoreReopenFacts extends RunStoreFacts {

	@Test
	default void whatWasWrittenIsThereAfterAReopen() {
		RunStoreFixture.fill(store(), "s", "r", "q");
		store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.done(RunStoreFixture.queued("s", "r", "o", 0)));
			transaction.saveMessage("r", "o", "m", "text");
			transaction.save(RunStoreFixture.checkout("d", RunStoreFixture.NOW));
			return null;
		});
		store().close();
		stores().anotherStore().read((view) -> {
			assertThat(view.sandbox("s")).isEqualTo(RunStoreFixture.sandbox("s"));
			assertThat(view.runs("s", "", 10)).hasSize(2);
			assertThat(view.operation("s", "r", "o"))
				.isEqualTo(RunStoreFixture.done(RunStoreFixture.queued("s", "r", "o", 0)));
			assertThat(view.messages("s", "r", "o", 0, 10)).containsExactly(MessageRecord.of(0, "m", "text"));
			assertThat(view.checkouts("s")).hasSize(1);
			assertThat(view.unsettledOperations("s")).extracting(OperationRecord::run).containsExactly("q");
			return null;
		});
	}

	@Test
	default void theOrderOfTheQueueSurvivesAReopen() {
		RunStoreFixture.fill(store(), "s", "z", "a", "m");
		store().close();
		assertThat(stores().anotherStore().read((RunView view) -> view.unsettledOperations("s")))
			.extracting(OperationRecord::run)
			.containsExactly("z", "a", "m");
	}

	@Test
	default void theLedgerGoesOnAfterAReopen() {
		RunStoreFixture.fill(store(), "s");
		store().close();
		RunStore next = stores().anotherStore();
		assertThat(next.write("s", (RunTransaction transaction) -> RunStoreFixture.append(transaction, "next")))
			.isEqualTo(2);
		assertThat(next.read((RunView view) -> view.events("s", 0, 10))).extracting(RunEvent::content)
			.containsExactly("filled", "next");
	}

	@Test
	default void whatWasUndoneIsNotThereAfterAReopen() {
		try {
			store().write("s", (transaction) -> {
				transaction.save(RunStoreFixture.sandbox("s"));
				throw new IllegalStateException("from the work");
			});
		}
		catch (IllegalStateException ex) {
			store().close();
		}
		assertThat(stores().anotherStore().<Object>read((view) -> view.sandbox("s"))).isNull();
	}

	@Test
	default void oneStoreSeesWhatAnotherWrote() {
		RunStore other = stores().anotherStore();
		RunStoreFixture.fill(store(), "s", "r");
		assertThat(other.<Object>read((view) -> view.run("s", "r"))).isNotNull();
		RunStoreFixture.fill(other, "s", "r", "q");
		assertThat(store().<Object>read((view) -> view.run("s", "q"))).isNotNull();
		assertThat(store().write("s", (RunTransaction transaction) -> RunStoreFixture.append(transaction, "")))
			.isEqualTo(3);
	}

}
