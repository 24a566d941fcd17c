package io.sandbox4j.autoconfigure.tools;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Ends the sandbox of an MCP session when its client ends the session: the MCP server
 * tells nobody else. Only a DELETE that the server accepted counts.
 */
final class McpSessionFilter implements Filter {

	private static final String SESSION_ID = "Mcp-Session-Id";

	private final ToolSandboxes sandboxes;

	McpSessionFilter(ToolSandboxes sandboxes) {
		this.sandboxes = sandboxes;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		chain.doFilter(request, response);
		if (request instanceof HttpServletRequest http && http.getMethod().equals("DELETE")
				&& response instanceof HttpServletResponse answer && answer.getStatus() / 100 == 2) {
			String session = http.getHeader(SESSION_ID);
			if (session != null) {
				this.sandboxes.end(McpKeyResolver.key(session));
			}
		}
	}

}
