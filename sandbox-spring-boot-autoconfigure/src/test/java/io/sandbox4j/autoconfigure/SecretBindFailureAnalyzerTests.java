package io.sandbox4j.autoconfigure;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

/**
 * Tests for {@link SecretBindFailureAnalyzer} in an application that cannot start: what
 * is wrong is told, and no value is shown, whatever is logged.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecretBindFailureAnalyzerTests {

	// Levels are of the JVM, and would slow the tests that come after.
	@AfterAll
	static void logNoMore() {
		LoggingSystem logging = LoggingSystem.get(SecretBindFailureAnalyzerTests.class.getClassLoader());
		logging.setLogLevel("org.springframework", null);
		logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.INFO);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sandbox.network.allow", "sandbox.network.allow[0]", "sandbox.network.allow[1].headers",
			"sandbox.network.allow[1].credentials", "sandbox.network.allow[1].credentials[0]",
			"sandbox.network.allow[1].environment", "sandbox.gateway.proxy", "sandbox.credentials.gateway.allow[0]",
			"sandbox.credentials.gateway" })
	void doesNotShowWhatCannotBeBound(String property, CapturedOutput output) {
		Exception failure = fail(property, "Authorization: s3cr3t");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsPattern("The property '" + Pattern.quote(property) + "' (\\(from .*\\) )?cannot be read as")
			.doesNotContain("s3cr3t");
		assertThat(stackTrace(failure)).doesNotContain("s3cr3t");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sandbox.network.mode", "sandbox.network.allow[0].timeout",
			"sandbox.network.allow[0].max-request-body", "sandbox.gateway.proxy.resolve-names",
			"sandbox.credentials.gateway.allow[0].timeout" })
	void doesNotShowAValueInTheWrongPlace(String property, CapturedOutput output) {
		fail(property, "s3cr3t");
		assertThat(output.toString().lines().dropWhile((line) -> !line.contains("APPLICATION FAILED TO START")))
			.isNotEmpty()
			.anyMatch((line) -> line.startsWith("The property '" + property + "' (from "))
			.noneMatch((line) -> line.contains("s3cr3t"));
	}

	@ParameterizedTest
	@CsvSource({ "sandbox.network.allow[0].header.Authorization,sandbox.network.allow[0].header.authorization",
			"sandbox.network.allow[0].headers.Host,sandbox.network.allow[0].headers",
			"sandbox.network.allow[2].headers.Authorization,sandbox.network.allow[2].headers.authorization",
			"sandbox.gateway.proxy.url,sandbox.gateway.proxy.url",
			"sandbox.credentials.token,sandbox.credentials.token",
			"sandbox.credentials.gateway.allow[0].headers.A,sandbox.credentials.gateway.allow[0].headers",
			"sandbox.gateway.proxy.password,sandbox.gateway.proxy.password",
			"sandbox.network.allow[0].origin,sandbox.network.allow[0].origin" })
	void doesNotShowWhatIsRefused(String property, String named, CapturedOutput output) {
		Exception failure = fail(property, "https://user:s3cr3t@host");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The property '" + named + "'")
			.doesNotContain("s3cr3t");
		assertThat(stackTrace(failure)).doesNotContain("s3cr3t");
	}

	@Test
	void saysWhichPropertyIsNotKnown(CapturedOutput output) {
		fail("sandbox.network.allow[0].path-prefix", "/v1");
		assertThat(output)
			.contains("The property 'sandbox.network.allow[0].path-prefix' (from \"sandbox.network.allow[0]")
			.contains("is not known")
			.contains("Correct the name");
	}

	@Test
	void saysWhatAModeCanBe(CapturedOutput output) {
		fail("sandbox.network.mode", "open");
		assertThat(output).contains("cannot be read as one of deny-all, allow-all, allow-list");
	}

	@Test
	void leavesOtherPropertiesToSpringBoot(CapturedOutput output) {
		fail("sandbox.gateway.max-requests", "many");
		assertThat(output).contains("Value: \"many\"");
	}

	private static Exception fail(String property, String value) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		Map<String, Object> properties = new HashMap<>(
				Map.of("logging.level.root", "debug", "logging.level.org.springframework", "trace"));
		if (property.contains("].") || !property.contains("allow")) {
			properties.put("sandbox.network.allow[0].origin", "https://api.example.com");
		}
		properties.put(property, value);
		application.setDefaultProperties(properties);
		return catchException(application::run);
	}

	private static String stackTrace(Exception failure) {
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
			SandboxAutoConfiguration.class, SandboxLeaseAutoConfiguration.class })
	static class Application {

		@Bean
		StubSandboxBackend stubBackend() {
			return new StubSandboxBackend();
		}

	}

}
