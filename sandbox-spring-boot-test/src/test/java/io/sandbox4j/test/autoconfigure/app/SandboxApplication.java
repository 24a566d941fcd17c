package io.sandbox4j.test.autoconfigure.app;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * An application with more than sandboxes.
 */
@SpringBootApplication
public class SandboxApplication {

	// Of the application class itself, which a slice always has.
	@Bean
	String applicationName(Environment environment) {
		return environment.getProperty("spring.application.name", "app");
	}

}
