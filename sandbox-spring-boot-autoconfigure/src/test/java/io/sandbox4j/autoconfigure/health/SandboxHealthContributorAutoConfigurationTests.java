package io.sandbox4j.autoconfigure.health;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.autoconfigure.LeaseSpecs;
import io.sandbox4j.autoconfigure.PassableTempDirFactory;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxAvailability;
import io.sandbox4j.autoconfigure.SandboxLeaseAutoConfiguration;
import io.sandbox4j.autoconfigure.StubSandboxBackend;
import io.sandbox4j.gateway.GatewayStatus;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxHealthContributorAutoConfiguration} and
 * {@link SandboxHealthIndicator}.
 */
class SandboxHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxHealthContributorAutoConfiguration.class));

	private final ApplicationContextRunner stubRunner = this.contextRunner
		.withUserConfiguration(StubConfiguration.class);

	@Test
	void isUpAfterAProbeAndDoesNotProbeAgain() {
		this.stubRunner.run((context) -> {
			assertThat(context).hasBean("sandboxHealthContributor");
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			Health health = health(context);
			health(context);
			assertThat(backend.probes).hasValue(1);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsOnlyKeys("isolation", "sessions", "admission")
				.containsEntry("isolation", Map.of("held", List.of("write-contained"), "gaps", List.of("no-sockets")))
				.containsEntry("sessions", Map.of("running", 0, "recovered", 0L, "killedGuests", 0L))
				.containsEntry("admission", Map.of("active", 0L, "limit", 0L, "rejected", 0L, "unproven", 0L));
		});
	}

	@Test
	void isUnknownWithoutAProbeUntilACommandRan() {
		this.stubRunner.withPropertyValues("sandbox.probe-at-start=false").run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN);
			assertThat(health(context).getDetails()).containsEntry("isolation", "not probed");
			backend.publish(new SandboxEvent.CommandFinished("1", "command", ExecStatus.EXITED, Duration.ZERO));
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(backend.probes).hasValue(0);
		});
	}

	@Test
	void isDownWhenACommandCouldNotRun() {
		this.stubRunner.run((context) -> {
			context.getBean(StubSandboxBackend.class)
				.publish(new SandboxEvent.CommandRefused("1", ErrorCode.SANDBOX_UNAVAILABLE));
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails()).containsEntry("failure", "command-refused");
		});
	}

	@Test
	void isUpWhenTheAdmissionIsFullAndShowsIt() {
		this.stubRunner.run((context) -> {
			StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
			backend.running("1", new AdmissionStatus(8, 8, 3, 1));
			backend.running("2", new AdmissionStatus(1, 8, 0, 0));
			backend.publish(new SandboxEvent.CommandRefused("1", ErrorCode.SANDBOX_BUSY));
			backend.publish(new SandboxEvent.SessionAttached("2", true, 4));
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails())
				.containsEntry("admission", Map.of("active", 9L, "limit", 16L, "rejected", 3L, "unproven", 1L))
				.containsEntry("sessions", Map.of("running", 2, "recovered", 1L, "killedGuests", 4L));
		});
	}

	@Test
	void isOutOfServiceWhileDraining() {
		this.stubRunner.run((context) -> {
			context.getBean("sandboxLifecycle", SmartLifecycle.class).stop();
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health.getDetails()).containsEntry("draining", true);
		});
	}

	@Test
	void showsTheFiguresOfTheGateway() {
		SandboxGateway gateway = mock(SandboxGateway.class);
		given(gateway.status()).willReturn(new GatewayStatus(1, 2, 3, 4));
		this.stubRunner.withBean(SandboxGateway.class, () -> gateway)
			.run((context) -> assertThat(health(context).getDetails()).containsEntry("gateway",
					Map.of("sessions", 1, "requests", 3, "upstreamConnections", 4)));
	}

	@Test
	void showsTheLeasesAndIsUpWhenTheirPlacesAreTaken() {
		FakeSandboxBackend backend = new FakeSandboxBackend();
		this.contextRunner.withConfiguration(AutoConfigurations.of(SandboxLeaseAutoConfiguration.class))
			.withBean(SandboxBackend.class, () -> backend)
			.withBean(SandboxAvailability.class, () -> {
				SandboxAvailability known = new SandboxAvailability();
				known.onEvent(new SandboxEvent.CommandFinished("1", "command", ExecStatus.EXITED, Duration.ZERO));
				return known;
			})
			.withBean(NetworkPolicy.class, NetworkPolicy::denyAll)
			.withPropertyValues("sandbox.probe-at-start=false", "sandbox.lease.max-active=1")
			.run((context) -> {
				SandboxLeases leases = context.getBean(SandboxLeases.class);
				LeaseSpecs specs = context.getBean(LeaseSpecs.class);
				leases.open(specs.of(LeaseKey.forConversation("a"))).close();
				try (SandboxLease lease = leases.open(specs.of(LeaseKey.forConversation("b")))) {
					assertThat(lease.info().uses()).isOne();
					Health health = health(context);
					assertThat(health.getStatus()).isEqualTo(Status.UP);
					assertThat(health.getDetails()).containsEntry("leases",
							Map.of("active", 1L, "limit", 1L, "idle", 1L, "waiting", 0L, "recovered", 0L));
				}
			});
	}

	@Test
	void showsTheLimitsOfBubblewrap(@TempDir(factory = PassableTempDirFactory.class) Path directory) {
		this.contextRunner
			.withPropertyValues("sandbox.state-directory=" + directory.resolve("state"),
					"sandbox.runtime-directory=" + directory.resolve("run"), "sandbox.probe-at-start=false",
					"sandbox.limits.cpu-time=90s")
			.run((context) -> assertThat(health(context).getDetails()).containsEntry("limits",
					Map.of("openFiles", 4096L, "processes", 512L, "fileSize", 1L << 30, "cpuTime", "PT1M30S", "tmpSize",
							256L << 20, "shmSize", 64L << 20)));
	}

	@Test
	void isDownWhenTheBackendFails() {
		SandboxBackend backend = new StubSandboxBackend() {

			@Override
			public List<SandboxHandle> handles() {
				throw new IllegalStateException("broken");
			}

		};
		assertThat(new SandboxHealthIndicator(backend, new SandboxAvailability(), null, null).health().getStatus())
			.isEqualTo(Status.DOWN);
	}

	@Test
	void backsOffWhenDisabled() {
		this.stubRunner.withPropertyValues("management.health.sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthContributor.class));
		this.stubRunner.withPropertyValues("management.health.defaults.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthContributor.class));
		this.stubRunner.withPropertyValues("sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthContributor.class));
	}

	@Test
	void backsOffWhenUserProvidesAContributor() {
		HealthIndicator mine = () -> Health.up().build();
		this.stubRunner.withBean("sandboxHealthIndicator", HealthIndicator.class, () -> mine)
			.run((context) -> assertThat(context.getBean(HealthContributor.class)).isSameAs(mine));
		this.stubRunner.withBean("sandboxHealthContributor", HealthIndicator.class, () -> mine)
			.run((context) -> assertThat(context.getBean(HealthContributor.class)).isSameAs(mine));
	}

	@Test
	void backsOffWithoutTheHealthModule() {
		this.stubRunner.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("sandboxHealthContributor"));
	}

	private static Health health(AssertableApplicationContext context) {
		return context.getBean(SandboxHealthIndicator.class).health();
	}

	@Configuration(proxyBeanMethods = false)
	static class StubConfiguration {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

	}

}
