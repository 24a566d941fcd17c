package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.sandbox4j.install.Ecosystem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of installs of dependencies inside sandboxes. Values are checked when the
 * application starts.
 *
 * @param enabled Whether to auto-configure installs of dependencies.
 * @param directory Absolute path of the directory where installs are written down. Unless
 * set, a directory below the state directory.
 * @param scripts Whether code of packages may run while they are installed, such as
 * install scripts, builds of source packages and plugins of build tools.
 * @param timeout Maximum time of an install.
 * @param pause Time after its end before the same install is run again by itself.
 * @param watchdogInterval Time between two looks for installs that ended unseen or take
 * too long, and for repairs that are due.
 * @param registries Map of ecosystems to the URLs of their registries, which commands may
 * then read from through the gateway.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.install")
public record SandboxInstallProperties(@DefaultValue("true") boolean enabled, @Nullable Path directory,
		@DefaultValue("false") boolean scripts, @DefaultValue("20m") Duration timeout,
		@DefaultValue("5m") Duration pause, @DefaultValue("60s") Duration watchdogInterval,
		@DefaultValue Map<Ecosystem, String> registries) {

	/**
	 * Copies the map.
	 */
	public SandboxInstallProperties {
		registries = Map.copyOf(registries);
	}

}
