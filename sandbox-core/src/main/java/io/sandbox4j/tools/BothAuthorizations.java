package io.sandbox4j.tools;

import java.util.Objects;

import io.sandbox4j.SandboxSession;

/**
 * Two decisions that must both allow; the second is asked only for what the first allows.
 *
 * @param first the first
 * @param second the second
 */
record BothAuthorizations(ToolAuthorization first, ToolAuthorization second) implements ToolAuthorization {

	BothAuthorizations {
		Objects.requireNonNull(second, "'other' must not be null");
	}

	@Override
	public boolean authorize(ToolRequest request) {
		return this.first.authorize(request) && this.second.authorize(request);
	}

	@Override
	public boolean authorize(ToolRequest request, SandboxSession session) {
		return this.first.authorize(request, session) && this.second.authorize(request, session);
	}

}
