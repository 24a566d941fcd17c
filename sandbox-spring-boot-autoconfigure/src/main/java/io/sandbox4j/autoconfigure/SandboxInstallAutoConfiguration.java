package io.sandbox4j.autoconfigure;

import java.time.Duration;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxException;
import io.sandbox4j.install.InstallListener;
import io.sandbox4j.install.InstallPlan;
import io.sandbox4j.install.InstallRegistries;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@link SandboxInstalls}, and for what the sandboxes may reach to
 * install.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "sandbox.enabled", "sandbox.install.enabled" }, matchIfMissing = true)
@ConditionalOnBean(SandboxBackend.class)
@EnableConfigurationProperties(SandboxInstallProperties.class)
public final class SandboxInstallAutoConfiguration {

	static final String REGISTRIES = "sandbox.install.registries";

	private static final String PREFIX = "sandbox.install.";

	private static final Duration LONGEST = Duration.ofHours(24);

	SandboxInstallAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	InstallPlan sandboxInstallPlan(SandboxInstallProperties properties) {
		Duration timeout = properties.timeout();
		require(timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(LONGEST) <= 0, "timeout",
				"It must be more than 0 and at most 24 hours.");
		return InstallPlan.builder().scripts(properties.scripts()).timeout(timeout).build();
	}

	@Bean
	@ConditionalOnMissingBean
	InstallRegistries sandboxInstallRegistries(SandboxInstallProperties properties) {
		InstallRegistries.Builder builder = InstallRegistries.builder();
		properties.registries().forEach((ecosystem, url) -> {
			try {
				builder.registry(ecosystem, url);
			}
			catch (SandboxException ex) {
				throw new InvalidSandboxPropertyException(REGISTRIES, String.valueOf(ex.getMessage()));
			}
		});
		return builder.build();
	}

	// The backend is built with its listeners, of which this is one: it is asked for
	// later.
	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	SandboxInstalls sandboxInstalls(SandboxInstallProperties install, InstallPlan plan, SandboxProperties properties,
			ObjectProvider<SandboxBackend> backend, ObjectProvider<InstallListener> listeners) {
		if (install.directory() != null) {
			PropertiesBackendCustomizer.absolute(PREFIX + "directory", install.directory());
		}
		require(!install.pause().isNegative(), "pause", "It must not be negative.");
		require(install.watchdogInterval().toMillis() >= 1, "watchdog-interval", "It must be at least 1 millisecond.");
		InstallListener listener = (session, directory, state) -> listeners.orderedStream()
			.forEach((each) -> each.onSettled(session, directory, state));
		return new SandboxInstalls(
				() -> StateDirectories.find(PREFIX + "directory", install.directory(), "installs", backend.getObject(),
						properties),
				(builder) -> builder.plan(plan)
					.pause(install.pause())
					.watchdog(install.watchdogInterval())
					.listener(listener),
				(session) -> backend.getObject().handle(session).isPresent());
	}

	private static void require(boolean condition, String name, String reason) {
		if (!condition) {
			throw new InvalidSandboxPropertyException(PREFIX + name, reason);
		}
	}

}
