package io.sandbox4j.autoconfigure.tools;

import io.sandbox4j.tools.ToolApprovalsBuilder;

/**
 * Changes the builder of the auto-configured approvals, after the properties are applied:
 * who may answer, who is told, or which calls are held.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolApprovalsCustomizer {

	/**
	 * Changes the builder.
	 * @param builder the builder
	 */
	void customize(ToolApprovalsBuilder builder);

}
