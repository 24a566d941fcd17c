package io.sandbox4j.sample;

import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxRequest;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.SandboxTemplates;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.test.FakeSandboxBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxController}, {@link FileController} and {@link SandboxErrors}
 * over a fake backend.
 */
class SandboxControllerTests {

	private final FakeSandboxBackend backend = FakeSandboxBackend.builder()
		.sessionLimits(new SessionLimits(1, 1024, 1024, 16, 100))
		.build();

	private final SandboxTemplates templates = SandboxTemplates.prewarm(this.backend,
			List.of(SandboxTemplate.named("empty").build(),
					SandboxTemplate.named("small").file("docs/a b.txt", "text").build()));

	private final Sandboxes sandboxes = new Sandboxes(this.backend, this.templates, NetworkPolicy.denyAll());

	private final MockMvcTester mvc = MockMvcTester.of(
			List.of(new SandboxController(this.sandboxes), new FileController(this.sandboxes)),
			(builder) -> builder.setControllerAdvice(new SandboxErrors()).build());

	@AfterEach
	void close() {
		this.backend.close();
	}

	@Test
	void createsASandboxWithoutNetwork() {
		MvcTestResult result = post("/sandboxes", "{\"template\":\"empty\"}");
		SandboxHandle created = this.backend.handles().get(0);
		String id = created.session().id();
		assertThat(created.session().networkPolicy()).isEqualTo(NetworkPolicy.denyAll());
		assertThat(result).hasStatus(HttpStatus.CREATED)
			.hasHeader("Location", "/sandboxes/" + id)
			.bodyJson()
			.isLenientlyEqualTo("{\"id\":\"%s\",\"state\":\"RUNNING\"}".formatted(id));
		assertThat(this.mvc.get().uri("/sandboxes")).bodyJson().extractingPath("$[0].id").isEqualTo(id);
		assertThat(this.mvc.get().uri("/sandboxes/{id}", id)).bodyJson().extractingPath("$.state").isEqualTo("RUNNING");
	}

	@Test
	void refusesAnUnknownOrMissingTemplate() {
		assertProblem(post("/sandboxes", "{\"template\":\"nope\"}"), HttpStatus.NOT_FOUND, "SANDBOX_NOT_FOUND");
		assertProblem(post("/sandboxes", "{}"), HttpStatus.BAD_REQUEST, "SANDBOX_INVALID");
	}

	@Test
	void runsACommand() {
		this.backend.on("upper", (program) -> {
			program.print(new String(program.stdin().readAllBytes()).toUpperCase() + program.args());
			return 3;
		});
		assertThat(command("{\"command\":[\"upper\",\"x y\",\"\"],\"stdin\":\"in\"}")).hasStatusOk()
			.bodyJson()
			.isLenientlyEqualTo("""
					{"status":"EXITED","exitCode":3,"stdout":"IN[x y, ]","stderr":"","omittedBytes":0,"reason":""}""");
	}

	@Test
	void answersWithATimeout() {
		assertThat(command("{\"command\":[\"sleep\",\"60\"],\"timeoutSeconds\":1}")).hasStatusOk()
			.bodyJson()
			.extractingPath("$.status")
			.isEqualTo("TIMED_OUT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"command\":[]}", "{\"command\":[null]}", "{\"command\":[\"\"]}",
			"{\"command\":[\"true\"],\"timeoutSeconds\":0}",
			"{\"command\":[\"true\"],\"timeoutSeconds\":9999999999999}" })
	void refusesAnInvalidCommand(String body) {
		assertProblem(command(body), HttpStatus.BAD_REQUEST, "SANDBOX_INVALID");
	}

	@Test
	void isBusyWhileEverySlotIsTaken() throws Exception {
		String id = create("empty");
		CountDownLatch started = new CountDownLatch(1);
		this.backend.on("wait", (program) -> {
			started.countDown();
			return program.stdin().read();
		});
		try (var process = this.backend.handles().get(0).session().start(ExecSpec.of("wait"))) {
			started.await();
			assertProblem(post("/sandboxes/" + id + "/commands", "{\"command\":[\"true\"]}"), HttpStatus.CONFLICT,
					"SANDBOX_BUSY");
			process.stdin().write(0);
			assertThat(process.onExit().join().succeeded()).isTrue();
		}
	}

	@Test
	void stopsAndAttaches() {
		String id = create("small");
		assertThat(this.mvc.post().uri("/sandboxes/{id}/stop", id)).bodyJson()
			.extractingPath("$.state")
			.isEqualTo("STOPPED");
		assertProblem(post("/sandboxes/" + id + "/commands", "{\"command\":[\"true\"]}"), HttpStatus.GONE,
				"SANDBOX_STOPPED");
		assertProblem(this.mvc.get().uri("/sandboxes/{id}/files/", id).exchange(), HttpStatus.GONE, "SANDBOX_STOPPED");
		for (int i = 0; i < 2; i++) {
			assertThat(this.mvc.post().uri("/sandboxes/{id}/attach", id)).bodyJson()
				.extractingPath("$.state")
				.isEqualTo("RUNNING");
		}
		assertThat(this.mvc.get().uri("/sandboxes/{id}/files/docs/a b.txt", id)).hasBodyTextEqualTo("text");
	}

	@Test
	void deletes() {
		String id = create("empty");
		assertThat(this.mvc.delete().uri("/sandboxes/{id}", id)).hasStatus(HttpStatus.NO_CONTENT);
		assertThat(this.backend.sessions()).isEmpty();
		assertProblem(this.mvc.delete().uri("/sandboxes/{id}", id).exchange(), HttpStatus.NOT_FOUND,
				"SANDBOX_NOT_FOUND");
	}

	@Test
	void readsFilesAndListsDirectories() {
		String id = create("small");
		assertThat(this.mvc.get().uri("/sandboxes/{id}/files/docs/a b.txt", id)).hasStatusOk()
			.hasContentType(MediaType.APPLICATION_OCTET_STREAM)
			.hasBodyTextEqualTo("text");
		assertThat(this.mvc.get().uri("/sandboxes/{id}/files/", id)).bodyJson()
			.isLenientlyEqualTo("[{\"path\":\"docs\",\"type\":\"DIRECTORY\"}]");
		assertThat(this.mvc.get().uri("/sandboxes/{id}/files/docs", id)).bodyJson()
			.isLenientlyEqualTo("[{\"path\":\"docs/a b.txt\",\"type\":\"FILE\",\"size\":4}]");
		assertProblem(this.mvc.get().uri("/sandboxes/{id}/files/nope", id).exchange(), HttpStatus.NOT_FOUND,
				"SANDBOX_NOT_FOUND");
		assertProblem(this.mvc.get().uri("/sandboxes/{id}/files/docs/../x", id).exchange(), HttpStatus.BAD_REQUEST,
				"SANDBOX_PATH");
	}

	@Test
	void writesAndRemovesFiles() {
		String id = create("empty");
		assertThat(put(id, "new/file.txt", "0123456789abcdef")).hasStatus(HttpStatus.NO_CONTENT);
		assertThat(put(id, "empty", "")).hasStatus(HttpStatus.NO_CONTENT);
		assertThat(this.mvc.get().uri("/sandboxes/{id}/files/new/file.txt", id)).hasBodyTextEqualTo("0123456789abcdef");
		assertProblem(put(id, "new/file.txt", "0123456789abcdefg"), HttpStatus.CONTENT_TOO_LARGE, "SANDBOX_LIMIT");
		assertThat(this.mvc.delete().uri("/sandboxes/{id}/files/new", id)).hasStatus(HttpStatus.NO_CONTENT);
		assertProblem(this.mvc.get().uri("/sandboxes/{id}/files/new/file.txt", id).exchange(), HttpStatus.NOT_FOUND,
				"SANDBOX_NOT_FOUND");
	}

	@Test
	void attachesToASandboxThatAnotherObjectMade() {
		SandboxHandle handle = this.backend
			.create(SandboxRequest.from(this.templates.get("small")).network(NetworkPolicy.denyAll()).build());
		handle.stop();
		assertThat(this.mvc.post().uri("/sandboxes/{id}/attach", handle.session().id())).hasStatusOk();
	}

	private String create(String template) {
		assertThat(post("/sandboxes", "{\"template\":\"" + template + "\"}")).hasStatus(HttpStatus.CREATED);
		return this.backend.handles().get(0).session().id();
	}

	private MvcTestResult command(String body) {
		return post("/sandboxes/" + create("empty") + "/commands", body);
	}

	private MvcTestResult post(String path, String body) {
		return this.mvc.post().uri(path).contentType(MediaType.APPLICATION_JSON).content(body).exchange();
	}

	private MvcTestResult put(String id, String path, String content) {
		return this.mvc.put()
			.uri("/sandboxes/{id}/files/" + path, id)
			.contentType(MediaType.APPLICATION_OCTET_STREAM)
			.content(content)
			.exchange();
	}

	private static void assertProblem(MvcTestResult result, HttpStatus status, String code) {
		assertThat(result).hasStatus(status)
			.hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
			.bodyJson()
			.extractingPath("$.code")
			.isEqualTo(code);
	}

}
