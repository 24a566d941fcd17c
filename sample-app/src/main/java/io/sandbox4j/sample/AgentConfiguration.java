package io.sandbox4j.sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import io.sandbox4j.autoconfigure.tools.SandboxToolCallbackProvider;
import io.sandbox4j.autoconfigure.tools.ToolSandboxes;
import io.sandbox4j.test.ai.ReplayChatModel;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;

/**
 * The agent with the model that is configured, or else with one that follows a script.
 */
@Configuration(proxyBeanMethods = false)
class AgentConfiguration {

	@Bean
	Agent agent(ObjectProvider<ChatModel> models, SandboxToolCallbackProvider tools, ToolSandboxes sandboxes,
			@Value("${sample.agent-script:classpath:/agent-script.json}") Resource script) {
		return new Agent(models.getIfAvailable(() -> replay(script)), tools, sandboxes);
	}

	private static ChatModel replay(Resource script) {
		try (InputStream json = script.getInputStream()) {
			return ReplayChatModel.read(json);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
