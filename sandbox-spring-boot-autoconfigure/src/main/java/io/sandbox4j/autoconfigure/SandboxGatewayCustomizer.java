package io.sandbox4j.autoconfigure;

import io.sandbox4j.gateway.SandboxGateway;

/**
 * Callback for beans that customize the auto-configured gateway, in order, after the
 * {@code sandbox.gateway.*} properties and the {@link io.sandbox4j.CredentialSource}
 * beans were applied. Rules that are made in code find here what they name:
 * {@link SandboxGateway.Builder#tls(String, javax.net.ssl.SSLContext)} and
 * {@link SandboxGateway.Builder#credentialSource}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxGatewayCustomizer {

	/**
	 * Customizes the builder.
	 * @param builder the builder to customize
	 */
	void customize(SandboxGateway.Builder builder);

}
