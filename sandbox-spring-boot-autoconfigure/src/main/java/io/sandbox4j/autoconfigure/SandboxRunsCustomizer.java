package io.sandbox4j.autoconfigure;

import io.sandbox4j.run.SandboxRunsBuilder;

/**
 * Callback for beans that customize the auto-configured durable runs, in order, after the
 * {@code sandbox.runs.*} properties were applied. What is done once with each new session
 * is set here.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxRunsCustomizer {

	/**
	 * Customizes the builder.
	 * @param builder the builder to customize
	 */
	void customize(SandboxRunsBuilder builder);

}
