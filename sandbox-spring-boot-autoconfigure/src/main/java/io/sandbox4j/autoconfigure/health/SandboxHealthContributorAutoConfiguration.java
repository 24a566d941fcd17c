package io.sandbox4j.autoconfigure.health;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxAvailability;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.SandboxLeases;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link SandboxHealthIndicator}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@ConditionalOnBean({ SandboxBackend.class, SandboxAvailability.class })
@ConditionalOnEnabledHealthIndicator("sandbox")
public final class SandboxHealthContributorAutoConfiguration {

	SandboxHealthContributorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = { "sandboxHealthIndicator", "sandboxHealthContributor" })
	SandboxHealthIndicator sandboxHealthContributor(SandboxBackend backend, SandboxAvailability availability,
			ObjectProvider<SandboxGateway> gateway, ObjectProvider<SandboxLeases> leases) {
		return new SandboxHealthIndicator(backend, availability, gateway.getIfAvailable(), leases.getIfUnique());
	}

}
