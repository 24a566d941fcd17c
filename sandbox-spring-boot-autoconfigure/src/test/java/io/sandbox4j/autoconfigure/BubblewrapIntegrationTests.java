package io.sandbox4j.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.ExecStatus;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxEvent;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the whole of it: a real application with real sandboxes.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("isolation")
class BubblewrapIntegrationTests {

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	private final HttpClient client = HttpClient.newHttpClient();

	@BeforeAll
	static void needsBubblewrap() {
		assumeTrue(
				Files.isExecutable(Path.of("/usr/bin/bwrap")) || Boolean.getBoolean("sandbox.test.require-bubblewrap"),
				"bubblewrap is not installed");
	}

	@Test
	void runsCommandsAndShowsThem() {
		try (ConfigurableApplicationContext context = start(); SandboxHandle sandbox = create(context)) {
			ExecResult result = sandbox.session().run(ExecSpec.shell("cat src/hello.txt; id -u"));
			assertThat(result.stdoutText()).startsWith("hello");
			assertThat(result.stdoutText()).doesNotContain("\n0\n");
			// The event can come just after the result.
			Awaitility.await()
				.untilAsserted(() -> assertThat(context.getBean(Application.class).events)
					.hasExactlyElementsOfTypes(SandboxEvent.SessionCreated.class, SandboxEvent.CommandFinished.class));
			Timer timer = context.getBean(MeterRegistry.class).get("sandbox.commands").tag("outcome", "exited").timer();
			assertThat(timer.count()).isOne();
			JsonNode health = get(context, "health").path("components").path("sandbox");
			assertThat(health.path("status").asString()).isEqualTo("UP");
			assertThat(health.at("/details/isolation/held").toString()).contains("write-contained");
			assertThat(health.at("/details/sessions/running").asInt()).isOne();
			assertThat(health.at("/details/limits/openFiles").asInt()).isEqualTo(4096);
			JsonNode listed = get(context, "sandboxes").path("sandboxes").path(0);
			assertThat(listed.path("id").asString()).isEqualTo(sandbox.session().id());
			assertThat(listed.path("template").asString()).isEqualTo("python");
			assertThat(listed.path("status").asString()).isEqualTo("RUNNING");
			assertThat(listed.toString()).doesNotContain(this.directory.toString());
			assertThat(send(request(context, "sandboxes/" + sandbox.session().id()).DELETE()).statusCode())
				.isEqualTo(204);
			assertThat(get(context, "sandboxes").path("sandboxes").size()).isZero();
		}
	}

	@Test
	void healthLearnsFromTheFirstSandboxWithoutAProbeAtStart() {
		try (ConfigurableApplicationContext context = start("--sandbox.probe-at-start=false")) {
			JsonNode before = get(context, "health").path("components").path("sandbox");
			assertThat(before.path("status").asString()).isEqualTo("UNKNOWN");
			assertThat(before.at("/details/isolation").asString()).isEqualTo("not probed");
			create(context).close();
			JsonNode after = get(context, "health").path("components").path("sandbox");
			assertThat(after.path("status").asString()).isEqualTo("UP");
			assertThat(after.at("/details/isolation/held").toString()).contains("network-denied");
		}
	}

	@Test
	void letsARunningCommandEndWhenTheContextCloses() {
		ConfigurableApplicationContext context = start();
		CompletableFuture<ExecResult> exit = create(context).session()
			.start(ExecSpec.shell("echo begun; sleep 1; echo done > done; echo done"))
			.onExit();
		assertThat(exit).isNotDone();
		context.close();
		assertThat(exit.join().status()).isEqualTo(ExecStatus.EXITED);
	}

	@Test
	void killsACommandThatOutlivesTheDrain() {
		ConfigurableApplicationContext context = start("--sandbox.drain-timeout=50ms");
		CompletableFuture<ExecResult> exit = create(context).session().start(ExecSpec.shell("sleep 300")).onExit();
		context.close();
		assertThat(exit.join().status()).isEqualTo(ExecStatus.STOPPED);
	}

	@Test
	void saysThatBubblewrapIsMissing(CapturedOutput output) {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start("--sandbox.executable=" + this.directory.resolve("bwrap")));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(this.directory.resolve("bwrap") + " does not exist")
			.contains("See 'bubblewrap is missing' in docs/troubleshooting.md");
	}

	@Test
	void saysThatTheStateDirectoryCannotBeUsed(CapturedOutput output) throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> start("--sandbox.state-directory=" + file));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("See 'A directory cannot be used' in docs/troubleshooting.md");
	}

	private SandboxHandle create(ConfigurableApplicationContext context) {
		return context.getBean(SandboxBackend.class)
			.create(SandboxRequest.from(context.getBean(SandboxTemplates.class).get("python"))
				.network(NetworkPolicy.denyAll())
				.build());
	}

	private ConfigurableApplicationContext start(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.of("server.port", "0", "management.endpoints.web.exposure.include", "*",
				"management.endpoint.health.show-details", "always", "sandbox.state-directory",
				this.directory.resolve("state").toString(), "sandbox.runtime-directory",
				this.directory.resolve("run").toString(), "sandbox.templates.python.files[src/hello.txt]", "hello\n"));
		return application.run(arguments);
	}

	private JsonNode get(ConfigurableApplicationContext context, String path) {
		return JsonMapper.shared().readTree(send(request(context, path)).body());
	}

	private HttpRequest.Builder request(ConfigurableApplicationContext context, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:%s/actuator/%s"
			.formatted(context.getEnvironment().getProperty("local.server.port"), path)));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), BodyHandlers.ofString()).join();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private final List<SandboxEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void onEvent(SandboxEvent event) {
			this.events.add(event);
		}

	}

}
