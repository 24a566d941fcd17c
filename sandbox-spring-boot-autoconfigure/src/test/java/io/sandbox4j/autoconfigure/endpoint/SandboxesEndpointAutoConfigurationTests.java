package io.sandbox4j.autoconfigure.endpoint;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.StubSandboxBackend;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxesEndpointAutoConfiguration}.
 */
class SandboxesEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxesEndpointAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> new StubSandboxBackend())
		.withPropertyValues("management.endpoints.web.exposure.include=sandboxes");

	@Test
	void makesTheEndpointWhenItIsExposed() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(SandboxesEndpoint.class)
			.hasSingleBean(SandboxesEndpointWebExtension.class));
	}

	@Test
	void backsOff() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run(this::hasNoEndpoint);
		this.contextRunner.withPropertyValues("management.endpoint.sandboxes.access=NONE").run(this::hasNoEndpoint);
		this.contextRunner.withPropertyValues("sandbox.enabled=false").run(this::hasNoEndpoint);
	}

	@Test
	void backsOffWhenUserProvidesTheBeans() {
		SandboxesEndpoint endpoint = new SandboxesEndpoint(new StubSandboxBackend(), null, null, null, null, null, null,
				null);
		SandboxesEndpointWebExtension extension = new SandboxesEndpointWebExtension(endpoint);
		this.contextRunner.withBean("mine", SandboxesEndpoint.class, () -> endpoint)
			.withBean("mineToo", SandboxesEndpointWebExtension.class, () -> extension)
			.run((context) -> {
				assertThat(context.getBean(SandboxesEndpoint.class)).isSameAs(endpoint);
				assertThat(context.getBean(SandboxesEndpointWebExtension.class)).isSameAs(extension);
			});
	}

	private void hasNoEndpoint(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		assertThat(context).doesNotHaveBean("sandboxesEndpoint").doesNotHaveBean("sandboxesEndpointWebExtension");
	}

}
