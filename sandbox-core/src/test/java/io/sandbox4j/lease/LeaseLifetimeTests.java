package io.sandbox4j.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.lease.LeaseInfo.Phase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("isolation")
class LeaseLifetimeTests {

	@RegisterExtension
	static final LeaseExtension fixture = new LeaseExtension();

	private static final LeaseKey KEY = LeaseKey.forConversation("c");

	private static final Duration HOUR = Duration.ofHours(1);

	@Test
	void eachUseRenews() {
		SandboxLeases leases = fixture.leases();
		leases.open(fixture.spec("c")).close();
		fixture.advance(Duration.ofMinutes(59));
		assertThat(leases.info(KEY).orElseThrow().remaining()).isEqualTo(Duration.ofMinutes(1));
		leases.open(fixture.spec("c")).close();
		assertThat(leases.info(KEY).orElseThrow().remaining()).isEqualTo(HOUR);
	}

	@Test
	void lookingRenewsNothing() {
		SandboxLeases leases = fixture.leases();
		leases.open(fixture.spec("c")).close();
		fixture.advance(Duration.ofMinutes(10));
		leases.list();
		leases.status();
		assertThat(leases.info(KEY).orElseThrow().remaining()).isEqualTo(Duration.ofMinutes(50));
	}

	@Test
	void renewalStopsAtTheLongestLifetime() {
		SandboxLeases leases = fixture.leases();
		LeaseSpec spec = fixture.spec(KEY).maxLifetime(Duration.ofMinutes(90)).build();
		try (SandboxLease lease = leases.open(spec)) {
			fixture.advance(Duration.ofMinutes(50));
			assertThat(lease.renew()).isEqualTo(Duration.ofMinutes(40));
			fixture.advance(Duration.ofMinutes(40));
			assertThatExceptionOfType(SandboxException.class).isThrownBy(lease::renew)
				.withMessageContaining("'sandbox.lease.max-lifetime'")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_LIMIT));
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> leases.renew(KEY));
			assertThat(lease.info().remaining()).isZero();
		}
	}

	@Test
	void aLeaseWhoseTimeIsOverEndsAlsoInUse() {
		List<LeaseInfo> told = new ArrayList<>();
		SandboxLeases leases = fixture.leases((builder) -> builder.beforeReclaim((lease, session) -> told.add(lease)));
		try (SandboxLease lease = leases.open(fixture.spec("c"))) {
			fixture.advance(HOUR.minusNanos(1));
			leases.sweep();
			assertThat(LeaseExtension.out(lease, "echo on")).isEqualTo("on");
			fixture.advance(Duration.ofNanos(1));
			leases.sweep();
			SandboxLeasesTests.assertStopped(() -> LeaseExtension.out(lease, "echo on"));
		}
		assertThat(leases.status().expired()).isEqualTo(1);
		assertThat(told).extracting(LeaseInfo::key).containsExactly(KEY);
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void whoOpensALeaseWhoseTimeIsOverGetsANewOne() {
		SandboxLeases leases = fixture.leases();
		String first = leases.use(fixture.spec("c"), (lease) -> lease.session().id());
		fixture.advance(HOUR);
		assertThat(leases.<String>use(fixture.spec("c"), (lease) -> lease.session().id())).isNotEqualTo(first);
		assertThat(fixture.backend().sessions()).hasSize(1);
	}

	@Test
	void anIdleSandboxIsStoppedAndItsFilesStay() {
		SandboxLeases leases = fixture.leases();
		leases.use(idle(), (lease) -> LeaseExtension.out(lease, "echo kept > note"));
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.IDLE);
		assertThat(fixture.backend().running).isEmpty();
		assertThat(leases.status().active()).isZero();
		assertThat(leases.<String>use(idle(), (lease) -> LeaseExtension.out(lease, "cat note"))).isEqualTo("kept");
		assertThat(leases.status().attached()).isEqualTo(1);
	}

	@Test
	void theSetupIsNotRunAgain() {
		List<String> setups = new ArrayList<>();
		SandboxLeases leases = fixture.leases();
		LeaseSpec spec = fixture.spec(KEY)
			.idleTimeout(Duration.ofMinutes(5))
			.setup((lease) -> setups.add("setup"))
			.build();
		leases.open(spec).close();
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		leases.open(spec).close();
		assertThat(setups).hasSize(1);
	}

	@Test
	void thePolicyIsSuppliedAgainWithWhatWasGranted() {
		List<NetworkPolicy> policies = new CopyOnWriteArrayList<>();
		fixture.backend().beforeCreate = (request) -> policies.add(request.network());
		OriginRule granted = OriginRule.builder("https://api.example.com").build();
		LeasedCredentials credentials = LeasedCredentials.of((use) -> {
			throw new IllegalStateException();
		});
		SandboxLeases leases = fixture.leases((builder) -> builder
			.brokers(CredentialBrokers.builder().gateway(credentials, (request) -> List.of(granted)).build()));
		LeaseSpec spec = fixture.spec(KEY).broker("gateway").idleTimeout(Duration.ofMinutes(5)).build();
		leases.open(spec).close();
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		try (SandboxLease lease = leases.open(spec)) {
			assertThat(lease.session().networkPolicy()).isEqualTo(NetworkPolicy.allow(granted));
		}
		assertThat(policies).containsExactly(NetworkPolicy.allow(granted), NetworkPolicy.allow(granted));
	}

	@Test
	void anOpenUseKeepsTheSandboxFromBeingStopped() {
		SandboxLeases leases = fixture.leases();
		try (SandboxLease lease = leases.open(idle())) {
			fixture.advance(Duration.ofMinutes(30));
			leases.sweep();
			assertThat(lease.info().phase()).isEqualTo(Phase.LIVE);
		}
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.LIVE);
	}

	@Test
	void aCommandInTheBackgroundKeepsTheSandboxFromBeingStopped() throws Exception {
		SandboxLeases leases = fixture.leases();
		SandboxProcess process;
		try (SandboxLease lease = leases.open(idle())) {
			process = lease.session().start(ExecSpec.of("sleep", "60").withTimeout(Duration.ofMinutes(2)));
		}
		fixture.advance(Duration.ofMinutes(30));
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.LIVE);
		process.close();
		process.onExit().get(20, TimeUnit.SECONDS);
		Awaitility.await()
			.until(() -> !fixture.backend().handles().isEmpty()
					&& fixture.backend().handles().get(0).session().admission().active() == 0);
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.LIVE);
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.IDLE);
	}

	@Test
	void lookingDoesNotKeepASandboxRunning() {
		SandboxLeases leases = fixture.leases();
		leases.open(idle()).close();
		fixture.advance(Duration.ofMinutes(5));
		leases.list();
		leases.info(KEY);
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.IDLE);
	}

	@Test
	void aStoppedLeaseThatNobodyUsesIsReclaimed() {
		SandboxLeases leases = fixture.leases((builder) -> builder.reclaimAfter(Duration.ofMinutes(20)));
		leases.open(idle()).close();
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		fixture.advance(Duration.ofMinutes(15).minusNanos(1));
		leases.sweep();
		assertThat(leases.list()).hasSize(1);
		fixture.advance(Duration.ofNanos(1));
		leases.sweep();
		assertThat(leases.list()).isEmpty();
		assertThat(leases.status().reclaimed()).isEqualTo(1);
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void hooksAreToldBeforeAStopAndBeforeAReclaim() {
		List<String> told = new ArrayList<>();
		SandboxLeases leases = fixture.leases((builder) -> builder.reclaimAfter(Duration.ofMinutes(20))
			.beforeStop((lease, session) -> told.add("stop " + session.files().readText("README").strip()))
			.beforeReclaim((lease, session) -> told.add("reclaim " + session)));
		leases.open(idle()).close();
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		fixture.advance(Duration.ofMinutes(20));
		leases.sweep();
		assertThat(told).containsExactly("stop hello", "reclaim null");
	}

	@Test
	void aHookCannotPreventAStop() {
		SandboxLeases leases = fixture.leases((builder) -> builder.beforeStop((lease, session) -> {
			throw new IllegalStateException("never");
		}));
		leases.open(idle()).close();
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.IDLE);
		assertThat(leases.status().hookFailures()).isEqualTo(1);
	}

	@Test
	void aSandboxThatCannotBeStoppedIsTriedAgain() {
		SandboxLeases leases = fixture.leases();
		leases.open(idle()).close();
		fixture.backend().beforeStop = () -> {
			throw new SandboxException(ErrorCode.SANDBOX_UNAVAILABLE, "A process is stuck.");
		};
		fixture.advance(Duration.ofMinutes(5));
		leases.sweep();
		assertThat(leases.info(KEY).orElseThrow().phase()).isEqualTo(Phase.STUCK);
		assertThat(leases.status().active()).isEqualTo(1);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> leases.open(idle()))
			.withMessage("A process is stuck.");
		fixture.backend().beforeStop = () -> {
		};
		assertThat(leases.<String>use(idle(), (lease) -> lease.session().files().readText("README")))
			.isEqualTo("hello\n");
	}

	private static LeaseSpec idle() {
		return fixture.spec(KEY).idleTimeout(Duration.ofMinutes(5)).build();
	}

}
