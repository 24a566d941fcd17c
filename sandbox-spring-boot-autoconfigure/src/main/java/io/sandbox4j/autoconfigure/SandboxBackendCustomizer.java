package io.sandbox4j.autoconfigure;

import io.sandbox4j.bubblewrap.BubblewrapBackendBuilder;

/**
 * Callback for beans that customize the auto-configured backend, in order, after the
 * {@code sandbox.*} properties were applied. To hear events declare a
 * {@link io.sandbox4j.SandboxListener} bean: setting a listener here replaces those that
 * health and metrics rely on.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxBackendCustomizer {

	/**
	 * Customizes the builder.
	 * @param builder the builder to customize
	 */
	void customize(BubblewrapBackendBuilder builder);

}
