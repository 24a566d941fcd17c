package io.sandbox4j.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.metadata.ToolMetadata;

/**
 * Passes the calls of tools on and writes them down. Thread-safe.
 */
final class ToolJournal implements ToolCallbackProvider {

	private static final int MAX_ARGUMENTS = 300;

	private static final int MAX_RESULT = 4000;

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final ToolCallbackProvider tools;

	private final List<AgentReport.Call> calls = new ArrayList<>();

	ToolJournal(ToolCallbackProvider tools) {
		this.tools = tools;
	}

	@Override
	public ToolCallback[] getToolCallbacks() {
		return Arrays.stream(this.tools.getToolCallbacks()).map(JournaledTool::new).toArray(ToolCallback[]::new);
	}

	synchronized List<AgentReport.Call> calls() {
		return List.copyOf(this.calls);
	}

	private synchronized void add(String tool, String arguments, String result) {
		this.calls.add(new AgentReport.Call(tool, Texts.shortened(arguments, MAX_ARGUMENTS), refusal(result),
				Texts.shortened(result, MAX_RESULT)));
	}

	private static @Nullable String refusal(String result) {
		try {
			return MAPPER.readTree(result).path("error").path("code").asString(null);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/**
	 * A tool whose calls are written down once they are answered.
	 */
	private final class JournaledTool implements ToolCallback {

		private final ToolCallback tool;

		JournaledTool(ToolCallback tool) {
			this.tool = tool;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return this.tool.getToolDefinition();
		}

		@Override
		public ToolMetadata getToolMetadata() {
			return this.tool.getToolMetadata();
		}

		@Override
		public String call(String input) {
			return written(input, this.tool.call(input));
		}

		@Override
		public String call(String input, @Nullable ToolContext context) {
			return written(input, this.tool.call(input, context));
		}

		private String written(String input, String result) {
			add(getToolDefinition().name(), input, result);
			return result;
		}

	}

}
