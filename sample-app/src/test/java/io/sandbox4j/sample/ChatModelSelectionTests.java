package io.sandbox4j.sample;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChatModelSelection}.
 */
class ChatModelSelectionTests {

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void selectsNoModelWithoutAKey() {
		assertThat(selected()).isEqualTo("none");
	}

	@Test
	void anEmptyKeyIsNone() {
		this.environment.setProperty("spring.ai.anthropic.api-key", "");
		this.environment.setProperty("spring.ai.openai.api-key", " ");
		assertThat(selected()).isEqualTo("none");
	}

	@Test
	void selectsTheModelWhoseKeyIsSet() {
		this.environment.setProperty("spring.ai.openai.api-key", "key");
		assertThat(selected()).isEqualTo("openai");
	}

	@Test
	void selectsOneModelIfBothKeysAreSet() {
		this.environment.setProperty("spring.ai.openai.api-key", "key");
		this.environment.setProperty("spring.ai.anthropic.api-key", "key");
		assertThat(selected()).isEqualTo("anthropic");
	}

	@Test
	void whatIsConfiguredStays() {
		this.environment.setProperty("spring.ai.anthropic.api-key", "key");
		this.environment.setProperty("spring.ai.model.chat", "openai");
		assertThat(selected()).isEqualTo("openai");
	}

	private String selected() {
		new ChatModelSelection().postProcessEnvironment(this.environment, new SpringApplication());
		return this.environment.getProperty("spring.ai.model.chat");
	}

}
