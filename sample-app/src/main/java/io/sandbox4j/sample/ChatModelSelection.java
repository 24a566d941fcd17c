package io.sandbox4j.sample;

import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/**
 * Turns on the model whose key is set, and none without a key: Spring AI would start
 * every model on the class path, and fail. {@code spring.ai.model.chat} overrides it.
 */
class ChatModelSelection implements EnvironmentPostProcessor {

	private static final String SELECTED = "spring.ai.model.chat";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		environment.getPropertySources()
			.addLast(new MapPropertySource("chatModelSelection", Map.of(SELECTED, selected(environment))));
	}

	private static String selected(ConfigurableEnvironment environment) {
		if (StringUtils.hasText(environment.getProperty("spring.ai.anthropic.api-key"))) {
			return "anthropic";
		}
		return StringUtils.hasText(environment.getProperty("spring.ai.openai.api-key")) ? "openai" : "none";
	}

}
