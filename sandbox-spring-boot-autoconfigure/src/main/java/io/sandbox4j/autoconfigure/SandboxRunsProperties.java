package io.sandbox4j.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of durable runs. Values are checked when the application starts.
 *
 * @param enabled Whether to auto-configure durable runs, if there is a RunAdapter bean.
 * @param template Name of the template that the workspaces of durable sandboxes start
 * with. Unless set, they start empty.
 * @param idleTimeout Time without use after which a durable sandbox is stopped. Its files
 * stay for the next use.
 * @param maxTurns Maximum number of turns that run at once. Further ones wait.
 * @param drainTimeout Maximum time to let turns end when the application shuts down.
 * Those that are left are settled as lost.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.runs")
public record SandboxRunsProperties(@DefaultValue("true") boolean enabled, @Nullable String template,
		@DefaultValue("5m") Duration idleTimeout, @DefaultValue("16") int maxTurns,
		@DefaultValue("10s") Duration drainTimeout) {

}
