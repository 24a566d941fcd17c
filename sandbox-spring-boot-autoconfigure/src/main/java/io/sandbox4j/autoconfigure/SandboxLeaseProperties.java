package io.sandbox4j.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of leases, which are sandboxes by key. Values are checked when the
 * application starts.
 *
 * @param enabled Whether to auto-configure leases.
 * @param template Name of the template that the workspaces of leases start with. Unless
 * set, they start empty.
 * @param maxActive Maximum number of leases whose sandbox runs at once.
 * @param maxWaiting Maximum number of callers that wait for a place at once.
 * @param lifetime Time that a lease lives after it was made or used.
 * @param maxLifetime Maximum time that a lease lives, however often it is used. Must not
 * be less than 'sandbox.lease.lifetime'.
 * @param idleTimeout Time without a use and without a command after which the sandbox of
 * a lease is stopped. Its files stay for the next use. A value of 0 means never.
 * @param reclaimAfter Time without use after which a lease whose sandbox is stopped ends,
 * with its files. Unless set, only its lifetime ends it.
 * @param sweepInterval Time between two looks for idle and expired leases.
 * @param journal Record of the leases on disk.
 * @since 0.1.0
 */
@ConfigurationProperties("sandbox.lease")
public record SandboxLeaseProperties(@DefaultValue("true") boolean enabled, @Nullable String template,
		@DefaultValue("100") int maxActive, @DefaultValue("1000") int maxWaiting, @DefaultValue("1h") Duration lifetime,
		@DefaultValue("6h") Duration maxLifetime, @DefaultValue("10m") Duration idleTimeout,
		@Nullable Duration reclaimAfter, @DefaultValue("1s") Duration sweepInterval, @DefaultValue Journal journal) {

	/**
	 * Record of the leases on disk.
	 *
	 * @param enabled Whether to record leases on disk, so that they and their files
	 * outlive the application. Without it they end with the application.
	 * @param directory Absolute path of the directory of the journal, of one application
	 * at a time. Unless set, a directory below the state directory.
	 */
	public record Journal(@DefaultValue("false") boolean enabled, @Nullable Path directory) {

	}

}
