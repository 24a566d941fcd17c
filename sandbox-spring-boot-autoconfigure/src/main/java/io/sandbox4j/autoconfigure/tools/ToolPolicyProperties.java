package io.sandbox4j.autoconfigure.tools;

import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.SandboxException;
import io.sandbox4j.autoconfigure.InvalidSandboxPropertyException;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.PathAuthorization;
import org.jspecify.annotations.Nullable;

/**
 * What the properties take away from models. Checked here one by one, so that a failure
 * names the element.
 *
 * @param readOnly whether only tools without effects are there
 * @param offered the names of the tools, {@code null} for all
 * @param paths decides of each path
 */
record ToolPolicyProperties(boolean readOnly, @Nullable List<String> offered, PathAuthorization paths) {

	private static final String OFFERED = "sandbox.tools.offered";

	private static final String DENIED_PATHS = "sandbox.tools.denied-paths";

	static ToolPolicyProperties of(SandboxToolsProperties properties) {
		if (properties.offered() != null) {
			requireOffered(properties.offered());
		}
		return new ToolPolicyProperties(properties.readOnly(), properties.offered(), paths(properties.deniedPaths()));
	}

	private static void requireOffered(List<String> names) {
		if (names.isEmpty()) {
			throw new InvalidSandboxPropertyException(OFFERED, "It must name a tool. To offer all remove it; to offer "
					+ "none set 'sandbox.tools.enabled' to 'false'.");
		}
		for (int i = 0; i < names.size(); i++) {
			if (!CodingTools.NAMES.contains(names.get(i))) {
				throw new InvalidSandboxPropertyException(OFFERED + "[" + i + "]",
						"There is no tool '" + names.get(i) + "'. Use some of " + CodingTools.NAMES + ".");
			}
		}
	}

	private static PathAuthorization paths(List<String> globs) {
		List<String> denied = new ArrayList<>();
		for (int i = 0; i < globs.size(); i++) {
			denied.add(globs.get(i));
			try {
				PathAuthorization.denying(List.of(globs.get(i)));
			}
			catch (SandboxException ex) {
				throw new InvalidSandboxPropertyException(DENIED_PATHS + "[" + i + "]",
						String.valueOf(ex.getMessage()));
			}
		}
		return PathAuthorization.denying(denied);
	}

	void apply(CodingTools.Builder builder) {
		builder.readOnly(this.readOnly);
		if (this.offered != null) {
			builder.offer(this.offered);
		}
	}

}
