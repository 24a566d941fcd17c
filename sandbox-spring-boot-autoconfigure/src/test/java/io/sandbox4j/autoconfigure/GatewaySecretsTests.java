package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.Origin;
import io.sandbox4j.OriginRule;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the secrets of a policy are nowhere but in the policy: a real application
 * that logs and shows all it can.
 */
@ExtendWith(OutputCaptureExtension.class)
class GatewaySecretsTests {

	private static final String SECRET = "s3cr3t";

	private static final String YAML = """
			sandbox:
			  network:
			    allow:
			      - origin: https://api.example.com
			        headers:
			          Authorization: Bearer s3cr3t-1
			          "[X-Api.Key]": s3cr3t-2
			        request-headers: X-Trace
			        credentials:
			          - header: X-Token
			            source: token
			  gateway:
			    proxy:
			      url: http://proxy.example:3128
			      username: s3cr3t-3
			      password: s3cr3t-4
			management:
			  endpoints.web.exposure.include: "*"
			  endpoint:
			    env.show-values: always
			    configprops.show-values: always
			    health.show-details: always
			logging.level:
			  io.sandbox4j: trace
			  org.springframework: trace
			""";

	private final HttpClient client = HttpClient.newHttpClient();

	@TempDir
	private Path directory;

	// Levels are of the JVM, and would slow the tests that come after.
	@AfterAll
	static void logNoMore() {
		LoggingSystem logging = LoggingSystem.get(GatewaySecretsTests.class.getClassLoader());
		logging.setLogLevel("org.springframework", null);
		logging.setLogLevel("io.sandbox4j", null);
	}

	@Test
	void areNotShownByAnyEndpointAndNotLogged(CapturedOutput output) throws IOException {
		Path file = Files.writeString(this.directory.resolve("application.yml"), YAML);
		List<String> bodies = new ArrayList<>();
		try (ConfigurableApplicationContext context = start("--spring.config.location=" + file.toUri())) {
			OriginRule rule = ((NetworkPolicy.AllowList) context.getBean(NetworkPolicy.class)).rules().get(0);
			assertThat(rule.headers()).containsEntry("Authorization", "Bearer s3cr3t-1")
				.containsEntry("X-Api.Key", "s3cr3t-2");
			assertThat(context.getBean(SandboxNetworkProperties.class).toString()).doesNotContain(SECRET);
			assertThat(context.getBean(SandboxGatewayProperties.class).toString()).doesNotContain(SECRET);
			publish(context, rule.origin());
			for (String path : List.of("env", "configprops", "beans", "conditions", "health", "metrics", "sandboxes",
					"loggers", "mappings", "metrics/sandbox.gateway.requests", "metrics/sandbox.gateway.bytes",
					"env/sandbox.network.allow[0].headers.Authorization", "env/sandbox.gateway.proxy.password",
					"configprops/sandbox.network")) {
				HttpResponse<String> response = get(context, path);
				assertThat(response.statusCode()).as(path).isEqualTo(200);
				bodies.add(response.body());
			}
		}
		assertThat(bodies)
			.allSatisfy((body) -> assertThat(body).doesNotContain(SECRET).doesNotContain("/private/path"));
		assertThat(bodies.get(0)).contains("sandbox.network.allow[0].headers.Authorization").contains("X-Trace");
		assertThat(bodies.get(1)).contains("\"requestHeaders\":[\"X-Trace\"]").contains("https://api.example.com");
		assertThat(output).doesNotContain(SECRET).contains("TRACE").contains("event=gateway-failure");
	}

	@Test
	void areNotShownInATextWithSeveralProperties(CapturedOutput output) {
		String json = "{\"sandbox\":{\"network\":{\"allow\":[{\"origin\":\"https://api.example.com\","
				+ "\"headers\":{\"Authorization\":\"s3cr3t-1\"}}]}}}";
		try (ConfigurableApplicationContext context = start("--management.endpoints.web.exposure.include=*",
				"--management.endpoint.env.show-values=always", "--management.endpoint.configprops.show-values=always",
				"--spring.application.json=" + json)) {
			assertThat(get(context, "env").body()).doesNotContain(SECRET).contains("sandbox.network.allow[0].origin");
			assertThat(get(context, "configprops").body()).doesNotContain(SECRET).contains("https://api.example.com");
		}
		assertThat(output).doesNotContain(SECRET);
	}

	@Test
	void noValueIsShownByDefault() {
		try (ConfigurableApplicationContext context = start("--management.endpoints.web.exposure.include=*",
				"--sandbox.network.allow[0].origin=https://api.example.com",
				"--sandbox.network.allow[0].headers.X-Key=s3cr3t")) {
			assertThat(get(context, "env").body()).doesNotContain(SECRET).doesNotContain("api.example.com");
			assertThat(get(context, "configprops").body()).doesNotContain(SECRET).doesNotContain("api.example.com");
		}
	}

	private static void publish(ConfigurableApplicationContext context, Origin origin) {
		StubSandboxBackend backend = context.getBean(StubSandboxBackend.class);
		backend.publish(new SandboxEvent.GatewayRequest("1", "1", Instant.EPOCH, origin, "GET", "/private/path", 200,
				"ok", 0, 0, Duration.ZERO));
		backend.publish(new SandboxEvent.GatewayFailure("1", origin, "upstream_tls", new SandboxException(
				ErrorCode.SANDBOX_UNAVAILABLE, "No TLS.", new IllegalStateException("s3cr3t of a library"))));
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.add("--server.port=0");
		return new SpringApplication(Application.class).run(all.toArray(String[]::new));
	}

	private HttpResponse<String> get(ConfigurableApplicationContext context, String path) {
		String escaped = path.replace("[", "%5B").replace("]", "%5D");
		URI uri = URI.create("http://localhost:%s/actuator/%s"
			.formatted(context.getEnvironment().getProperty("local.server.port"), escaped));
		return this.client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).join();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

		@Bean
		CredentialSource token() {
			return (use) -> Credential.of("s3cr3t-5");
		}

	}

}
