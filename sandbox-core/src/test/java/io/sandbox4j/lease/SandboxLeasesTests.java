package io.sandbox4j.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

@Tag("isolation")
class SandboxLeasesTests {

	@RegisterExtension
	static final LeaseExtension fixture = new LeaseExtension();

	private static final LeaseKey KEY = LeaseKey.forAgent("r1", "coder");

	@Test
	void theSameKeyHasTheSameFiles() {
		SandboxLeases leases = fixture.leases();
		leases.use(fixture.spec("c"), (lease) -> {
			lease.session().files().writeText("note", "kept");
			return null;
		});
		assertThat(leases.<String>use(fixture.spec("c"), (lease) -> lease.session().files().readText("note")))
			.isEqualTo("kept");
		assertThat(fixture.backend().created).hasValue(1);
	}

	@Test
	void anotherKeyHasAnotherSandbox() {
		SandboxLeases leases = fixture.leases();
		try (SandboxLease one = leases.open(fixture.spec("a")); SandboxLease other = leases.open(fixture.spec("b"))) {
			assertThat(one.session().id()).isNotEqualTo(other.session().id());
		}
	}

	@Test
	void manyAtOnceMakeOne() throws Exception {
		AtomicInteger setups = new AtomicInteger();
		AtomicInteger issued = new AtomicInteger();
		SandboxLeases leases = fixture
			.leases((builder) -> builder.brokers(CredentialBrokers.builder().broker(counting(issued)).build()));
		LeaseSpec spec = fixture.spec(KEY).broker("counting").setup((lease) -> setups.incrementAndGet()).build();
		CyclicBarrier start = new CyclicBarrier(64);
		List<Future<String>> ids = new ArrayList<>();
		for (int i = 0; i < 64; i++) {
			ids.add(fixture.threads().submit(() -> {
				start.await();
				return leases.use(spec, (lease) -> lease.session().id());
			}));
		}
		String first = ids.get(0).get(30, TimeUnit.SECONDS);
		for (Future<String> id : ids) {
			assertThat(id.get(30, TimeUnit.SECONDS)).isEqualTo(first);
		}
		assertThat(fixture.backend().created).hasValue(1);
		assertThat(setups).hasValue(1);
		assertThat(issued).hasValue(1);
	}

	@Test
	void aFailureReachesAllThatWaitAndLeavesNothing() throws Exception {
		SandboxLeases leases = fixture.leases();
		CountDownLatch waiting = new CountDownLatch(1);
		fixture.backend().beforeCreate = (request) -> {
			await(waiting);
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "Not today.");
		};
		List<Future<SandboxLease>> all = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			all.add(fixture.threads().submit(() -> leases.open(fixture.spec("c"))));
		}
		Awaitility.await().until(() -> leases.status().active() == 1);
		waiting.countDown();
		for (Future<SandboxLease> one : all) {
			assertThat(one).failsWithin(Duration.ofSeconds(10)).withThrowableThat().withMessageContaining("Not today.");
		}
		assertThat(leases.list()).isEmpty();
		assertThat(leases.status().active()).isZero();
	}

	@Test
	void aFailedSetupLeavesNothing() {
		List<String> steps = new ArrayList<>();
		SandboxLeases leases = fixture.leases();
		LeaseSpec spec = fixture.spec(KEY).setup((lease) -> {
			lease.pushTeardown("mine", () -> steps.add("mine"));
			throw new IllegalStateException("no compiler");
		}).build();
		assertThatIllegalStateException().isThrownBy(() -> leases.open(spec)).withMessage("no compiler");
		assertThat(steps).containsExactly("mine");
		assertThat(leases.info(KEY)).isEmpty();
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void aFailedCreationRevokesWhatWasIssued() {
		fixture.backend().beforeCreate = (request) -> {
			throw new IllegalStateException("full disk");
		};
		RecordingBroker broker = new RecordingBroker();
		SandboxLeases leases = fixture
			.leases((builder) -> builder.brokers(CredentialBrokers.builder().broker(broker).build()));
		LeaseSpec spec = fixture.spec(KEY).broker("recording").build();
		assertThatIllegalStateException().isThrownBy(() -> leases.open(spec)).withMessage("full disk");
		assertThat(broker.events).containsExactly("issue", "revoke");
		assertThat(leases.info(KEY)).isEmpty();
	}

	@Test
	void aFailedSetupDeletesAndThenRevokes() {
		RecordingBroker broker = new RecordingBroker();
		fixture.backend().beforeDelete = () -> broker.events.add("delete");
		SandboxLeases leases = fixture
			.leases((builder) -> builder.brokers(CredentialBrokers.builder().broker(broker).build()));
		LeaseSpec spec = fixture.spec(KEY).broker("recording").setup((lease) -> {
			throw new IllegalStateException("no git");
		}).build();
		assertThatIllegalStateException().isThrownBy(() -> leases.open(spec));
		assertThat(broker.events).containsExactly("issue", "delete", "revoke");
	}

	@Test
	void whoFindsALeaseGetsNothingIssuedAgain() {
		RecordingBroker broker = new RecordingBroker();
		SandboxLeases leases = fixture
			.leases((builder) -> builder.brokers(CredentialBrokers.builder().broker(broker).build()));
		LeaseSpec spec = fixture.spec(KEY).broker("recording").build();
		leases.open(spec).close();
		leases.open(spec).close();
		assertThat(broker.events).containsExactly("issue");
		leases.open(fixture.spec(LeaseKey.forAgent("r1", "tester")).broker("recording").build()).close();
		assertThat(broker.events).containsExactly("issue", "issue");
	}

	@Test
	void anUnknownBrokerIsRefusedBeforeAnythingIsMade() {
		SandboxLeases leases = fixture.leases();
		LeaseSpec spec = fixture.spec(KEY).broker("Static").build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> leases.open(spec))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
		assertThat(fixture.backend().created).hasValue(0);
	}

	@Test
	void commandsGetWhatWasIssuedAndMayOverrideIt() {
		SandboxLeases leases = fixture.leases((builder) -> builder.brokers(CredentialBrokers.builder()
			.environment(Map.of("A_KEY", "from-lease", "B_KEY", "other"), Set.of("A_KEY"))
			.build()));
		try (SandboxLease lease = leases.open(fixture.spec("c"))) {
			assertThat(LeaseExtension.out(lease, "echo $A_KEY-$B_KEY")).isEqualTo("from-lease-");
			assertThat(lease.session()
				.run(ExecSpec.shell("echo $A_KEY").withEnvironment(Map.of("A_KEY", "own")))
				.stdoutText()).isEqualTo("own\n");
		}
	}

	@Test
	void aClosedUseWorksNoMore() {
		SandboxLeases leases = fixture.leases();
		SandboxLease lease = leases.open(fixture.spec("c"));
		lease.close();
		lease.close();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> lease.session().files())
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
		assertThat(leases.list()).singleElement().satisfies((info) -> assertThat(info.uses()).isZero());
	}

	@Test
	void theHolderNeverGetsTheHandle() {
		SandboxLeases leases = fixture.leases();
		try (SandboxLease lease = leases.open(fixture.spec("c"))) {
			assertThat(lease.session()).isNotInstanceOf(AutoCloseable.class).isInstanceOf(LeasedSession.class);
		}
	}

	@Test
	void aSetupThatAsksForItsOwnLeaseIsRefused() {
		SandboxLeases leases = fixture.leases();
		LeaseSpec spec = fixture.spec(KEY).setup((lease) -> leases.open(fixture.spec(KEY).build())).build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> leases.open(spec))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_BUSY));
	}

	@Test
	void aLeaseThatIsEndedWhileItIsMadeIsGone() throws Exception {
		SandboxLeases leases = fixture.leases();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		LeaseSpec spec = fixture.spec(KEY).setup((lease) -> {
			inside.countDown();
			await(go);
		}).build();
		Future<SandboxLease> maker = fixture.threads().submit(() -> leases.open(spec));
		await(inside);
		Future<Boolean> ended = fixture.threads().submit(() -> leases.end(KEY));
		Awaitility.await().until(() -> !ended.isDone() && leases.info(KEY).isPresent());
		go.countDown();
		assertThat(ended).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		Throwable failure = catchThrowable(() -> maker.get(10, TimeUnit.SECONDS).close());
		assertThat(leases.info(KEY)).isEmpty();
		assertThat(fixture.backend().sessions()).isEmpty();
		if (failure != null) {
			assertThat(failure).hasRootCauseInstanceOf(SandboxException.class);
		}
	}

	@Test
	void closingWhileOneIsMadeLeavesNothing() throws Exception {
		SandboxLeases leases = fixture.leases();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		fixture.backend().beforeCreate = (request) -> {
			inside.countDown();
			await(go);
		};
		Future<SandboxLease> maker = fixture.threads().submit(() -> leases.open(fixture.spec("c")));
		await(inside);
		Future<?> closing = fixture.threads().submit(leases::close);
		Awaitility.await().untilAsserted(() -> assertStopped(() -> leases.open(fixture.spec("d"))));
		go.countDown();
		assertThat(closing).succeedsWithin(Duration.ofSeconds(10));
		Awaitility.await().untilAsserted(() -> assertThat(fixture.backend().sessions()).isEmpty());
		assertThat(maker).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(SandboxException.class);
	}

	@Test
	void aSessionThatSomebodyDeletedIsMadeAnew() {
		SandboxLeases leases = fixture.leases();
		String first = leases.use(fixture.spec("c"), (lease) -> lease.session().id());
		fixture.backend().delete(first);
		assertThat(leases.<String>use(fixture.spec("c"), (lease) -> lease.session().id())).isNotEqualTo(first);
	}

	@Test
	void aSandboxThatSomebodyStoppedIsAttachedToAgain() {
		SandboxLeases leases = fixture.leases();
		String first = leases.use(fixture.spec("c"), (lease) -> lease.session().id());
		fixture.backend().handle(first).orElseThrow().stop();
		assertThat(leases.<String>use(fixture.spec("c"), (lease) -> lease.session().id())).isEqualTo(first);
		assertThat(leases.status().attached()).isEqualTo(1);
	}

	@Test
	void theLongestLifetimeIsNotLessThanTheLifetime() {
		LeaseSpec.Builder spec = LeaseSpec.builder(KEY, new PreparedTemplate("0".repeat(64), false))
			.network(NetworkPolicy.denyAll())
			.lifetime(Duration.ofSeconds(61));
		assertThat(spec.maxLifetime(Duration.ofSeconds(61)).build().maxLifetime()).hasSeconds(61);
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> spec.maxLifetime(Duration.ofSeconds(60)).build())
			.withMessageContaining("'sandbox.lease.max-lifetime'")
			.withMessageContaining("'sandbox.lease.lifetime'")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static void assertStopped(Runnable call) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(call::run)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
	}

	private static CredentialBroker counting(AtomicInteger issued) {
		return new CredentialBroker() {

			@Override
			public String id() {
				return "counting";
			}

			@Override
			public CredentialGrant issue(GrantRequest request) {
				issued.incrementAndGet();
				return new RecordingBroker().issue(request);
			}

		};
	}

}
