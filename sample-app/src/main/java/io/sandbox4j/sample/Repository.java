package io.sandbox4j.sample;

import java.util.Map;

import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.ToolResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Git repository that is made of the files of a new sandbox.
 *
 * @param base the commit of these files
 */
record Repository(String base) {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	static Repository init(CodingTools tools) {
		return new Repository(run(tools, """
				set -e
				git init -q
				git add -A
				git -c user.name=sample -c user.email=sample@localhost commit -q -m 'Start'
				git rev-parse HEAD""").strip());
	}

	// Also of what was committed or added since.
	String diff(CodingTools tools) {
		return run(tools, "git add -A -N && git diff --no-color --no-ext-diff " + base());
	}

	private static String run(CodingTools tools, String script) {
		ToolResult result = tools.call("run_command", MAPPER.writeValueAsString(Map.of("command", script)));
		JsonNode answer = MAPPER.readTree(result.text());
		if (result.refused() || answer.path("exitCode").asInt(-1) != 0) {
			throw new AgentException("There is no Git repository: " + Texts.shortened(result.text(), 500));
		}
		return answer.path("stdout").asString();
	}

}
