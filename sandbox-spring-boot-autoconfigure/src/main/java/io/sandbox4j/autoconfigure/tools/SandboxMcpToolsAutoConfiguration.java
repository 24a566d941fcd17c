package io.sandbox4j.autoconfigure.tools;

import io.modelcontextprotocol.server.McpSyncServerExchange;
import jakarta.servlet.Filter;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for the coding tools over MCP: one sandbox for each session, which
 * ends with it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxToolsAutoConfiguration.class)
@ConditionalOnClass({ SandboxToolCallbackProvider.class, McpSyncServerExchange.class })
@ConditionalOnBooleanProperty(name = { "sandbox.enabled", "sandbox.tools.enabled" }, matchIfMissing = true)
@ConditionalOnBean(ToolSandboxes.class)
public final class SandboxMcpToolsAutoConfiguration {

	SandboxMcpToolsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	McpKeyResolver sandboxMcpKeyResolver() {
		return new McpKeyResolver();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass({ Filter.class, FilterRegistrationBean.class })
	static class SessionEnd {

		@Bean
		@ConditionalOnMissingBean(name = "sandboxMcpSessionFilter")
		FilterRegistrationBean<McpSessionFilter> sandboxMcpSessionFilter(ToolSandboxes sandboxes,
				Environment environment) {
			FilterRegistrationBean<McpSessionFilter> filter = new FilterRegistrationBean<>(
					new McpSessionFilter(sandboxes));
			String servlet = environment.getProperty("spring.mvc.servlet.path", "/");
			String endpoint = environment.getProperty("spring.ai.mcp.server.streamable-http.mcp-endpoint", "/mcp");
			filter.addUrlPatterns((servlet.endsWith("/") ? servlet.substring(0, servlet.length() - 1) : servlet)
					+ (endpoint.startsWith("/") ? endpoint : "/" + endpoint));
			return filter;
		}

	}

}
