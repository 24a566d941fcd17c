package io.sandbox4j.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.run.CommandLineAgent;
import io.sandbox4j.run.RunAdapter;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;

/**
 * The agent of the durable runs: a program in the sandbox, which does what each line of a
 * turn says. One that is a model would take its place.
 */
@Configuration(proxyBeanMethods = false)
class RunAgentConfiguration {

	@Bean
	RunAdapter runAgent(@Value("classpath:/run-agent.py") Resource program,
			@Value("${sample.turn-timeout:10m}") Duration timeout) {
		String source = text(program);
		return CommandLineAgent.of((turn) -> {
			String parent = (turn.parent() != null) ? turn.parent() : "";
			return ExecSpec.of("python3", "-c", source, turn.conversation(), parent).withTimeout(timeout);
		});
	}

	private static String text(Resource resource) {
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
