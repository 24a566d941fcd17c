package io.sandbox4j.lease;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sandbox4j.SandboxException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("isolation")
class LeaseTeardownTests {

	@RegisterExtension
	static final LeaseExtension fixture = new LeaseExtension();

	private static final LeaseKey KEY = LeaseKey.forAgent("r1", "coder");

	private final RecordingBroker broker = new RecordingBroker();

	private final Logger logger = (Logger) LoggerFactory.getLogger(TeardownChain.class);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	private SandboxLeases leases;

	@BeforeEach
	void open() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.leases = fixture
			.leases((builder) -> builder.brokers(CredentialBrokers.builder().broker(this.broker).build()));
		fixture.backend().beforeDelete = () -> this.broker.events.add("delete");
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.appender);
	}

	@Test
	void theSandboxGoesFirstThenTheCredentialsThenTheRest() {
		open(KEY, "first", "second");
		assertThat(this.leases.end(KEY)).isTrue();
		assertThat(this.broker.events).containsExactly("issue", "delete", "revoke", "first", "second");
		assertThat(this.leases.info(KEY)).isEmpty();
		assertThat(this.leases.end(KEY)).isFalse();
	}

	@Test
	void credentialsAreRevokedAlsoIfTheSandboxCannotBeDeleted() {
		open(KEY, "mine");
		fixture.backend().beforeDelete = () -> {
			this.broker.events.add("delete");
			throw new IllegalStateException("stuck");
		};
		assertThat(this.leases.end(KEY)).isTrue();
		assertThat(this.broker.events).containsExactly("issue", "delete", "revoke", "mine");
		assertThat(this.leases.status().teardownFailures()).isEqualTo(1);
		assertThat(this.appender.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.ERROR);
			assertThat(event.getFormattedMessage()).contains("'sandbox:delete'");
		});
	}

	@Test
	void whatCouldNotBeDeletedIsTriedAgainAndKeepsItsPlaceMeanwhile() {
		open(KEY);
		fixture.backend().beforeDelete = () -> {
			throw new IllegalStateException("stuck");
		};
		this.leases.end(KEY);
		assertThat(this.leases.status().active()).isEqualTo(1);
		fixture.backend().beforeDelete = () -> {
		};
		this.leases.sweep();
		assertThat(this.leases.status().active()).isZero();
		assertThat(fixture.backend().sessions()).isEmpty();
	}

	@Test
	void eachStepRunsWhateverFailedBefore() {
		try (SandboxLease lease = this.leases.open(fixture.spec(KEY).broker("recording").build())) {
			lease.pushTeardown("checked", () -> {
				throw new IOException("gone");
			});
			lease.pushTeardown("error", () -> {
				throw new AssertionError("wrong");
			});
			lease.pushTeardown("last", () -> this.broker.events.add("last"));
		}
		this.broker.onRevoke = () -> {
			throw new IllegalStateException("token hush-123");
		};
		this.leases.end(KEY);
		assertThat(this.broker.events).endsWith("revoke", "last");
		assertThat(this.leases.status().teardownFailures()).isEqualTo(3);
		assertThat(this.appender.list).hasSize(3);
		assertThat(this.appender.list).first().satisfies((event) -> {
			assertThat(event.getFormattedMessage()).contains("'credentials:revoke'").doesNotContain("hush");
			assertThat(event.getThrowableProxy()).isNull();
		});
	}

	@Test
	void anEndKillsWhatRuns() {
		try (SandboxLease lease = this.leases.open(fixture.spec(KEY).build())) {
			this.leases.end(KEY);
			SandboxLeasesTests.assertStopped(() -> LeaseExtension.out(lease, "true"));
			SandboxLeasesTests.assertStopped(lease::renew);
			SandboxLeasesTests.assertStopped(() -> lease.pushTeardown("late", () -> {
			}));
		}
	}

	@Test
	void aStepMayAskForTheEndItIsPartOf() {
		List<Boolean> answers = new ArrayList<>();
		try (SandboxLease lease = this.leases.open(fixture.spec(KEY).build())) {
			lease.pushTeardown("again", () -> answers.add(this.leases.end(KEY)));
		}
		this.leases.end(KEY);
		assertThat(answers).containsExactly(false);
	}

	@Test
	void aRunEndsItsOwnLeasesOnly() {
		this.leases.open(fixture.spec(KEY).build()).close();
		this.leases.open(fixture.spec(LeaseKey.forAgent("r1", "tester")).build()).close();
		this.leases.open(fixture.spec(LeaseKey.forRun("r1")).build()).close();
		LeaseKey other = LeaseKey.forAgent("r10", "coder");
		this.leases.open(fixture.spec(other).build()).close();
		this.leases.open(fixture.spec("r1")).close();
		assertThat(this.leases.endRun("r1")).isEqualTo(3);
		assertThat(this.leases.list()).extracting(LeaseInfo::key)
			.containsExactlyInAnyOrder(other, LeaseKey.forConversation("r1"));
	}

	@Test
	void aRunIsEndedAlsoIfItsWorkFails() {
		assertThatIllegalStateException().isThrownBy(() -> this.leases.withRun("r1", (run) -> {
			run.open(fixture.spec(KEY).build()).close();
			assertThat(this.leases.info(KEY)).isPresent();
			throw new IllegalStateException("no idea");
		})).withMessage("no idea");
		assertThat(this.leases.list()).isEmpty();
	}

	@Test
	void aRunReturnsWhatItsWorkDoes() {
		assertThat(this.leases.<String>withRun("r1",
				(run) -> run.use(fixture.spec(KEY).build(), (lease) -> lease.key().toString())))
			.isEqualTo("agent/r1/coder");
	}

	@Test
	void aRunOpensNoLeaseOfAnother() {
		this.leases.withRun("r2", (run) -> {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run.open(fixture.spec(KEY).build()));
			return null;
		});
		assertThat(fixture.backend().created).hasValue(0);
	}

	@Test
	void allEndsAll() {
		open(KEY);
		open(LeaseKey.forConversation("c"));
		this.leases.endAll();
		assertThat(this.leases.list()).isEmpty();
		assertThat(this.broker.events).containsExactlyInAnyOrder("issue", "issue", "delete", "delete", "revoke",
				"revoke");
	}

	@Test
	void withoutALogLinesGoNowhere() {
		try (SandboxLease lease = this.leases.open(fixture.spec(KEY).build())) {
			lease.log("unheard");
		}
	}

	@Test
	void aSecondLogReplacesTheFirstForLeasesThatAreOpen() {
		List<String> first = new CopyOnWriteArrayList<>();
		List<String> second = new CopyOnWriteArrayList<>();
		this.leases.registerRunLog("r1", (key, line) -> first.add(line));
		try (SandboxLease lease = this.leases.open(fixture.spec(KEY).build())) {
			lease.log("one");
			this.leases.registerRunLog("r1", (key, line) -> second.add(key + " " + line));
			lease.log("two");
		}
		assertThat(first).containsExactly("one");
		assertThat(second).containsExactly("agent/r1/coder two");
	}

	@Test
	void aLogThatThrowsHarmsNobody() {
		this.leases.registerRunLog("r1", (key, line) -> {
			throw new IllegalStateException("disk full");
		});
		try (SandboxLease lease = this.leases.open(fixture.spec(KEY).build())) {
			lease.log("one");
		}
		assertThat(this.leases.end(KEY)).isTrue();
		assertThat(this.leases.status().teardownFailures()).isZero();
	}

	@Test
	void theEndOfARunForgetsItsLog() {
		List<String> lines = new CopyOnWriteArrayList<>();
		this.leases.registerRunLog("r1", (key, line) -> lines.add(line));
		SandboxLease lease = this.leases.open(fixture.spec(KEY).build());
		this.leases.endRun("r1");
		assertThat(lines).containsExactly("The lease ended.");
		lease.log("late");
		lease.close();
		assertThat(lines).containsExactly("The lease ended.");
	}

	private void open(LeaseKey key, String... steps) {
		try (SandboxLease lease = this.leases.open(fixture.spec(key).broker("recording").build())) {
			for (String step : steps) {
				lease.pushTeardown(step, () -> this.broker.events.add(step));
			}
		}
	}

}
