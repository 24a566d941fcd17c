package io.sandbox4j.tools;

import java.util.List;
import java.util.Map;

import io.sandbox4j.SandboxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool from its description and its action. The one place where what is thrown becomes
 * an answer.
 *
 * @param name its name
 * @param description what it does
 * @param parameters what it takes
 * @param action what is done
 */
record DescribedTool(String name, String description, List<Parameter> parameters,
		Action action) implements SandboxTool {

	private static final Logger logger = LoggerFactory.getLogger(DescribedTool.class);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	DescribedTool {
		parameters = List.copyOf(parameters);
	}

	@Override
	public String inputSchema() {
		ObjectNode schema = JsonNodeFactory.instance.objectNode();
		schema.put("type", "object");
		ObjectNode properties = schema.putObject("properties");
		this.parameters.forEach((parameter) -> properties.set(parameter.name(), parameter.schema()));
		this.parameters.stream()
			.filter(Parameter::required)
			.forEach((parameter) -> schema.withArray("required").add(parameter.name()));
		schema.put("additionalProperties", false);
		return schema.toString();
	}

	@Override
	public ToolResult call(String arguments) {
		try {
			ObjectNode output = JsonNodeFactory.instance.objectNode();
			this.action.run(Arguments.parse(arguments, this.parameters), output);
			return new ToolResult(output.toString(), null);
		}
		catch (Refusal ex) {
			return answer(ex);
		}
		catch (SandboxException ex) {
			logger.debug("The sandbox refused {}", this.name, ex);
			return answer(Refusal.of(ex));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return answer(new Refusal(RefusalCode.SANDBOX_BUSY, "The call was interrupted while it waited.",
					"Call again if it is still wanted."));
		}
		catch (Exception | StackOverflowError ex) {
			logger.warn("The tool {} failed", this.name, ex);
			return answer(new Refusal(RefusalCode.INTERNAL_SERVER_ERROR, "The tool failed.",
					"Try another way; the same call is likely to fail again."));
		}
	}

	private static ToolResult answer(Refusal refusal) {
		ObjectNode error = JsonNodeFactory.instance.objectNode();
		error.put("code", refusal.code().name());
		error.put("message", refusal.getMessage());
		error.put("hint", refusal.hint());
		for (Map.Entry<String, Object> detail : refusal.details().entrySet()) {
			error.set(detail.getKey(), MAPPER.valueToTree(detail.getValue()));
		}
		ObjectNode text = JsonNodeFactory.instance.objectNode();
		text.set("error", error);
		return new ToolResult(text.toString(), refusal.code());
	}

	/**
	 * What a tool does.
	 */
	interface Action {

		void run(Arguments arguments, ObjectNode output) throws Exception;

	}

}
