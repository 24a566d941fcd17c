package io.sandbox4j.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Origin;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.autoconfigure.StubSandboxBackend;
import io.sandbox4j.autoconfigure.tools.SandboxToolsAutoConfiguration;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.bubblewrap.WarmStatus;
import io.sandbox4j.gateway.GatewayStatus;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.LeaseSpec;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.ToolApprovals;
import io.sandbox4j.tools.ToolRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxMetricsAutoConfiguration} and its meters.
 */
class SandboxMetricsAutoConfigurationTests {

	private static final Origin ORIGIN = Origin.parse("https://api.example.com");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
						SimpleMetricsExportAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
						SandboxAutoConfiguration.class, SandboxMetricsAutoConfiguration.class))
		.withUserConfiguration(StubConfiguration.class);

	@Test
	void timesCommandsByOutcome() {
		this.contextRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			backend.publish(new SandboxEvent.CommandFinished("1", "command", ExecStatus.EXITED, Duration.ofMillis(20)));
			backend.publish(new SandboxEvent.CommandFinished("2", "command", ExecStatus.EXITED, Duration.ofMillis(30)));
			backend
				.publish(new SandboxEvent.CommandFinished("1", "command", ExecStatus.TIMED_OUT, Duration.ofSeconds(2)));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("sandbox.commands").tags("outcome", "exited", "launch", "cold").timer().count())
				.isEqualTo(2);
			assertThat(
					registry.get("sandbox.commands").tag("outcome", "exited").timer().totalTime(TimeUnit.MILLISECONDS))
				.isEqualTo(50);
			assertThat(registry.get("sandbox.commands").tag("outcome", "timed_out").timer().count()).isOne();
		});
	}

	@Test
	void tellsCommandsOfSandboxesThatWaited() {
		this.contextRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			backend.publish(
					new SandboxEvent.CommandFinished("1", "command", ExecStatus.EXITED, Duration.ofMillis(3), true));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("sandbox.commands").tags("outcome", "exited", "launch", "warm").timer().count())
				.isOne();
			assertThat(registry.find("sandbox.warm.ready").gauge()).as("of a backend that has none").isNull();
		});
	}

	@Test
	void gaugesTheSandboxesThatWait() {
		BubblewrapBackend backend = mock(BubblewrapBackend.class);
		given(backend.warmStatus()).willReturn(new WarmStatus(3, 64, 10, 2, 11, Duration.ofMillis(220)));
		MeterRegistry registry = new SimpleMeterRegistry();
		new SandboxWarmMetrics(backend).bindTo(registry);
		assertThat(registry.get("sandbox.warm.ready").gauge().value()).isEqualTo(3);
		assertThat(registry.get("sandbox.warm.hits").functionCounter().count()).isEqualTo(10);
		assertThat(registry.get("sandbox.warm.misses").functionCounter().count()).isEqualTo(2);
		assertThat(registry.get("sandbox.warm.builds").functionTimer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(220);
	}

	@Test
	void gaugesTheCallsThatWaitForAPerson() {
		ToolApprovals approvals = ToolApprovals.builder("alice").build();
		this.contextRunner.withBean(ToolApprovals.class, () -> approvals).run((context) -> {
			Gauge gauge = context.getBean(MeterRegistry.class).get("sandbox.tools.approvals.pending").gauge();
			assertThat(gauge.value()).isZero();
			CompletableFuture<Boolean> call = CompletableFuture
				.supplyAsync(() -> approvals.authorize(new ToolRequest.Remove(WorkspacePath.parse("a"))));
			Awaitility.await().until(() -> gauge.value() == 1);
			assertThat(approvals.approve(approvals.pending().get(0).id(), "alice")).isTrue();
			assertThat(call.join()).isTrue();
			assertThat(gauge.value()).isZero();
		});
	}

	@Test
	void gaugesTheAutoConfiguredApprovals() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(SandboxToolsAutoConfiguration.class))
			.withPropertyValues("sandbox.tools.approvals.enabled=true", "sandbox.tools.required-restrictions=")
			.run((context) -> assertThat(context).hasSingleBean(ToolApprovals.class)
				.hasSingleBean(ToolApprovalsMetrics.class));
	}

	@Test
	void countsRefusalsSessionsAndFileOperations() {
		this.contextRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			backend.publish(new SandboxEvent.CommandRefused("1", ErrorCode.SANDBOX_BUSY));
			backend.publish(new SandboxEvent.SessionCreated("1", "key"));
			backend.publish(new SandboxEvent.SessionAttached("2", false, 0));
			backend.publish(new SandboxEvent.SessionAttached("3", true, 2));
			backend.publish(new SandboxEvent.FileOperation("1", "read", "success"));
			backend.publish(new SandboxEvent.FileOperation("2", "read", "success"));
			backend.publish(new SandboxEvent.FileOperation("2", "read", "SANDBOX_PATH"));
			backend.publish(new SandboxEvent.SessionStopped("1"));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(count(registry, "sandbox.commands.refused", "reason", "SANDBOX_BUSY")).isOne();
			assertThat(count(registry, "sandbox.sessions.acquired")).isEqualTo(3);
			assertThat(count(registry, "sandbox.sessions.recovered")).isOne();
			assertThat(count(registry, "sandbox.files.operations", "operation", "read", "outcome", "success"))
				.isEqualTo(2);
			assertThat(count(registry, "sandbox.files.operations", "operation", "read", "outcome", "SANDBOX_PATH"))
				.isOne();
		});
	}

	@Test
	void gaugesTheRunningSandboxes() {
		this.contextRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(gauge(registry, "sandbox.sessions.active")).isZero();
			backend.running("1", new AdmissionStatus(2, 8, 5, 1));
			backend.running("2", new AdmissionStatus(3, 8, 0, 0)).stop();
			backend.running("3", new AdmissionStatus(1, 4, 2, 0));
			assertThat(gauge(registry, "sandbox.sessions.active")).isEqualTo(2);
			assertThat(gauge(registry, "sandbox.admission.active")).isEqualTo(3);
			assertThat(gauge(registry, "sandbox.admission.limit")).isEqualTo(12);
			assertThat(gauge(registry, "sandbox.admission.rejected")).isEqualTo(7);
			assertThat(gauge(registry, "sandbox.admission.unproven")).isOne();
		});
	}

	@Test
	void countsTheLeases() {
		FakeSandboxBackend backend = new FakeSandboxBackend();
		SandboxLeases leases = SandboxLeases.builder(backend).maxActive(1).build();
		PreparedTemplate template = backend.prewarm(SandboxTemplate.named("empty").build());
		this.contextRunner.withBean(SandboxLeases.class, () -> leases).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			for (String key : List.of("a", "b", "a")) {
				leases
					.open(LeaseSpec.builder(LeaseKey.forConversation(key), template)
						.network(NetworkPolicy.denyAll())
						.build())
					.close();
			}
			leases.end(LeaseKey.forConversation("b"));
			assertThat(gauge(registry, "sandbox.leases.active")).isOne();
			assertThat(gauge(registry, "sandbox.leases.limit")).isOne();
			assertThat(gauge(registry, "sandbox.leases.idle")).isZero();
			assertThat(gauge(registry, "sandbox.leases.waiting")).isZero();
			assertThat(total(registry, "sandbox.leases.acquired", "how", "created")).isEqualTo(2);
			assertThat(total(registry, "sandbox.leases.acquired", "how", "attached")).isOne();
			assertThat(total(registry, "sandbox.leases.stopped")).isEqualTo(2);
			assertThat(total(registry, "sandbox.leases.ended")).isOne();
			for (String name : List.of("expired", "reclaimed", "recovered", "rejected")) {
				assertThat(total(registry, "sandbox.leases." + name)).as(name).isZero();
			}
			assertThat(total(registry, "sandbox.leases.failures", "where", "teardown")).isZero();
			assertThat(total(registry, "sandbox.leases.failures", "where", "hook")).isZero();
			assertThat(registry.getMeters())
				.filteredOn((meter) -> meter.getId().getName().startsWith("sandbox.leases."))
				.hasSize(14)
				.allSatisfy((meter) -> assertThat(meter.getId().getDescription()).isNotBlank());
		});
		backend.close();
	}

	@Test
	void timesRequestsOfTheGatewayAndCountsTheirBytes() {
		this.contextRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			backend.publish(request(ORIGIN, "ok", 10, 200));
			backend.publish(request(ORIGIN, "ok", 0, 300));
			backend.publish(request(ORIGIN, "upstream_timeout", 5, 0));
			backend.publish(request(null, "origin_not_listed", 0, 0));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			Timer served = registry.get("sandbox.gateway.requests")
				.tags("origin", "https://api.example.com", "outcome", "ok")
				.timer();
			assertThat(served.count()).isEqualTo(2);
			assertThat(served.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40);
			assertThat(registry.get("sandbox.gateway.requests")
				.tags("origin", "https://api.example.com", "outcome", "upstream_timeout")
				.timer()
				.count()).isOne();
			assertThat(registry.get("sandbox.gateway.requests")
				.tags("origin", "none", "outcome", "origin_not_listed")
				.timer()
				.count()).isOne();
			assertThat(count(registry, "sandbox.gateway.bytes", "direction", "request")).isEqualTo(15);
			assertThat(count(registry, "sandbox.gateway.bytes", "direction", "response")).isEqualTo(500);
		});
	}

	@Test
	void gaugesTheGateway() {
		SandboxGateway gateway = mock(SandboxGateway.class);
		given(gateway.status()).willReturn(new GatewayStatus(1, 2, 3, 4));
		this.contextRunner.withBean("mine", SandboxGateway.class, () -> gateway).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(gauge(registry, "sandbox.gateway.active")).isEqualTo(3);
			assertThat(gauge(registry, "sandbox.gateway.upstream")).isEqualTo(4);
		});
	}

	@Test
	void everyMeterHasADescriptionAndNoIdAsTag() {
		this.contextRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			backend.publish(new SandboxEvent.CommandRefused("an-id", ErrorCode.SANDBOX_BUSY));
			backend.publish(new SandboxEvent.CommandFinished("an-id", "command", ExecStatus.EXITED, Duration.ZERO));
			backend.publish(new SandboxEvent.FileOperation("an-id", "read", "success"));
			backend.publish(new SandboxEvent.GatewayRequest("an-id", "an-id", Instant.EPOCH, ORIGIN, "an-id", "an-id",
					200, "ok", 0, 0, Duration.ZERO));
			assertThat(context.getBean(MeterRegistry.class).getMeters())
				.filteredOn((meter) -> meter.getId().getName().startsWith("sandbox."))
				.hasSize(15)
				.extracting(Meter::getId)
				.allSatisfy((id) -> {
					assertThat(id.getDescription()).as(id.getName()).isNotBlank();
					assertThat(id.getBaseUnit()).as(id.getName()).isNotBlank();
					assertThat(id.getTags()).as(id.getName()).noneMatch((tag) -> tag.getValue().equals("an-id"));
				});
		});
	}

	@Test
	void countsWhatHappenedBeforeThereWasARegistry() {
		SandboxEventMetrics metrics = new SandboxEventMetrics();
		metrics.onEvent(new SandboxEvent.SessionCreated("1", "key"));
		metrics.onEvent(new SandboxEvent.CommandFinished("1", "command", ExecStatus.EXITED, Duration.ofMillis(1)));
		MeterRegistry first = new SimpleMeterRegistry();
		MeterRegistry second = new SimpleMeterRegistry();
		metrics.bindTo(first);
		metrics.bindTo(second);
		metrics.onEvent(new SandboxEvent.SessionCreated("2", "key"));
		assertThat(count(first, "sandbox.sessions.acquired")).isEqualTo(2);
		assertThat(count(second, "sandbox.sessions.acquired")).isEqualTo(2);
		assertThat(first.get("sandbox.commands").timer().count()).isOne();
	}

	@Test
	void keepsABoundedNumberOfEarlyEvents() {
		SandboxEventMetrics metrics = new SandboxEventMetrics();
		for (int i = 0; i < 5000; i++) {
			metrics.onEvent(new SandboxEvent.SessionCreated("1", "key"));
		}
		MeterRegistry registry = new SimpleMeterRegistry();
		metrics.bindTo(registry);
		assertThat(count(registry, "sandbox.sessions.acquired")).isEqualTo(1024);
	}

	@Test
	void doesNotInitializeTheRegistryWithTheBackend() {
		// A registry that needs the backend would be a cycle if the backend needed it.
		this.contextRunner
			.withBean("dependent", SimpleMeterRegistry.class, SimpleMeterRegistry::new,
					(definition) -> definition.setDependsOn("stubBackend"))
			.run((context) -> {
				context.getBean(StubSandboxBackend.class).publish(new SandboxEvent.SessionCreated("1", "key"));
				assertThat(count(context.getBean(MeterRegistry.class), "sandbox.sessions.acquired")).isOne();
			});
	}

	@Test
	void backsOff() {
		this.contextRunner.withPropertyValues("sandbox.enabled=false").run(this::hasNoMeters);
		ApplicationContextRunner withoutMetrics = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxMetricsAutoConfiguration.class))
			.withUserConfiguration(StubConfiguration.class);
		withoutMetrics.run(this::hasNoMeters);
		withoutMetrics.withClassLoader(new FilteredClassLoader(MeterRegistry.class)).run(this::hasNoMeters);
	}

	@Test
	void backsOffWhenUserProvidesTheBeans() {
		SandboxMetrics metrics = new SandboxMetrics(new StubSandboxBackend());
		SandboxEventMetrics eventMetrics = new SandboxEventMetrics();
		SandboxGatewayMetrics gatewayMetrics = new SandboxGatewayMetrics(SandboxGateway.builder().build());
		this.contextRunner.withBean("mine", SandboxMetrics.class, () -> metrics)
			.withBean("mineToo", SandboxEventMetrics.class, () -> eventMetrics)
			.withBean("mineAsWell", SandboxGatewayMetrics.class, () -> gatewayMetrics)
			.run((context) -> {
				assertThat(context.getBean(SandboxMetrics.class)).isSameAs(metrics);
				assertThat(context.getBean(SandboxEventMetrics.class)).isSameAs(eventMetrics);
				assertThat(context.getBean(SandboxGatewayMetrics.class)).isSameAs(gatewayMetrics);
			});
	}

	private void hasNoMeters(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		assertThat(context).doesNotHaveBean("sandboxMetrics")
			.doesNotHaveBean("sandboxEventMetrics")
			.doesNotHaveBean("sandboxGatewayMetrics");
	}

	private static SandboxEvent request(Origin origin, String reason, long sent, long received) {
		return new SandboxEvent.GatewayRequest("1", null, Instant.EPOCH, origin, "GET", "/", 200, reason, sent,
				received, Duration.ofMillis(20));
	}

	private static double count(MeterRegistry registry, String name, String... tags) {
		return registry.get(name).tags(tags).counter().count();
	}

	private static double total(MeterRegistry registry, String name, String... tags) {
		return registry.get(name).tags(tags).functionCounter().count();
	}

	private static double gauge(MeterRegistry registry, String name) {
		return registry.get(name).gauge().value();
	}

	@Configuration(proxyBeanMethods = false)
	static class StubConfiguration {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

	}

}
