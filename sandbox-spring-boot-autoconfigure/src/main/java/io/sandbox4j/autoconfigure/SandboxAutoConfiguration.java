package io.sandbox4j.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.bubblewrap.BubblewrapBackendBuilder;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.run.SandboxRuns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Auto-configuration for sandboxes.
 * <p>
 * A backend of the application's own takes the place of bubblewrap's. It should be built
 * with the {@link SandboxListener} beans: health, metrics and application events rely on
 * what they hear.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LifecycleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SandboxProperties.class)
public final class SandboxAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(SandboxAutoConfiguration.class);

	SandboxAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxAvailability sandboxAvailability() {
		return new SandboxAvailability();
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxEventPublisher sandboxEventPublisher(ApplicationEventPublisher publisher) {
		return new SandboxEventPublisher(publisher);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean(SandboxBackend.class)
	BubblewrapBackend sandboxBackend(SandboxProperties properties, ObjectProvider<SandboxListener> listeners,
			@Nullable SandboxGateway gateway, ObjectProvider<SandboxBackendCustomizer> customizers) {
		BubblewrapBackendBuilder builder = BubblewrapBackend.builder();
		new PropertiesBackendCustomizer(properties).customize(builder);
		builder.listener(new SandboxListeners(listeners.orderedStream().toList()));
		if (gateway != null) {
			builder.gateway(gateway);
		}
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxTemplates sandboxTemplates(SandboxBackend backend, SandboxProperties properties,
			ResourceLoader resourceLoader, Environment environment, ObjectProvider<SandboxTemplate> beans) {
		List<SandboxTemplate> templates = new ArrayList<>(
				new TemplateDeclarations(resourceLoader, environment).read(properties.templates()));
		templates.addAll(beans.orderedStream().toList());
		return SandboxTemplates.prewarm(backend, templates);
	}

	@Bean
	@ConditionalOnMissingBean(name = "sandboxLifecycle")
	SandboxLifecycle sandboxLifecycle(SandboxBackend backend, ObjectProvider<SandboxLeases> leases,
			ObjectProvider<SandboxRuns> runs, SandboxAvailability availability, SandboxProperties properties,
			ObjectProvider<LifecycleProperties> lifecycle) {
		Duration drainTimeout = properties.drainTimeout();
		if (drainTimeout.isNegative()) {
			throw new InvalidSandboxPropertyException("sandbox.drain-timeout", "It must not be negative.");
		}
		lifecycle.ifAvailable((phase) -> warnIfCutShort(drainTimeout, phase.getTimeoutPerShutdownPhase()));
		return new SandboxLifecycle(backend, leases.orderedStream().toList(), runs.orderedStream().toList(),
				availability, properties.probeAtStart(), drainTimeout);
	}

	private static void warnIfCutShort(Duration drainTimeout, Duration phaseTimeout) {
		if (drainTimeout.compareTo(phaseTimeout) >= 0) {
			logger.warn("'sandbox.drain-timeout' is {} and cut short by 'spring.lifecycle.timeout-per-shutdown-phase', "
					+ "which is {}", drainTimeout, phaseTimeout);
		}
	}

}
