package io.sandbox4j.autoconfigure.tools;

import io.modelcontextprotocol.server.McpSyncServerExchange;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Gives each MCP session a sandbox of its own. Its refusals are thrown: Spring AI's MCP
 * server makes results with {@code isError} of them.
 */
final class McpKeyResolver implements SandboxKeyResolver {

	/**
	 * The name under which Spring AI's MCP server puts the exchange into the context.
	 */
	static final String EXCHANGE = "exchange";

	static String key(String sessionId) {
		return "mcp:" + sessionId;
	}

	@Override
	public @Nullable String resolve(ToolContext context) {
		if (context.getContext().get(EXCHANGE) instanceof McpSyncServerExchange exchange) {
			String session = exchange.sessionId();
			return (session != null) ? key(session) : null;
		}
		return null;
	}

	@Override
	public boolean throwsRefusals() {
		return true;
	}

}
