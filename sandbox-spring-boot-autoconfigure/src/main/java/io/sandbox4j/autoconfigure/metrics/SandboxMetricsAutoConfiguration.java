package io.sandbox4j.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxLeaseAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxRunsAutoConfiguration;
import io.sandbox4j.bubblewrap.BubblewrapBackend;
import io.sandbox4j.gateway.SandboxGateway;
import io.sandbox4j.lease.SandboxLeases;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.tools.ToolApprovals;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for metrics of sandboxes.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		after = { SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxLeaseAutoConfiguration.class, SandboxRunsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class },
		afterName = "io.sandbox4j.autoconfigure.tools.SandboxToolsAutoConfiguration")
@ConditionalOnClass({ MeterRegistry.class, MetricsAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@ConditionalOnBean({ MeterRegistry.class, SandboxBackend.class })
public final class SandboxMetricsAutoConfiguration {

	SandboxMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxEventMetrics sandboxEventMetrics() {
		return new SandboxEventMetrics();
	}

	@Bean
	@ConditionalOnMissingBean
	SandboxMetrics sandboxMetrics(SandboxBackend backend) {
		return new SandboxMetrics(backend);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(BubblewrapBackend.class)
	SandboxWarmMetrics sandboxWarmMetrics(BubblewrapBackend backend) {
		return new SandboxWarmMetrics(backend);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(SandboxGateway.class)
	SandboxGatewayMetrics sandboxGatewayMetrics(SandboxGateway gateway) {
		return new SandboxGatewayMetrics(gateway);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(SandboxLeases.class)
	SandboxLeaseMetrics sandboxLeaseMetrics(SandboxLeases leases) {
		return new SandboxLeaseMetrics(leases);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(SandboxRuns.class)
	SandboxRunsMetrics sandboxRunsMetrics(SandboxRuns runs) {
		return new SandboxRunsMetrics(runs);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(ToolApprovals.class)
	ToolApprovalsMetrics sandboxToolApprovalsMetrics(ToolApprovals approvals) {
		return new ToolApprovalsMetrics(approvals);
	}

}
