package io.sandbox4j.autoconfigure.tools;

import java.util.List;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.SandboxTool;
import io.sandbox4j.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * One coding tool for Spring AI: it finds the sandbox of the call and passes the call on.
 */
final class SandboxToolCallback implements ToolCallback {

	private static final Logger logger = LoggerFactory.getLogger(SandboxToolCallback.class);

	private final ToolDefinition definition;

	private final ToolSandboxes sandboxes;

	private final List<SandboxKeyResolver> resolvers;

	private final ToolCallOwners owners;

	private final ObservationRegistry observations;

	SandboxToolCallback(SandboxTool tool, ToolSandboxes sandboxes, List<SandboxKeyResolver> resolvers,
			ToolCallOwners owners, ObservationRegistry observations) {
		this.definition = ToolDefinition.builder()
			.name(tool.name())
			.description(tool.description())
			.inputSchema(tool.inputSchema())
			.build();
		this.sandboxes = sandboxes;
		this.resolvers = List.copyOf(resolvers);
		this.owners = owners;
		this.observations = observations;
	}

	@Override
	public ToolDefinition getToolDefinition() {
		return this.definition;
	}

	@Override
	public String call(String input) {
		return call(input, ToolCallOwners.NO_CONTEXT);
	}

	@Override
	public String call(String input, @Nullable ToolContext context) {
		Observation observation = Observation.createNotStarted("sandbox.tool", this.observations)
			.contextualName("sandbox.tool " + this.definition.name())
			.lowCardinalityKeyValue("tool", this.definition.name())
			.start();
		Answer answer;
		try {
			answer = observation.scoped(() -> answer(input, (context != null) ? context : ToolCallOwners.NO_CONTEXT));
			observation.lowCardinalityKeyValue("outcome", outcome(answer.result()));
		}
		catch (RuntimeException | Error ex) {
			observation.lowCardinalityKeyValue("outcome", "error");
			observation.error(ex);
			throw ex;
		}
		finally {
			observation.stop();
		}
		RefusalCode refusal = answer.result().refusal();
		if (refusal != null && answer.throwsRefusals()) {
			throw new RefusedToolCallException(refusal, answer.result().text());
		}
		return answer.result().text();
	}

	private static String outcome(ToolResult result) {
		RefusalCode refusal = result.refusal();
		return (refusal != null) ? refusal.name() : "success";
	}

	private Answer answer(String input, ToolContext context) {
		for (SandboxKeyResolver resolver : this.resolvers) {
			String key = resolver.resolve(context);
			if (key != null) {
				return new Answer(work(key, input, context), resolver.throwsRefusals());
			}
		}
		throw new IllegalStateException("No 'SandboxKeyResolver' knows whose sandbox to use.");
	}

	private ToolResult work(String key, String input, ToolContext context) {
		try {
			// Inside of the sandbox's use, which knows the key only.
			return this.sandboxes.use(key,
					(tools) -> this.owners.call(key, context, () -> tools.call(this.definition.name(), input)));
		}
		catch (SandboxException ex) {
			// The cause can name what is the host's.
			logger.warn("There is no sandbox for a call of the tool {}", this.definition.name(), ex);
			return (ex.code() == ErrorCode.SANDBOX_BUSY)
					? refusal(RefusalCode.SANDBOX_BUSY, "There is no free sandbox now.", "Wait, then call again.", ex)
					: refusal(RefusalCode.SANDBOX_UNAVAILABLE, "The sandbox cannot be used.",
							"Do not call it again; tell the user that the sandbox is not available.", ex);
		}
	}

	private static ToolResult refusal(RefusalCode code, String message, String hint, SandboxException cause) {
		ObjectNode text = JsonNodeFactory.instance.objectNode();
		text.putObject("error")
			.put("code", code.name())
			.put("message", message)
			.put("hint", hint)
			.put("reason", cause.code().name());
		return new ToolResult(text.toString(), code);
	}

	/**
	 * What a call came to, and how its caller wants to hear of it.
	 *
	 * @param result the result
	 * @param throwsRefusals whether a refusal is thrown
	 */
	private record Answer(ToolResult result, boolean throwsRefusals) {

	}

}
