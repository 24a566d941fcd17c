package io.sandbox4j.autoconfigure;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.run.RunAdapter;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.SandboxRunsBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration for {@link SandboxRuns durable runs} of the application's
 * {@link RunAdapter agent}. Unless there is a {@link NetworkPolicy} bean, their sandboxes
 * have no network.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
		SandboxStoreAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = { "sandbox.enabled", "sandbox.runs.enabled" }, matchIfMissing = true)
@ConditionalOnSingleCandidate(RunAdapter.class)
@EnableConfigurationProperties(SandboxRunsProperties.class)
public final class SandboxRunsAutoConfiguration {

	private static final String PREFIX = "sandbox.runs.";

	private static final String EMPTY_TEMPLATE = "sandbox-runs-empty";

	SandboxRunsAutoConfiguration() {
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	SandboxRuns sandboxRuns(SandboxBackend backend, SandboxTemplates templates, RunStore store, RunAdapter adapter,
			SandboxRunsProperties properties, ObjectProvider<NetworkPolicy> network,
			ObjectProvider<SandboxRunsCustomizer> customizers) {
		requireValid(properties);
		SandboxRunsBuilder builder = SandboxRuns
			.builder(backend, template(backend, templates, properties.template()), store, adapter)
			.network(network.getIfUnique(NetworkPolicy::denyAll))
			.idleTimeout(properties.idleTimeout())
			.maxTurns(properties.maxTurns())
			.drainTimeout(properties.drainTimeout());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	private static void requireValid(SandboxRunsProperties properties) {
		require(properties.idleTimeout().toMillis() >= 1, "idle-timeout", "It must be at least 1 ms.");
		require(properties.maxTurns() >= 1 && properties.maxTurns() <= 1000, "max-turns",
				"It must be at least 1 and at most 1000.");
		require(!properties.drainTimeout().isNegative(), "drain-timeout", "It must not be negative.");
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

	private static PreparedTemplate template(SandboxBackend backend, SandboxTemplates templates,
			@Nullable String name) {
		if (!StringUtils.hasText(name)) {
			return backend.prewarm(SandboxTemplate.named(EMPTY_TEMPLATE).build());
		}
		if (!templates.names().contains(name)) {
			throw new InvalidSandboxPropertyException(PREFIX + "template", "There is no such template, only "
					+ templates.names() + ". Declare it below 'sandbox.templates' or as a 'SandboxTemplate' bean.");
		}
		return templates.get(name);
	}

}
