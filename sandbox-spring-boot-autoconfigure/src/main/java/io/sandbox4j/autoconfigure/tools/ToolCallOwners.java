package io.sandbox4j.autoconfigure.tools;

import java.util.Map;
import java.util.function.Supplier;

import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.ToolRefusedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Knows which call is on a thread, and so whose it is. Approvals are one for all
 * sandboxes and ask on the thread of the call.
 */
final class ToolCallOwners implements Supplier<String> {

	/**
	 * The context of a call that has none.
	 */
	static final ToolContext NO_CONTEXT = new ToolContext(Map.of());

	private static final Logger logger = LoggerFactory.getLogger(ToolCallOwners.class);

	private final ThreadLocal<@Nullable Call> calls = new ThreadLocal<>();

	private final ToolCallOwnerResolver resolver;

	ToolCallOwners(ToolCallOwnerResolver resolver) {
		this.resolver = resolver;
	}

	/**
	 * Does work that can be held for approval.
	 * @param <T> the type of the result
	 * @param key the key of the sandbox
	 * @param context the context of the call
	 * @param work the work
	 * @return what the work returns
	 */
	<T> T call(String key, ToolContext context, Supplier<T> work) {
		Call outer = this.calls.get();
		this.calls.set(new Call(key, context));
		try {
			return work.get();
		}
		finally {
			if (outer != null) {
				this.calls.set(outer);
			}
			else {
				this.calls.remove();
			}
		}
	}

	@Override
	public String get() {
		String owner = resolve(this.calls.get());
		if (owner == null || owner.isBlank()) {
			logger.warn("A call of a tool needs an approval, and it is not known whose call it is, so it is refused. "
					+ "Let the 'ToolCallOwnerResolver' bean know its owner, and call tools by 'ToolSandboxes.use' or "
					+ "Spring AI.");
			throw new ToolRefusedException(RefusalCode.FORBIDDEN, "Nobody can approve this call.",
					"Do not repeat it; tell the user, or go on without it.");
		}
		return owner;
	}

	private @Nullable String resolve(@Nullable Call call) {
		try {
			return (call != null) ? this.resolver.resolve(call.key(), call.context()) : null;
		}
		catch (RuntimeException ex) {
			logger.warn("Whose call of a tool this is could not be found out", ex);
			return null;
		}
	}

	/**
	 * A call.
	 *
	 * @param key the key of its sandbox
	 * @param context its context
	 */
	private record Call(String key, ToolContext context) {

	}

}
