package io.sandbox4j.autoconfigure;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.sandbox4j.Credential;
import io.sandbox4j.CredentialSource;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A real application whose sandboxes reach one origin over TLS, with a fixed header and
 * with a credential of a bean.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("isolation")
class GatewayIntegrationTests {

	private static final String FIXED = "fixed-secret-0a1b2c3d";

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	private HttpsServer origin;

	@BeforeAll
	static void needsBubblewrap() {
		assumeTrue(
				Files.isExecutable(Path.of("/usr/bin/bwrap")) || Boolean.getBoolean("sandbox.test.require-bubblewrap"),
				"bubblewrap is not installed");
	}

	@BeforeEach
	void serve() throws Exception {
		TestCertificate certificate = TestCertificate.create(this.directory, "origin");
		this.origin = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.origin.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
		this.origin.createContext("/", (exchange) -> {
			try (exchange) {
				byte[] body = (exchange.getRequestHeaders().getFirst("X-Key") + " "
						+ exchange.getRequestHeaders().getFirst("Authorization"))
					.getBytes(StandardCharsets.US_ASCII);
				boolean known = new String(body, StandardCharsets.US_ASCII)
					.matches(FIXED + " Bearer rotating-token-\\d");
				exchange.sendResponseHeaders(known ? 200 : 401, body.length);
				exchange.getResponseBody().write(body);
			}
		});
		this.origin.start();
	}

	@AfterEach
	void stop() {
		this.origin.stop(0);
	}

	@Test
	void servesAnAllowedOriginAndShowsNoSecret(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext context = start(); SandboxHandle sandbox = create(context)) {
			String request = "curl -sS -w '%{http_code}' --unix-socket \"$SANDBOX_GATEWAY_SOCKET\" http://localhost:"
					+ this.origin.getAddress().getPort() + "/v1?q=query-secret";
			String answer = sandbox.session().run(ExecSpec.shell(request + "; " + request)).stdoutText();
			assertThat(answer).matches("(\\*+ Bearer \\*+|\\*+ \\*+)200(\\*+ Bearer \\*+|\\*+ \\*+)200");
			assertThat(sandbox.session().run(ExecSpec.shell("curl -sS http://evil.example/")).stdoutText())
				.startsWith("Sandbox network denied");
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("reason=secret_redacted")
					.contains("reason=origin_not_listed")
					.contains("path=/v1 "));
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("sandbox.gateway.requests").tag("outcome", "secret_redacted").timer().count())
				.isEqualTo(2);
			assertThat(context.getBean(Application.class).asked).hasValue(2);
			for (String path : List.of("health", "sandboxes", "metrics/sandbox.gateway.requests", "configprops", "env",
					"beans", "prometheus")) {
				assertThat(get(context, path)).doesNotContain(FIXED)
					.doesNotContain("rotating-token")
					.doesNotContain("query-secret");
			}
			assertThat(output).doesNotContain(FIXED).doesNotContain("rotating-token").doesNotContain("query-secret");
			assertThat(get(context, "health")).contains("\"gateway\"");
		}
	}

	private SandboxHandle create(ConfigurableApplicationContext context) {
		return context.getBean(SandboxBackend.class)
			.create(SandboxRequest.from(context.getBean(SandboxTemplates.class).get("empty"))
				.network(context.getBean(NetworkPolicy.class))
				.build());
	}

	private ConfigurableApplicationContext start() throws Exception {
		Path configuration = Files.writeString(this.directory.resolve("application.yml"), """
				server.port: 0
				logging.level.io.sandbox4j: trace
				management:
				  endpoints.web.exposure.include: "*"
				  endpoint:
				    health.show-details: always
				    env.show-values: always
				    configprops.show-values: always
				spring.ssl.bundle.jks.origin.truststore:
				  location: "file:%1$s/origin.p12"
				  password: %2$s
				sandbox:
				  state-directory: %1$s/state
				  runtime-directory: %1$s/run
				  templates.empty.files: { README: "hello" }
				  gateway.ssl-bundle: origin
				  network.allow:
				  - origin: https://localhost:%3$d
				    allow-private: true
				    headers: { X-Key: %4$s }
				    credentials: [ { header: Authorization, source: rotating, prefix: "Bearer " } ]
				""".formatted(this.directory, TestCertificate.PASSWORD, this.origin.getAddress().getPort(), FIXED));
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.of("spring.config.additional-location", configuration.toUri().toString()));
		return application.run();
	}

	private static String get(ConfigurableApplicationContext context, String path) throws Exception {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:%s/actuator/%s"
				.formatted(context.getEnvironment().getProperty("local.server.port"), path))).build(),
					BodyHandlers.ofString())
			.body();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private final AtomicInteger asked = new AtomicInteger();

		@Bean
		CredentialSource rotating() {
			return (use) -> new Credential("rotating-token-" + this.asked.incrementAndGet(),
					Instant.now().plusSeconds(60));
		}

	}

}
