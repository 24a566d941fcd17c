package io.sandbox4j.autoconfigure.tools;

import io.sandbox4j.tools.CodingTools;

/**
 * Changes the builder of the auto-configured tools, after the properties are applied.
 * What it sets replaces what was set before: {@code authorize} replaces the
 * {@code ToolAuthorization} bean and the approvals, {@code authorizePath} the
 * {@code PathAuthorization} bean and the denied paths. It is called once for each
 * sandbox, from several threads at once, and once when the application starts, to
 * describe the tools; there is no sandbox then.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CodingToolsCustomizer {

	/**
	 * Changes the builder.
	 * @param builder the builder
	 */
	void customize(CodingTools.Builder builder);

}
