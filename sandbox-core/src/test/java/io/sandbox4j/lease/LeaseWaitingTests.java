package io.sandbox4j.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("isolation")
class LeaseWaitingTests {

	@RegisterExtension
	static final LeaseExtension fixture = new LeaseExtension();

	private static final Duration LONG = Duration.ofSeconds(30);

	@Test
	void withoutPatienceAFullHouseIsBusyAtOnce() {
		SandboxLeases leases = one();
		try (SandboxLease lease = leases.open(fixture.spec("a"))) {
			assertBusy(() -> leases.open(fixture.spec("b")), "1 leases of 'sandbox.lease.max-active'", "number 1 of 1");
			assertThat(lease.info().phase()).isEqualTo(Phase.LIVE);
		}
		assertThat(leases.status().rejected()).isEqualTo(1);
		assertThat(leases.status().waiting()).isZero();
	}

	@Test
	void noIdleLeaseMakesRoomIfNoneMay() {
		SandboxLeases leases = fixture.leases((builder) -> builder.maxActive(1, "my.limit").makeRoom(false));
		leases.open(fixture.spec("a")).close();
		assertBusy(() -> leases.open(fixture.spec("b")), "1 leases of 'my.limit' are taken, and this caller");
		assertThat(leases.status().stopped()).isZero();
		leases.end(LeaseKey.forConversation("a"));
		leases.open(fixture.spec("b")).close();
	}

	@Test
	void theKeyThatRunsNeedsNoSecondPlace() {
		SandboxLeases leases = one();
		try (SandboxLease lease = leases.open(fixture.spec("a")); SandboxLease same = leases.open(fixture.spec("a"))) {
			assertThat(same.session().id()).isEqualTo(lease.session().id());
		}
	}

	@Test
	void aTimeToWaitIsKept() {
		SandboxLeases leases = one();
		try (SandboxLease lease = leases.open(fixture.spec("a"))) {
			long start = System.nanoTime();
			assertBusy(() -> leases.open(fixture.spec("b"), Duration.ofMillis(300)), "number 1 of 1");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300),
					Duration.ofSeconds(10));
			assertThat(lease.info().uses()).isEqualTo(1);
		}
	}

	@Test
	void whoCameFirstIsServedFirst() throws Exception {
		SandboxLeases leases = one();
		List<String> order = new CopyOnWriteArrayList<>();
		SandboxLease first = leases.open(fixture.spec("first"));
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			String key = "w" + i;
			all.add(fixture.threads().submit(() -> leases.use(fixture.spec(key), LONG, (lease) -> order.add(key))));
			int waiting = i + 1;
			Awaitility.await().until(() -> leases.status().waiting() == waiting);
		}
		first.close();
		for (Future<?> one : all) {
			assertThat(one).succeedsWithin(LONG);
		}
		assertThat(order).containsExactly("w0", "w1", "w2", "w3", "w4", "w5");
		assertThat(leases.status().active()).isEqualTo(1);
	}

	@Test
	void theQueueIsBounded() {
		SandboxLeases leases = fixture.leases((builder) -> builder.maxActive(1).maxWaiting(1));
		SandboxLease lease = leases.open(fixture.spec("a"));
		Future<SandboxLease> waiting = fixture.threads().submit(() -> leases.open(fixture.spec("b"), LONG));
		Awaitility.await().until(() -> leases.status().waiting() == 1);
		assertBusy(() -> leases.open(fixture.spec("c"), LONG), "'sandbox.lease.max-waiting' allows, 1,");
		lease.close();
		assertThat(waiting).succeedsWithin(LONG).satisfies(SandboxLease::close);
	}

	@Test
	void anInterruptEndsTheWaitAndKeepsTheFlag() throws Exception {
		SandboxLeases leases = one();
		AtomicReference<Object> outcome = new AtomicReference<>();
		try (SandboxLease lease = leases.open(fixture.spec("a"))) {
			Thread waiter = new Thread(() -> {
				try {
					leases.open(fixture.spec("b"), LONG);
				}
				catch (SandboxException ex) {
					outcome.set(ex.code() + " " + Thread.currentThread().isInterrupted());
				}
			});
			waiter.start();
			Awaitility.await().until(() -> leases.status().waiting() == 1);
			waiter.interrupt();
			waiter.join(10_000);
			assertThat(outcome).hasValue("SANDBOX_BUSY true");
			assertThat(leases.status().waiting()).isZero();
			assertThat(lease.info().uses()).isEqualTo(1);
		}
		leases.open(fixture.spec("c")).close();
	}

	@Test
	void theLongestIdleLeaseMakesRoom() {
		SandboxLeases leases = fixture.leases((builder) -> builder.maxActive(2));
		leases.use(fixture.spec("a"), (lease) -> {
			lease.session().files().writeText("note", "kept");
			return null;
		});
		fixture.advance(Duration.ofSeconds(1));
		leases.open(fixture.spec("b")).close();
		fixture.advance(Duration.ofSeconds(1));
		leases.open(fixture.spec("c")).close();
		assertThat(phase(leases, "a")).isEqualTo(Phase.IDLE);
		assertThat(phase(leases, "b")).isEqualTo(Phase.LIVE);
		assertThat(leases.<String>use(fixture.spec("a"), (lease) -> lease.session().files().readText("note")))
			.isEqualTo("kept");
		assertThat(phase(leases, "b")).isEqualTo(Phase.IDLE);
		assertThat(leases.status().active()).isEqualTo(2);
	}

	@Test
	void whoWaitsForALeaseThatIsMadeMeanwhileGetsIt() throws Exception {
		SandboxLeases leases = one();
		SandboxLease first = leases.open(fixture.spec("first"));
		List<Future<String>> same = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			same.add(fixture.threads()
				.submit(() -> leases.use(fixture.spec("same"), LONG, (lease) -> lease.session().id())));
		}
		Awaitility.await().until(() -> leases.status().waiting() == 5);
		first.close();
		String id = same.get(0).get();
		for (Future<String> one : same) {
			assertThat(one).succeedsWithin(LONG).isEqualTo(id);
		}
		assertThat(fixture.backend().created).hasValue(2);
	}

	@Test
	void aCloseSendsThoseAwayThatWait() {
		SandboxLeases leases = one();
		try (SandboxLease lease = leases.open(fixture.spec("a"))) {
			Future<SandboxLease> waiting = fixture.threads().submit(() -> leases.open(fixture.spec("b"), LONG));
			Awaitility.await().until(() -> leases.status().waiting() == 1);
			leases.close();
			assertThat(waiting).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.havingRootCause()
				.isInstanceOf(SandboxException.class)
				.withMessageContaining("The application ends");
			assertThat(lease.key()).isEqualTo(LeaseKey.forConversation("a"));
		}
	}

	@Test
	void aFailedCreationGivesItsPlaceToTheNext() {
		SandboxLeases leases = one();
		CountDownLatch go = new CountDownLatch(1);
		fixture.backend().beforeCreate = (request) -> {
			SandboxLeasesTests.await(go);
			fixture.backend().beforeCreate = (next) -> {
			};
			throw new IllegalStateException("once");
		};
		Future<SandboxLease> failing = fixture.threads().submit(() -> leases.open(fixture.spec("a")));
		Awaitility.await().until(() -> fixture.backend().created.get() == 1);
		Future<SandboxLease> next = fixture.threads().submit(() -> leases.open(fixture.spec("b"), LONG));
		Awaitility.await().until(() -> leases.status().waiting() == 1);
		go.countDown();
		assertThat(failing).failsWithin(LONG);
		assertThat(next).succeedsWithin(LONG).satisfies(SandboxLease::close);
	}

	private static SandboxLeases one() {
		return fixture.leases((builder) -> builder.maxActive(1));
	}

	private static Phase phase(SandboxLeases leases, String conversation) {
		return leases.info(LeaseKey.forConversation(conversation)).orElseThrow().phase();
	}

	private static void assertBusy(ThrowingCallable call, String... words) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call).satisfies((ex) -> {
			assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY);
			assertThat(ex.getMessage()).contains(words);
		});
	}

}
