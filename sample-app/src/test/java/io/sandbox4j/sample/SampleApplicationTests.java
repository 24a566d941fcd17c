package io.sandbox4j.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the whole application, over HTTP and with real sandboxes.
 */
@Tag("isolation")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@DirtiesContext
class SampleApplicationTests {

	private static final String FAULT = "merged[-1] = (merged[-1][0], end)";

	private static final String REPAIR = "merged[-1] = (merged[-1][0], max(merged[-1][1], end))";

	@TempDir
	static Path directory;

	@LocalServerPort
	int port;

	private RestTestClient client;

	@BeforeAll
	static void prepare() throws IOException {
		assumeTrue(
				Boolean.getBoolean("sandbox.test.require-bubblewrap") || Files.isExecutable(Path.of("/usr/bin/bwrap")),
				"bubblewrap is not installed");
		// The guest of root is another user, who must get through to its workspace.
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
	}

	@DynamicPropertySource
	static void directories(DynamicPropertyRegistry registry) {
		registry.add("sandbox.state-directory", () -> directory.resolve("state"));
		registry.add("sandbox.runtime-directory", () -> directory.resolve("run"));
	}

	@BeforeEach
	void connect() {
		this.client = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + this.port).build();
	}

	@Test
	void repairsAProject() {
		String sandbox = create();
		run(sandbox, "python3", "-m", "unittest").jsonPath("$.status")
			.isEqualTo("EXITED")
			.jsonPath("$.exitCode")
			.isEqualTo(1)
			.jsonPath("$.stderr")
			.value(String.class, (text) -> assertThat(text).contains("Ran 7 tests").contains("FAILED (failures=1)"));
		String source = read(sandbox, "intervals.py");
		assertThat(source).containsOnlyOnce(FAULT);
		write(sandbox, "intervals.py", source.replace(FAULT, REPAIR)).expectStatus().isNoContent();
		run(sandbox, "python3", "-m", "unittest").jsonPath("$.exitCode").isEqualTo(0);
	}

	@Test
	void findsTheFilesAgainAfterAStop() {
		String sandbox = create();
		write(sandbox, "src/notes/höhe 1.txt", "kept").expectStatus().isNoContent();
		post("/sandboxes/{id}/stop", sandbox).expectBody().jsonPath("$.state").isEqualTo("STOPPED");
		this.client.get()
			.uri("/sandboxes/{id}/files/README.md", sandbox)
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.GONE);
		post("/sandboxes/{id}/attach", sandbox).expectBody().jsonPath("$.state").isEqualTo("RUNNING");
		assertThat(read(sandbox, "src/notes/höhe 1.txt")).isEqualTo("kept");
		run(sandbox, "cat", "src/notes/höhe 1.txt").jsonPath("$.stdout").isEqualTo("kept");
	}

	@Test
	void passesInputOnAndKeepsTheDeadline() {
		String sandbox = create();
		command(sandbox, Map.of("command", List.of("tr", "a-z", "A-Z"), "stdin", "héllo")).jsonPath("$.stdout")
			.isEqualTo("HéLLO");
		command(sandbox, Map.of("command", List.of("sleep", "60"), "timeoutSeconds", 1)).jsonPath("$.status")
			.isEqualTo("TIMED_OUT");
	}

	@Test
	void hidesTheHost() throws IOException {
		String sandbox = create();
		Path secret = Files.writeString(directory.resolve("secret"), "secret");
		run(sandbox, "cat", secret.toString()).jsonPath("$.exitCode").isEqualTo(1).jsonPath("$.stdout").isEqualTo("");
		run(sandbox, "curl", "-sS", "http://127.0.0.1:" + this.port + "/actuator/health").jsonPath("$.exitCode")
			.isEqualTo(7);
	}

	@Test
	void deletesASandbox() {
		String sandbox = create();
		this.client.delete().uri("/sandboxes/{id}", sandbox).exchange().expectStatus().isNoContent();
		this.client.get().uri("/sandboxes/{id}", sandbox).exchange().expectStatus().isNotFound();
		this.client.delete().uri("/sandboxes/{id}", sandbox).exchange().expectStatus().isNotFound();
	}

	@Test
	void showsItsHealthItsSandboxesAndItsMetrics() {
		String sandbox = create();
		run(sandbox, "true");
		get("/actuator/health").jsonPath("$.components.sandbox.status")
			.isEqualTo("UP")
			.jsonPath("$.components.sandbox.details.isolation.held")
			.value(Object.class, (held) -> assertThat(held).asString().contains("network-denied", "write-contained"));
		get("/actuator/sandboxes").jsonPath("$.sandboxes[?(@.id == '" + sandbox + "')].template")
			.isEqualTo("python-project");
		this.client.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectBody(String.class)
			.value((metrics) -> assertThat(metrics).contains("sandbox_commands_seconds_count{"));
	}

	private String create() {
		SandboxController.SandboxView created = this.client.post()
			.uri("/sandboxes")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("template", "python-project"))
			.exchange()
			.expectStatus()
			.isCreated()
			.expectBody(SandboxController.SandboxView.class)
			.returnResult()
			.getResponseBody();
		return Objects.requireNonNull(created).id();
	}

	private RestTestClient.BodyContentSpec run(String sandbox, String... command) {
		return command(sandbox, Map.of("command", command));
	}

	private RestTestClient.BodyContentSpec command(String sandbox, Map<String, Object> body) {
		return this.client.post()
			.uri("/sandboxes/{id}/commands", sandbox)
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody();
	}

	private RestTestClient.BodyContentSpec get(String path) {
		return this.client.get().uri(path).exchange().expectStatus().isOk().expectBody();
	}

	private ResponseSpec post(String path, String sandbox) {
		return this.client.post().uri(path, sandbox).exchange().expectStatus().isOk();
	}

	private ResponseSpec write(String sandbox, String path, String text) {
		return this.client.put()
			.uri((uri) -> uri.path("/sandboxes/{id}/files/" + path).build(sandbox))
			.contentType(MediaType.APPLICATION_OCTET_STREAM)
			.body(text.getBytes(StandardCharsets.UTF_8))
			.exchange();
	}

	private String read(String sandbox, String path) {
		byte[] content = this.client.get()
			.uri((uri) -> uri.path("/sandboxes/{id}/files/" + path).build(sandbox))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(byte[].class)
			.returnResult()
			.getResponseBody();
		return new String(Objects.requireNonNull(content), StandardCharsets.UTF_8);
	}

}
