package io.sandbox4j.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.sandbox4j.autoconfigure.SandboxCheckpointAutoConfiguration;
import io.sandbox4j.checkpoint.Checkpoints;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for metrics of checkpoints.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SandboxCheckpointAutoConfiguration.class, MetricsAutoConfiguration.class,
		CompositeMeterRegistryAutoConfiguration.class })
@ConditionalOnClass({ MeterRegistry.class, MetricsAutoConfiguration.class })
@ConditionalOnBean({ MeterRegistry.class, Checkpoints.class })
public final class SandboxCheckpointMetricsAutoConfiguration {

	SandboxCheckpointMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxCheckpointMetrics sandboxCheckpointMetrics() {
		return new SandboxCheckpointMetrics();
	}

}
