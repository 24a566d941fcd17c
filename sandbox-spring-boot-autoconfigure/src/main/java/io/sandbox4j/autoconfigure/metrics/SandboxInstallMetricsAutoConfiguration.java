package io.sandbox4j.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.sandbox4j.autoconfigure.SandboxInstallAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxInstalls;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for metrics of installs.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SandboxInstallAutoConfiguration.class, MetricsAutoConfiguration.class,
		CompositeMeterRegistryAutoConfiguration.class })
@ConditionalOnClass({ MeterRegistry.class, MetricsAutoConfiguration.class })
@ConditionalOnBean({ MeterRegistry.class, SandboxInstalls.class })
public final class SandboxInstallMetricsAutoConfiguration {

	SandboxInstallMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxInstallMetrics sandboxInstallMetrics() {
		return new SandboxInstallMetrics();
	}

}
