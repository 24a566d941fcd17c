package io.sandbox4j.autoconfigure.tools;

import java.util.Arrays;
import java.util.List;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;

/**
 * The coding tools for Spring AI: pass it to {@code ChatClient}, or let an MCP server
 * offer it, as those of Spring AI do with every such bean. Thread-safe.
 *
 * <pre class="code">
 * chatClient.prompt("Fix the test")
 *     .tools(sandboxTools)
 *     .toolContext(Map.of(SandboxKeyResolver.CONTEXT_KEY, conversationId))
 *     .call();
 * </pre>
 *
 * @since 0.1.0
 */
public final class SandboxToolCallbackProvider implements ToolCallbackProvider {

	private final List<ToolCallback> callbacks;

	SandboxToolCallbackProvider(List<? extends ToolCallback> callbacks) {
		this.callbacks = List.copyOf(callbacks);
	}

	@Override
	public ToolCallback[] getToolCallbacks() {
		return this.callbacks.toArray(new ToolCallback[0]);
	}

	@Override
	public String toString() {
		return Arrays.toString(this.callbacks.stream().map((tool) -> tool.getToolDefinition().name()).toArray());
	}

}
