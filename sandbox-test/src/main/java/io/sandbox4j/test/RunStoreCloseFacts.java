package io.sandbox4j.test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store that closes ends what is under way and begins nothing.
 */
interface RunStoreCloseFacts extends RunStoreFacts {

	@Test
	default void aClosedStoreRefusesEverything() {
		RunStoreFixture.fill(store(), "s", "r");
		store().close();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> store().read((view) -> null));
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> store().write("s", (transaction) -> null));
	}

	@Test
	default void closeMayComeOften() {
		store().close();
		store().close();
		ContractFixture.assertFails(ErrorCode.SANDBOX_STOPPED, () -> store().read((view) -> null));
	}

	@Test
	default void closeWaitsForTheCallsThatAreUnderWay() throws Exception {
		CountDownLatch writing = new CountDownLatch(1);
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		CompletableFuture<Object> writer = ContractFixture.async(() -> store().write("s", (transaction) -> {
			transaction.save(RunStoreFixture.sandbox("s"));
			pass(writing, go);
			return RunStoreFixture.append(transaction, "written while it closed");
		}));
		CompletableFuture<Object> reader = ContractFixture.async(() -> store().read((view) -> {
			pass(reading, go);
			return view.sandboxes("", 10).size();
		}));
		assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Object> closer = ContractFixture.async(() -> {
			store().close();
			return "closed";
		});
		ContractFixture.await().until(this::refuses);
		assertThat(closer).isNotDone();
		go.countDown();
		assertThat(ContractFixture.result(writer)).isEqualTo(1L);
		assertThat(ContractFixture.result(reader)).isNotNull();
		ContractFixture.result(closer);
	}

	private boolean refuses() {
		try {
			store().read((view) -> null);
			return false;
		}
		catch (SandboxException ex) {
			return ex.code() == ErrorCode.SANDBOX_STOPPED;
		}
	}

	private static void pass(CountDownLatch here, CountDownLatch go) {
		here.countDown();
		try {
			assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
