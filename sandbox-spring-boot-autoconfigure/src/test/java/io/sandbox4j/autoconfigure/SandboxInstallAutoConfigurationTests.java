package io.sandbox4j.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.autoconfigure.endpoint.InstallDescriptor;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpoint;
import io.sandbox4j.autoconfigure.endpoint.SandboxesEndpointAutoConfiguration;
import io.sandbox4j.autoconfigure.metrics.SandboxInstallMetricsAutoConfiguration;
import io.sandbox4j.install.InstallPlan;
import io.sandbox4j.install.InstallRegistries;
import io.sandbox4j.install.InstallState;
import io.sandbox4j.install.Installs;
import io.sandbox4j.lease.LeaseKey;
import io.sandbox4j.lease.SandboxLease;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.test.FakeSandboxBackend;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link SandboxInstallAutoConfiguration}.
 */
class SandboxInstallAutoConfigurationTests {

	private static final LeaseKey KEY = LeaseKey.forConversation("alice");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxLeaseAutoConfiguration.class, SandboxInstallAutoConfiguration.class,
				SandboxesEndpointAutoConfiguration.class, MetricsAutoConfiguration.class,
				SandboxInstallMetricsAutoConfiguration.class));

	private final ApplicationContextRunner fakeRunner = this.contextRunner
		.withBean(SandboxBackend.class, FakeSandboxBackend::new)
		.withPropertyValues("sandbox.probe-at-start=false");

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "sandbox.enabled", "sandbox.install.enabled" })
	void makesNothingWhenDisabled(String property) {
		this.fakeRunner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SandboxInstalls.class)
				.doesNotHaveBean(InstallRegistries.class));
	}

	@Test
	void backsOffWhenUserProvidesBeans() {
		InstallPlan plan = InstallPlan.defaults();
		InstallRegistries registries = InstallRegistries.defaults();
		SandboxInstalls mine = new SandboxInstalls(() -> this.directory, (builder) -> builder, (session) -> true);
		this.fakeRunner.withBean(InstallPlan.class, () -> plan)
			.withBean(InstallRegistries.class, () -> registries)
			.withBean("mine", SandboxInstalls.class, () -> mine)
			.run((context) -> {
				assertThat(context.getBean(InstallPlan.class)).isSameAs(plan);
				assertThat(context.getBean(InstallRegistries.class)).isSameAs(registries);
				assertThat(context.getBean(SandboxInstalls.class)).isSameAs(mine);
			});
	}

	@Test
	void thePlanHasWhatThePropertiesSay() {
		this.fakeRunner.run((context) -> {
			assertThat(context.getBean(InstallPlan.class).scripts()).isFalse();
			assertThat(context.getBean(InstallPlan.class).timeout()).isEqualTo(Duration.ofMinutes(20));
		});
		this.fakeRunner.withPropertyValues("sandbox.install.scripts=true", "sandbox.install.timeout=3m")
			.run((context) -> {
				assertThat(context.getBean(InstallPlan.class).scripts()).isTrue();
				assertThat(context.getBean(InstallPlan.class).timeout()).isEqualTo(Duration.ofMinutes(3));
			});
	}

	@ParameterizedTest
	@CsvSource({ "timeout, 0s", "timeout, 25h", "pause, -1s", "watchdog-interval, 0s", "directory, relative",
			"registries.go, ftp://proxy.example" })
	void failsOnAnInvalidValueAndNamesTheProperty(String name, String value) {
		this.fakeRunner.withPropertyValues("sandbox.install." + name + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.install." + name.replace(".go", "") + "' is invalid: "));
	}

	@Test
	void withoutRegistriesSandboxesReachNothing() {
		this.fakeRunner
			.run((context) -> assertThat(context.getBean(NetworkPolicy.class)).isEqualTo(NetworkPolicy.denyAll()));
	}

	@Test
	void registriesStandBesideTheOriginsOfThePolicy() {
		this.fakeRunner
			.withPropertyValues("sandbox.install.registries.go=https://proxy.example",
					"sandbox.network.allow[0].origin=https://api.example")
			.run((context) -> assertThat(((NetworkPolicy.AllowList) context.getBean(NetworkPolicy.class)).rules())
				.extracting((rule) -> rule.origin().host() + " " + rule.methods().contains("POST"))
				.contains("proxy.example false")
				.anyMatch((rule) -> rule.startsWith("api.example")));
	}

	@Test
	void aRegistryThatThePolicyHasAlreadyFailsTheStart() {
		this.fakeRunner
			.withPropertyValues("sandbox.install.registries.go=https://api.example",
					"sandbox.network.allow[0].origin=https://api.example")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("api.example"));
	}

	@Test
	void registriesDoNotOverruleThatThereIsNoNetwork() {
		this.fakeRunner
			.withPropertyValues("sandbox.install.registries.go=https://proxy.example", "sandbox.network.mode=deny-all")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.install.registries' is invalid: "));
	}

	@Test
	void aBackendWithoutAStateDirectoryNeedsTheProperty() {
		this.fakeRunner.run((context) -> {
			SandboxSession session = open(context).session();
			assertThatExceptionOfType(InvalidSandboxPropertyException.class)
				.isThrownBy(() -> context.getBean(SandboxInstalls.class).of(session))
				.withMessageContaining("'sandbox.install.directory'");
			// Nothing was written down, so there is nothing to forget.
			assertThat(context.getBean(SandboxLeases.class).end(KEY)).isTrue();
		});
	}

	@Test
	void aSessionThatIsStoppedHasNone() {
		this.fakeRunner.withPropertyValues("sandbox.install.directory=" + this.directory.resolve("installs"))
			.run((context) -> {
				SandboxInstalls all = context.getBean(SandboxInstalls.class);
				SandboxSession session = open(context).session();
				Installs running = all.of(session);
				assertThat(all.find(session.id())).isSameAs(running);
				context.getBean(SandboxLeases.class).end(KEY);
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> all.of(session))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
				assertThat(all.find(session.id())).isNull();
			});
	}

	@Test
	@Tag("isolation")
	void anInstallIsShownAndCountedAndForgottenWithItsSession() {
		assumeTrue(
				Files.isExecutable(Path.of("/usr/bin/bwrap")) || Boolean.getBoolean("sandbox.test.require-bubblewrap"),
				"bubblewrap is not installed");
		InstallPlan plan = InstallPlan.builder().override("owner/repo", "echo secret; exit 3", "tree").build();
		this.contextRunner.withBean(InstallPlan.class, () -> plan)
			.withBean(SimpleMeterRegistry.class)
			.withPropertyValues("sandbox.state-directory=" + this.directory.resolve("state"),
					"sandbox.runtime-directory=" + this.directory.resolve("run"),
					"management.endpoints.web.exposure.include=sandboxes")
			.run((context) -> {
				SandboxInstalls all = context.getBean(SandboxInstalls.class);
				SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
				try (SandboxLease lease = open(context)) {
					Installs installs = all.of(lease.session());
					assertThat(all.of(lease.session())).isSameAs(installs);
					installs.start(".", "owner/repo");
					Awaitility.await().until(() -> installs.state(".") instanceof InstallState.Failed);
				}
				assertThat(shown(context)).singleElement().satisfies((install) -> {
					assertThat(install.state()).isEqualTo("failed");
					assertThat(install.exitCode()).isEqualTo(3);
					assertThat(install.advisories()).extracting(Enum::name).containsExactly("DEPS_BROKEN");
					assertThat(install.toString()).doesNotContain("secret");
				});
				assertThat(meters.get("sandbox.installs").tag("outcome", "failed").counter().count()).isOne();
				assertThat(written()).isNotEmpty();
				context.getBean(SandboxLeases.class).end(KEY);
				assertThat(written()).isEmpty();
			});
	}

	private static List<InstallDescriptor> shown(ApplicationContext context) {
		return context.getBean(SandboxesEndpoint.class).sandboxes().sandboxes().get(0).installs();
	}

	private List<Path> written() throws Exception {
		try (Stream<Path> files = Files.walk(this.directory.resolve("state/installs"))) {
			return files.filter(Files::isRegularFile).toList();
		}
	}

	private static SandboxLease open(ApplicationContext context) {
		return context.getBean(SandboxLeases.class).open(context.getBean(LeaseSpecs.class).of(KEY));
	}

}
