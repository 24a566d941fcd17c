package io.sandbox4j.autoconfigure.tools;

import java.util.Set;
import java.util.function.Predicate;

import io.sandbox4j.autoconfigure.tools.SandboxToolsProperties.Approvals.Kind;
import io.sandbox4j.tools.ToolRequest;
import org.jspecify.annotations.Nullable;

/**
 * Which requests wait for a person. An effect of no kind that is known here always does.
 *
 * @param kinds the kinds
 */
record ApprovalKinds(Set<Kind> kinds) implements Predicate<ToolRequest> {

	ApprovalKinds {
		kinds = Set.copyOf(kinds);
	}

	@Override
	public boolean test(ToolRequest request) {
		if (!request.hasEffect()) {
			return false;
		}
		Kind kind = kind(request);
		return kind == null || this.kinds.contains(Kind.EFFECTS) || this.kinds.contains(kind);
	}

	private static @Nullable Kind kind(ToolRequest request) {
		if (request instanceof ToolRequest.Command || request instanceof ToolRequest.CommandStop) {
			return Kind.COMMANDS;
		}
		if (request instanceof ToolRequest.Remove) {
			return Kind.REMOVALS;
		}
		boolean writes = request instanceof ToolRequest.Write || request instanceof ToolRequest.Edit
				|| request instanceof ToolRequest.Move;
		return writes ? Kind.WRITES : null;
	}

}
