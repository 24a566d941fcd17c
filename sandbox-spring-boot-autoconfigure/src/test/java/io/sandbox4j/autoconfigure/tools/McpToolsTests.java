package io.sandbox4j.autoconfigure.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.RefusalCode;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxMcpToolsAutoConfiguration}, {@link McpKeyResolver} and
 * {@link McpSessionFilter}.
 */
class McpToolsTests {

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxToolsAutoConfiguration.class, SandboxMcpToolsAutoConfiguration.class))
		.withBean(SandboxBackend.class, () -> this.backend)
		.withPropertyValues("sandbox.probe-at-start=false", "sandbox.tools.required-restrictions=");

	private final Ends ends = new Ends();

	@Test
	void eachSessionHasItsSandboxAndRefusalsAreThrown() {
		this.contextRunner.run((context) -> {
			var tool = context.getBean(SandboxToolCallbackProvider.class).getToolCallbacks()[0];
			assertThatExceptionOfType(RefusedToolCallException.class)
				.isThrownBy(() -> tool.call("{\"path\":\"nope\"}", exchange("one")))
				.withMessageContaining("\"code\":\"NOT_FOUND\"")
				.returns(RefusalCode.NOT_FOUND, RefusedToolCallException::code);
			assertThat(this.backend.sessions()).hasSize(1);
			assertThat(context.getBean(ToolSandboxes.class).end("mcp:two")).isFalse();
			assertThat(context.getBean(ToolSandboxes.class).end("mcp:one")).isTrue();
		});
	}

	@Test
	void aServerWithoutSessionsIsRefused() {
		this.contextRunner.run((context) -> {
			var tool = context.getBean(SandboxToolCallbackProvider.class).getToolCallbacks()[0];
			assertThatIllegalStateException().isThrownBy(() -> tool.call("{}", exchange(null)));
			assertThatIllegalStateException()
				.isThrownBy(() -> tool.call("{}", new ToolContext(Map.of("exchange", "stateless"))));
			assertThat(this.backend.sessions()).isEmpty();
		});
	}

	@ParameterizedTest
	@CsvSource({ ",,/mcp", "/api,,/api/mcp", "/api/,/tools/mcp,/api/tools/mcp", "/,other,/other" })
	void theFilterIsWhereTheServerIs(String servlet, String endpoint, String expected) {
		WebApplicationContextRunner runner = this.contextRunner;
		if (servlet != null) {
			runner = runner.withPropertyValues("spring.mvc.servlet.path=" + servlet);
		}
		if (endpoint != null) {
			runner = runner.withPropertyValues("spring.ai.mcp.server.streamable-http.mcp-endpoint=" + endpoint);
		}
		runner.run((context) -> {
			FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
			assertThat(filter.getUrlPatterns()).containsExactly(expected);
		});
	}

	@Test
	void anAcceptedDeleteEndsTheSandboxOfTheSession() throws Exception {
		filter("DELETE", "abc", 200);
		assertThat(this.ends.keys).containsExactly("mcp:abc");
	}

	@ParameterizedTest
	@CsvSource({ "DELETE, abc, 404", "DELETE, abc, 405", "DELETE, abc, 403", "DELETE, , 200", "POST, abc, 200",
			"GET, abc, 200" })
	void nothingElseEndsIt(String method, String session, int status) throws Exception {
		filter(method, session, status);
		assertThat(this.ends.keys).isEmpty();
	}

	private void filter(String method, String session, int status) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest(method, "/mcp");
		if (session != null) {
			request.addHeader("Mcp-Session-Id", session);
		}
		MockHttpServletResponse response = new MockHttpServletResponse();
		new McpSessionFilter(this.ends).doFilter(request, response, new MockFilterChain() {

			@Override
			public void doFilter(ServletRequest request, ServletResponse response) {
				((MockHttpServletResponse) response).setStatus(status);
			}

		});
	}

	private static ToolContext exchange(String session) {
		McpSyncServerExchange exchange = mock(McpSyncServerExchange.class);
		given(exchange.sessionId()).willReturn(session);
		return new ToolContext(Map.of("exchange", exchange));
	}

	private static final class Ends implements ToolSandboxes {

		private final List<String> keys = new ArrayList<>();

		@Override
		public <T> T use(String key, Function<CodingTools, T> work) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean end(String key) {
			return this.keys.add(key);
		}

	}

}
