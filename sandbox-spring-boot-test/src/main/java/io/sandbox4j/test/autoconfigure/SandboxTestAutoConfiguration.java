package io.sandbox4j.test.autoconfigure;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxBackendCustomizer;
import io.sandbox4j.test.FakeSandboxBackend;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for the backends of {@link SandboxTest}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
public final class SandboxTestAutoConfiguration {

	static final String BACKEND = "sandbox.test.backend";

	SandboxTestAutoConfiguration() {
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnProperty(name = BACKEND, havingValue = "fake")
	@ConditionalOnMissingBean(SandboxBackend.class)
	FakeSandboxBackend sandboxBackend(ObjectProvider<SandboxListener> listeners) {
		return FakeSandboxBackend.builder()
			.listener((event) -> listeners.orderedStream().forEach((listener) -> listener.onEvent(event)))
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = BACKEND, havingValue = "bubblewrap")
	static class Bubblewrap {

		@Bean
		TemporaryState sandboxTemporaryState() {
			return TemporaryState.create();
		}

		// Before the application's customizers, and after its properties: a test must
		// not work in the directories of an application that may run.
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SandboxBackendCustomizer sandboxTemporaryStateCustomizer(TemporaryState state) {
			return (builder) -> builder.stateDirectory(state.state()).runtimeDirectory(state.runtime());
		}

	}

}
