package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.SandboxAvailability.Status;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.LeaseSpec;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SandboxLifecycle}.
 */
class SandboxLifecycleTests {

	private final StubSandboxBackend backend = new StubSandboxBackend();

	private final SandboxAvailability availability = new SandboxAvailability();

	private final SandboxLifecycle lifecycle = new SandboxLifecycle(this.backend, List.of(), List.of(),
			this.availability, true, Duration.ofSeconds(20));

	@Test
	void stopsAfterTheWebServer() {
		assertThat(this.lifecycle.getPhase()).isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE);
	}

	@Test
	void drainsThenClosesOnAThreadOfItsOwn() {
		this.lifecycle.start();
		assertThat(this.lifecycle.isRunning()).isTrue();
		awaitStop();
		assertThat(this.backend.calls).containsExactly("drain PT20S on sandbox-shutdown", "close on sandbox-shutdown");
		assertThat(this.lifecycle.isRunning()).isFalse();
	}

	@Test
	void doesNotHoldTheThreadThatStops() {
		CountDownLatch commandEnds = new CountDownLatch(1);
		this.backend.drain = () -> {
			await(commandEnds);
			return true;
		};
		CountDownLatch stopped = new CountDownLatch(1);
		this.lifecycle.start();
		this.lifecycle.stop(stopped::countDown);
		assertThat(stopped.getCount()).isOne();
		assertThat(this.availability.status()).isIn(Status.DRAINING, Status.AVAILABLE);
		commandEnds.countDown();
		await(stopped);
		assertThat(this.availability.status()).isEqualTo(Status.DRAINING);
	}

	@Test
	void closesWhenCommandsDoNotEnd() {
		this.backend.drain = () -> false;
		this.lifecycle.start();
		awaitStop();
		assertThat(this.backend.calls).hasSize(2).last().asString().startsWith("close");
	}

	@Test
	void closesAndCallsBackWhenTheDrainFails() {
		this.backend.drain = () -> {
			throw new IllegalStateException("broken");
		};
		this.lifecycle.start();
		awaitStop();
		assertThat(this.backend.calls).hasSize(2).last().asString().startsWith("close");
		assertThat(this.lifecycle.isRunning()).isFalse();
	}

	@Test
	void isNotPausedAndNotRestarted() {
		assertThat(this.lifecycle.isPauseable()).isFalse();
		this.lifecycle.start();
		awaitStop();
		assertThatIllegalStateException().isThrownBy(this.lifecycle::start)
			.withMessageContaining("Start a new application context");
	}

	@Test
	@Timeout(60)
	void aLeaseThatIsBeingMadeForLongIsGivenUp() throws Exception {
		FakeSandboxBackend fake = new FakeSandboxBackend();
		CountDownLatch started = new CountDownLatch(1);
		fake.on("endless", (program) -> {
			started.countDown();
			return program.stdin().read();
		});
		SandboxLeases leases = SandboxLeases.builder(fake).build();
		LeaseSpec spec = LeaseSpec
			.builder(LeaseKey.forConversation("a"), fake.prewarm(SandboxTemplate.named("empty").build()))
			.network(NetworkPolicy.denyAll())
			.setup((lease) -> lease.session().start(ExecSpec.of("endless")).onExit().join().orThrow())
			.build();
		CompletableFuture<SandboxLease> call = CompletableFuture.supplyAsync(() -> leases.open(spec));
		await(started);
		new SandboxLifecycle(fake, List.of(leases), List.of(), this.availability, true, Duration.ZERO,
				Duration.ofMillis(200))
			.stop();
		assertThat(call).failsWithin(Duration.ofSeconds(10));
		leases.close();
		assertThat(fake.sessions()).isEmpty();
	}

	@Test
	void closingTheContextDrainsBetweenTheWebServerAndTheBeans() {
		List<String> order = new CopyOnWriteArrayList<>();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class))
			.withBean(SandboxBackend.class, () -> new StubSandboxBackend() {

				@Override
				public boolean drain(Duration timeout) {
					order.add("drain " + timeout);
					return true;
				}

				@Override
				public void close() {
					order.add("close");
				}

			})
			.withBean("webServer", SmartLifecycle.class,
					() -> new Recorder("webServer", order, WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE))
			.withBean("earlier", SmartLifecycle.class, () -> new Recorder("earlier", order, SandboxLifecycle.PHASE - 1))
			.withPropertyValues("sandbox.drain-timeout=3s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(order).isEmpty();
			});
		// Spring closes the bean once more when it destroys it.
		assertThat(order).containsExactly("webServer", "drain PT3S", "close", "earlier", "close");
	}

	private void awaitStop() {
		CountDownLatch stopped = new CountDownLatch(1);
		this.lifecycle.stop(stopped::countDown);
		await(stopped);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class Recorder implements SmartLifecycle {

		private final String name;

		private final List<String> calls;

		private final int phase;

		private volatile boolean running;

		Recorder(String name, List<String> calls, int phase) {
			this.name = name;
			this.calls = calls;
			this.phase = phase;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.calls.add(this.name);
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return this.phase;
		}

	}

}
