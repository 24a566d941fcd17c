package io.sandbox4j.autoconfigure.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;

import io.sandbox4j.AdmissionStatus;
import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxListener;
import io.sandbox4j.SessionInfo.Status;
import io.sandbox4j.autoconfigure.StubSandboxBackend;
import io.sandbox4j.doctor.DoctorCheck;
import io.sandbox4j.doctor.DoctorContext;
import io.sandbox4j.doctor.DoctorFinding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxesEndpoint} in a real application with a real web server.
 */
class SandboxesEndpointIntegrationTests {

	private final HttpClient client = HttpClient.newHttpClient();

	private ConfigurableApplicationContext context;

	private StubSandboxBackend backend;

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void listsSandboxes() {
		start();
		this.backend.running("1", new AdmissionStatus(1, 8, 2, 0));
		this.backend.session("2", Status.STOPPED);
		HttpResponse<String> response = get("");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).doesNotContain("secret");
		JsonNode body = JsonMapper.shared().readTree(response.body());
		assertThat(body.path("backend").asString()).isEqualTo("stub");
		assertThat(body.path("gateway").toString())
			.isEqualTo("{\"sessions\":0,\"connections\":0,\"requests\":0,\"upstreamConnections\":0}");
		assertThat(body.path("sandboxes").size()).isEqualTo(2);
		JsonNode running = body.path("sandboxes").path(0);
		assertThat(running.path("id").asString()).isEqualTo("1");
		assertThat(running.path("status").asString()).isEqualTo("RUNNING");
		assertThat(running.path("created").asString()).isEqualTo("2026-01-02T03:04:05Z");
		assertThat(running.path("template").asString()).isEqualTo("python");
		assertThat(running.path("owner").path("pid").asInt()).isEqualTo(4711);
		assertThat(running.path("admission").path("rejected").asInt()).isEqualTo(2);
		assertThat(body.path("sandboxes").path(1).path("admission").isMissingNode()
				|| body.path("sandboxes").path(1).path("admission").isNull())
			.isTrue();
	}

	@Test
	void showsOne() {
		start();
		this.backend.session("2", Status.STOPPED);
		assertThat(get("/2").statusCode()).isEqualTo(200);
		assertThat(get("/2").body()).contains("\"id\":\"2\"").contains("\"STOPPED\"");
		assertThat(get("/3").statusCode()).isEqualTo(404);
	}

	@Test
	void stopsOne() {
		start();
		this.backend.running("1", new AdmissionStatus(0, 8, 0, 0));
		HttpResponse<String> response = post("/1", "{\"action\":\"stop\"}");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("\"STOPPED\"");
		assertThat(this.backend.handles()).isEmpty();
		assertThat(post("/1", "{\"action\":\"stop\"}").statusCode()).isEqualTo(200);
	}

	@Test
	void refusesToStopWhatItCannot() {
		start();
		this.backend.running("1", new AdmissionStatus(0, 8, 0, 0));
		this.backend.session("2", Status.OWNED_ELSEWHERE);
		assertThat(post("/1", "{\"action\":\"explode\"}").statusCode()).isEqualTo(400);
		assertThat(post("/1", "{}").statusCode()).isEqualTo(400);
		assertThat(post("/2", "{\"action\":\"stop\"}").statusCode()).isEqualTo(409);
		assertThat(post("/2", "{\"action\":\"stop\"}").body()).isEqualTo("{\"code\":\"SANDBOX_BUSY\"}");
		assertThat(post("/3", "{\"action\":\"stop\"}").statusCode()).isEqualTo(404);
		assertThat(this.backend.handles()).hasSize(1);
	}

	@Test
	void saysWhenProcessesCouldNotBeProvenGone() {
		start();
		this.backend.running("1", new AdmissionStatus(0, 8, 0, 0)).failure = new SandboxException(
				ErrorCode.SANDBOX_UNAVAILABLE, "In /var/lib/secret.");
		HttpResponse<String> response = post("/1", "{\"action\":\"stop\"}");
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(response.body()).isEqualTo("{\"code\":\"SANDBOX_UNAVAILABLE\"}");
	}

	@Test
	void deletesOne() {
		start();
		this.backend.running("1", new AdmissionStatus(0, 8, 0, 0));
		this.backend.session("2", Status.OWNED_ELSEWHERE);
		assertThat(delete("/1").statusCode()).isEqualTo(204);
		assertThat(delete("/1").statusCode()).isEqualTo(404);
		HttpResponse<String> busy = delete("/2");
		assertThat(busy.statusCode()).isEqualTo(409);
		assertThat(busy.body()).isEqualTo("{\"code\":\"SANDBOX_BUSY\"}");
		assertThat(this.backend.sessions()).hasSize(1);
	}

	@Test
	void examinesTheHost() {
		start("--management.endpoint.sandboxes.access=read-only", "--sandbox.network.allow[0].origin=http://a.example",
				"--sandbox.network.allow[0].allow-plaintext=true",
				"--sandbox.network.allow[0].headers.authorization=s3cr3t");
		HttpResponse<String> response = get("/doctor");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("a.example")
			.doesNotContain("s3cr3t", "/srv/own", System.getProperty("user.home"));
		JsonNode body = JsonMapper.shared().readTree(response.body());
		assertThat(body.path("status").asString()).isEqualTo("FAIL");
		assertThat(body.path("findings").findValuesAsString("name")).contains("isolation", "jvm", "timeouts")
			.endsWith("own");
		JsonNode own = body.path("findings").path(body.path("findings").size() - 1);
		assertThat(own.toString())
			.isEqualTo("{\"name\":\"own\",\"status\":\"FAIL\",\"summary\":\"In (path) is nothing.\","
					+ "\"meaning\":\"m\",\"remedy\":\"r\"}");
		assertThat(post("/doctor", "{\"action\":\"stop\"}").statusCode()).isEqualTo(405);
	}

	@Test
	void isReadOnlyWhenToldSo() {
		start("--management.endpoint.sandboxes.access=read-only");
		this.backend.running("1", new AdmissionStatus(0, 8, 0, 0));
		assertThat(get("/1").statusCode()).isEqualTo(200);
		assertThat(post("/1", "{\"action\":\"stop\"}").statusCode()).isEqualTo(405);
		assertThat(delete("/1").statusCode()).isEqualTo(405);
		assertThat(this.backend.handles()).hasSize(1);
	}

	@Test
	void isOffTheWebByDefault() {
		start("--management.endpoints.web.exposure.include=health");
		assertThat(get("").statusCode()).isEqualTo(404);
	}

	@Test
	void healthHasASandboxComponent() {
		start("--management.endpoint.health.show-details=always",
				"--management.endpoint.health.group.readiness.include=readinessState,sandbox");
		JsonNode body = JsonMapper.shared().readTree(send(HttpRequest.newBuilder(uri("health"))).body());
		assertThat(body.path("components").path("sandbox").path("status").asString()).isEqualTo("UP");
		assertThat(send(HttpRequest.newBuilder(uri("health/readiness"))).statusCode()).isEqualTo(200);
	}

	@Test
	void metricsAreServed() {
		start();
		assertThat(send(HttpRequest.newBuilder(uri("metrics/sandbox.sessions.active"))).statusCode()).isEqualTo(200);
	}

	private void start(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.of("server.port", "0", "management.endpoints.web.exposure.include", "*",
				"sandbox.templates.python.files.a", "b"));
		this.context = application.run(arguments);
		this.backend = this.context.getBean(StubSandboxBackend.class);
	}

	private HttpResponse<String> get(String path) {
		return send(HttpRequest.newBuilder(uri("sandboxes" + path)));
	}

	private HttpResponse<String> post(String path, String json) {
		return send(HttpRequest.newBuilder(uri("sandboxes" + path))
			.header("content-type", "application/json")
			.POST(BodyPublishers.ofString(json)));
	}

	private HttpResponse<String> delete(String path) {
		return send(HttpRequest.newBuilder(uri("sandboxes" + path)).DELETE());
	}

	private URI uri(String path) {
		return URI.create("http://localhost:%s/actuator/%s"
			.formatted(this.context.getEnvironment().getProperty("local.server.port"), path));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return this.client.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		StubSandboxBackend stubBackend(ObjectProvider<SandboxListener> listeners) {
			return new StubSandboxBackend(listeners);
		}

		@Bean
		DoctorCheck ownCheck() {
			return new DoctorCheck() {

				@Override
				public String name() {
					return "own";
				}

				@Override
				public List<DoctorFinding> check(DoctorContext context) {
					return List.of(DoctorFinding.fail("own", "In /srv/own is nothing.", "m", "r"));
				}

			};
		}

	}

}
