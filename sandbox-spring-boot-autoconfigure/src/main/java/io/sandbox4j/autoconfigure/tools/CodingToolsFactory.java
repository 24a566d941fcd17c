package io.sandbox4j.autoconfigure.tools;

import java.util.List;

import io.sandbox4j.SandboxSession;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.PathAuthorization;
import io.sandbox4j.tools.SandboxTool;
import io.sandbox4j.tools.ToolAuthorization;

/**
 * Builds the tools of each sandbox in the same way.
 *
 * @param authorization decides of each call
 * @param paths decides of each path
 * @param customizers change the builder, in this order
 */
record CodingToolsFactory(ToolAuthorization authorization, PathAuthorization paths,
		List<CodingToolsCustomizer> customizers) {

	CodingToolsFactory {
		customizers = List.copyOf(customizers);
	}

	CodingTools build(SandboxSession session) {
		CodingTools.Builder builder = CodingTools.builder(session).authorize(this.authorization);
		builder.authorizePath(this.paths);
		this.customizers.forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	List<SandboxTool> describe() {
		return build(new DescribedSession()).tools();
	}

}
