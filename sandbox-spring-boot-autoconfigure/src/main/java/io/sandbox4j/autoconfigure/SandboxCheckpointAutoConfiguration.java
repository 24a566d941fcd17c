package io.sandbox4j.autoconfigure;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.checkpoint.CheckpointListener;
import io.sandbox4j.checkpoint.Checkpoints;
import io.sandbox4j.checkpoint.FileSnapshotStore;
import io.sandbox4j.checkpoint.SnapshotStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for {@link Checkpoints}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "sandbox.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "sandbox.checkpoint.enabled")
@ConditionalOnBean(SandboxBackend.class)
@EnableConfigurationProperties(SandboxCheckpointProperties.class)
public final class SandboxCheckpointAutoConfiguration {

	private static final String PREFIX = "sandbox.checkpoint.";

	SandboxCheckpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	SnapshotStore sandboxSnapshotStore(SandboxCheckpointProperties checkpoint, SandboxProperties properties,
			SandboxBackend backend) {
		return FileSnapshotStore.open(
				StateDirectories.find(PREFIX + "directory", checkpoint.directory(), "checkpoints", backend, properties),
				checkpoint.powerLoss());
	}

	@Bean
	@ConditionalOnMissingBean
	Checkpoints sandboxCheckpoints(SandboxCheckpointProperties checkpoint, SnapshotStore store,
			ObjectProvider<CheckpointListener> listeners) {
		require(checkpoint.maxBytes().toBytes() >= 1, "max-bytes", "It must be at least 1 byte.");
		require(checkpoint.maxFiles() >= 1, "max-files", "It must be at least 1.");
		require(!checkpoint.timeout().isNegative() && !checkpoint.timeout().isZero(), "timeout",
				"It must be more than 0.");
		require(checkpoint.abandonedAfter().compareTo(checkpoint.timeout()) > 0, "abandoned-after",
				"It must be more than 'sandbox.checkpoint.timeout'.");
		return Checkpoints.builder(store)
			.maxBytes(checkpoint.maxBytes().toBytes())
			.maxFiles(checkpoint.maxFiles())
			.timeout(checkpoint.timeout())
			.abandonedAfter(checkpoint.abandonedAfter())
			.listener(new CheckpointListeners(listeners))
			.build();
	}

	// First, so that a customizer of the application can do something else instead.
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@ConditionalOnMissingBean(name = "sandboxCheckpointsBeforeStop")
	@ConditionalOnBooleanProperty(name = "sandbox.checkpoint.before-stop", matchIfMissing = true)
	SandboxRunsCustomizer sandboxCheckpointsBeforeStop(Checkpoints checkpoints) {
		return (builder) -> builder.beforeStop(checkpoints::backUp);
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

}
