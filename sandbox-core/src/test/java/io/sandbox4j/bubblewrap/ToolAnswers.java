package io.sandbox4j.bubblewrap;

import java.util.Map;

import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.ToolResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of tools that must end one way or the other.
 */
final class ToolAnswers {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private ToolAnswers() {
	}

	static ToolResult call(CodingTools tools, String tool, Map<String, ?> arguments) {
		return tools.call(tool, MAPPER.writeValueAsString(arguments));
	}

	static JsonNode done(CodingTools tools, String tool, Map<String, ?> arguments) {
		return done(call(tools, tool, arguments));
	}

	static JsonNode done(ToolResult result) {
		assertThat(result.refused()).as(result.text()).isFalse();
		return MAPPER.readTree(result.text());
	}

	static JsonNode refused(RefusalCode code, CodingTools tools, String tool, Map<String, ?> arguments) {
		return refused(code, call(tools, tool, arguments));
	}

	static JsonNode refused(RefusalCode code, ToolResult result) {
		assertThat(result.refusal()).as(result.text()).isEqualTo(code);
		return MAPPER.readTree(result.text()).get("error");
	}

}
