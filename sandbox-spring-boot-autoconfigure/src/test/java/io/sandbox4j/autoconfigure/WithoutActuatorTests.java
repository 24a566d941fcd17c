package io.sandbox4j.autoconfigure;

import io.sandbox4j.SandboxListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that has neither Actuator nor Micrometer on its class path.
 * They run in a surefire execution of their own.
 */
@Tag("no-actuator")
class WithoutActuatorTests {

	@Test
	void theClassPathIsAsIntended() {
		assertThat(isPresent("org.springframework.boot.actuate.endpoint.annotation.Endpoint")).isFalse();
		assertThat(isPresent("org.springframework.boot.health.contributor.HealthIndicator")).isFalse();
		assertThat(isPresent("io.micrometer.core.instrument.MeterRegistry")).isFalse();
	}

	@Test
	void startsAndStops() {
		StubSandboxBackend backend;
		try (ConfigurableApplicationContext context = new SpringApplication(Application.class).run("--server.port=0",
				"--sandbox.templates.python.files.a=b")) {
			backend = context.getBean(StubSandboxBackend.class);
			assertThat(backend.probes).hasValue(1);
			assertThat(context.getBean(SandboxTemplates.class).names()).containsExactly("python");
			assertThat(context.getBeansOfType(SandboxListener.class)).containsOnlyKeys("sandboxAuditLog",
					"sandboxAvailability", "sandboxEventPublisher", "sandboxInstalls", "sandboxWorkspaceTransports");
		}
		assertThat(backend.calls).first().asString().startsWith("drain");
	}

	private boolean isPresent(String className) {
		return ClassUtils.isPresent(className, null);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

	}

}
