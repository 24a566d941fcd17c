package io.sandbox4j.autoconfigure;

import io.sandbox4j.lease.SandboxLeasesBuilder;

/**
 * Callback for beans that customize the auto-configured leases, in order, after the
 * {@code sandbox.lease.*} properties and the brokers were applied. Hooks that are told
 * before a sandbox is stopped or a lease is reclaimed are set here.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxLeasesCustomizer {

	/**
	 * Customizes the builder.
	 * @param builder the builder to customize
	 */
	void customize(SandboxLeasesBuilder builder);

}
