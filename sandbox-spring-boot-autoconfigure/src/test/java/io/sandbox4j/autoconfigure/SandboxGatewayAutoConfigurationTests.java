package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.gateway.SandboxGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxGatewayAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxGatewayAutoConfigurationTests {

	private static final String ALLOW = "sandbox.network.allow[0].";

	@TempDir(factory = PassableTempDirFactory.class)
	private static Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxAutoConfiguration.class))
		.withUserConfiguration(StubConfiguration.class);

	@Test
	void makesAGatewayAndAPolicyThatDeniesAll() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(SandboxGateway.class).hasSingleBean(SandboxAuditLog.class);
			assertThat(context.getBean(NetworkPolicy.class)).isEqualTo(NetworkPolicy.denyAll());
			assertThat(context.getBean(SandboxGateway.class).status().sessions()).isZero();
		});
	}

	@Test
	void makesThePolicyThatIsDeclared() {
		this.contextRunner
			.withPropertyValues(ALLOW + "origin=https://api.example.com", ALLOW + "headers.Authorization=Bearer x",
					ALLOW + "methods=GET", "sandbox.network.allow[1].origin=https://files.example.com")
			.run((context) -> {
				List<OriginRule> rules = ((NetworkPolicy.AllowList) context.getBean(NetworkPolicy.class)).rules();
				assertThat(rules).extracting((rule) -> rule.origin().toString())
					.containsExactly("https://api.example.com", "https://files.example.com");
				assertThat(rules.get(0).headers()).containsEntry("Authorization", "Bearer x");
				assertThat(rules.get(0).methods()).containsExactly("GET");
			});
		this.contextRunner.withPropertyValues("sandbox.network.mode=allow-all")
			.run((context) -> assertThat(context.getBean(NetworkPolicy.class)).isEqualTo(NetworkPolicy.allowAll()));
	}

	@Test
	void makesNothingWhenDisabled() {
		this.contextRunner.withPropertyValues("sandbox.enabled=false", ALLOW + "origin=*")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SandboxGateway.class)
				.doesNotHaveBean(NetworkPolicy.class)
				.doesNotHaveBean(SandboxAuditLog.class)
				.doesNotHaveBean(SandboxNetworkProperties.class)
				.doesNotHaveBean(SandboxGatewayProperties.class));
	}

	@Test
	void backsOffWhenUserProvidesTheBeans() {
		SandboxGateway gateway = SandboxGateway.builder().build();
		NetworkPolicy policy = NetworkPolicy.allow(OriginRule.builder("https://mine.example").build());
		SandboxAuditLog log = new SandboxAuditLog();
		this.contextRunner.withBean("mine", SandboxGateway.class, () -> gateway)
			.withBean("myPolicy", NetworkPolicy.class, () -> policy)
			.withBean("myLog", SandboxAuditLog.class, () -> log)
			.run((context) -> {
				assertThat(context.getBean(SandboxGateway.class)).isSameAs(gateway);
				assertThat(context.getBean(NetworkPolicy.class)).isSameAs(policy);
				assertThat(context.getBean(SandboxAuditLog.class)).isSameAs(log);
			});
	}

	@Test
	void checksThePolicyWithTheUsersOwnGateway() {
		this.contextRunner
			.withBean("mine", SandboxGateway.class,
					() -> SandboxGateway.builder().credentialSource("own", (use) -> Credential.of("x")).build())
			.withPropertyValues(ALLOW + "origin=https://api.example.com", ALLOW + "credentials[0].header=X-Key",
					ALLOW + "credentials[0].source=own")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(NetworkPolicy.class));
	}

	@Test
	void knowsTheCredentialSourcesByTheirBeanNames() {
		ApplicationContextRunner runner = this.contextRunner.withUserConfiguration(SourceConfiguration.class);
		runner.withPropertyValues(credential("apiToken")).run((context) -> {
			assertThat(context).hasNotFailed();
			assertKnown(context, "apiToken");
			assertKnown(context, "second");
		});
		runner.withPropertyValues(credential("apitoken"))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContainingAll("'apitoken'", "[apiToken, second]"));
		this.contextRunner.withPropertyValues(credential("apiToken"))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasRootCauseInstanceOf(SandboxException.class)
				.hasStackTraceContaining("'" + ALLOW + "credentials[0].source' is invalid: It is 'apiToken'"));
	}

	@Test
	void usesTheSslBundlesThatAreNamed() {
		TestCertificate certificate = TestCertificate.create(directory, "bundle");
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
				"spring.ssl.bundle.jks.internal.truststore.location=" + certificate.store().toUri(),
				"spring.ssl.bundle.jks.internal.truststore.password=" + TestCertificate.PASSWORD,
				ALLOW + "origin=https://api.example.com");
		runner.withPropertyValues(ALLOW + "ssl-bundle=internal", "sandbox.gateway.ssl-bundle=internal")
			.run((context) -> assertThat(context).hasNotFailed());
		runner.withPropertyValues(ALLOW + "ssl-bundle=external")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContainingAll("'" + ALLOW + "ssl-bundle'", "'external'", "[internal]"));
		runner.withPropertyValues("sandbox.gateway.ssl-bundle=external")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContainingAll("'sandbox.gateway.ssl-bundle'", "'external'", "[internal]"));
	}

	@Test
	void appliesCustomizersInOrderAfterTheRest() {
		this.contextRunner.withUserConfiguration(SourceConfiguration.class, CustomizerConfiguration.class)
			.withPropertyValues(credential("added"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(CustomizerConfiguration.class).calls).containsExactly("first", "second");
				assertKnown(context, "apiToken");
				assertKnown(context, "added");
			});
	}

	@Test
	void failsOnAnInvalidValue() {
		this.contextRunner.withPropertyValues("sandbox.gateway.max-requests=0")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("'sandbox.gateway.max-requests'"));
		this.contextRunner
			.withPropertyValues(ALLOW + "origin=https://a.example", "sandbox.network.allow[1].origin=https://b.example",
					"sandbox.network.allow[1].path-prefixes=v1")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("'sandbox.network.allow[1].path-prefixes' is invalid: It has 'v1'"));
	}

	@Test
	void refusesARestrictionWithAMisspelledName() {
		this.contextRunner.withPropertyValues(ALLOW + "origin=https://a.example", ALLOW + "path-prefix=/v1")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("[sandbox.network.allow[0].path-prefix] were left unbound"));
		this.contextRunner.withPropertyValues("sandbox.network.modes=deny-all")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void givesTheGatewayToTheBackendAndClosesItAfterwards() {
		SandboxGateway gateway = mock(SandboxGateway.class);
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(SandboxGatewayAutoConfiguration.class, SandboxAutoConfiguration.class))
			.withPropertyValues("sandbox.state-directory=" + directory.resolve("state"),
					"sandbox.runtime-directory=" + directory.resolve("run"), "sandbox.probe-at-start=false")
			.withBean("sandboxGateway", SandboxGateway.class, () -> gateway)
			.run((context) -> {
				assertThat(context).hasSingleBean(BubblewrapBackend.class);
				assertThat(context.getBeanFactory().getDependentBeans("sandboxGateway")).contains("sandboxBackend");
			});
		then(gateway).should().close();
	}

	@Test
	void makesABackendWithoutAGateway() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class))
			.withPropertyValues("sandbox.state-directory=" + directory.resolve("state"),
					"sandbox.runtime-directory=" + directory.resolve("run"), "sandbox.probe-at-start=false")
			.run((context) -> assertThat(context).hasSingleBean(BubblewrapBackend.class)
				.doesNotHaveBean(SandboxGateway.class));
	}

	@Test
	void logsRequestsUnlessToldNotTo(CapturedOutput output) {
		SandboxEvent request = new SandboxEvent.GatewayRequest("1", null, Instant.EPOCH, null, "GET", "/", 403,
				"denied_by_policy", 0, 0, Duration.ZERO);
		this.contextRunner.withPropertyValues("sandbox.gateway.audit=false").run((context) -> {
			assertThat(context).doesNotHaveBean(SandboxAuditLog.class);
			context.getBean(StubSandboxBackend.class).publish(request);
			assertThat(output).doesNotContain("event=gateway-request");
		});
		this.contextRunner.run((context) -> {
			context.getBean(StubSandboxBackend.class).publish(request);
			assertThat(output).containsOnlyOnce("event=gateway-request").contains("reason=denied_by_policy");
		});
	}

	private static String[] credential(String source) {
		return new String[] { ALLOW + "origin=https://api.example.com", ALLOW + "credentials[0].header=Authorization",
				ALLOW + "credentials[0].source=" + source, ALLOW + "credentials[0].prefix=Bearer " };
	}

	private static void assertKnown(AssertableApplicationContext context, String source) {
		SandboxGateway gateway = context.getBean(SandboxGateway.class);
		assertThatNoException().isThrownBy(() -> gateway.validate(policy(source)));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> gateway.validate(policy("not" + source)));
	}

	private static NetworkPolicy policy(String source) {
		return NetworkPolicy.allow(OriginRule.builder("https://api.example.com").credential("X", source, "").build());
	}

	@Configuration(proxyBeanMethods = false)
	static class StubConfiguration {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SourceConfiguration {

		@Bean
		CredentialSource apiToken() {
			return (use) -> Credential.of("first");
		}

		@Bean
		CredentialSource second() {
			return (use) -> Credential.of("second");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizerConfiguration {

		private final List<String> calls = new ArrayList<>();

		@Bean
		@Order(2)
		SandboxGatewayCustomizer secondCustomizer() {
			return (builder) -> this.calls.add("second");
		}

		@Bean
		@Order(1)
		SandboxGatewayCustomizer firstCustomizer() {
			return (builder) -> {
				this.calls.add("first");
				builder.credentialSource("added", (use) -> Credential.of("added"));
			};
		}

	}

}
