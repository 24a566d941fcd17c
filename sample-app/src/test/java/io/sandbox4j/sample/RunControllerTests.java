package io.sandbox4j.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link RunController} over HTTP and with real sandboxes.
 */
@Tag("isolation")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sample.heartbeat=100ms")
@DirtiesContext
class RunControllerTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	@TempDir
	static Path directory;

	@LocalServerPort
	int port;

	private final HttpClient http = HttpClient.newHttpClient();

	private String runs;

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
	void choose() {
		this.runs = "http://127.0.0.1:" + this.port + "/durable/" + UUID.randomUUID() + "/runs";
	}

	@Test
	void aTurnIsAnsweredAndItsMessagesComeBehindACursor() throws Exception {
		HttpResponse<String> made = create("r", "id", "r");
		assertThat(made.statusCode()).isEqualTo(201);
		assertThat(made.headers().firstValue("Location")).hasValue(URI.create(this.runs + "/r").getPath());
		assertThat(create("r", "id", "r").statusCode()).isEqualTo(200);
		assertThat(submit("r", "o", "echo one >f\ncat f\nexit 3\necho never").statusCode()).isEqualTo(202);
		JsonNode settled = settled("r", "o");
		assertThat(settled.path("status").asString()).isEqualTo("DONE");
		assertThat(settled.path("answer").asString()).isEqualTo("Turn 1: 3 done, exit code 3.");
		assertThat(settled.path("messages")).hasSize(3);
		assertThat(settled.at("/messages/1/content").asString()).contains("\"output\": \"one\\n\"");
		assertThat(settled.path("next").asInt()).isEqualTo(3);
		JsonNode rest = json(get("/r/operations/o?from=2"));
		assertThat(rest.path("messages")).hasSize(1);
		assertThat(rest.at("/messages/0/id").asString()).isEqualTo("step-3");
	}

	@Test
	void anOperationThatIsSubmittedTwiceIsOneAndAnotherTextIsRefused() throws Exception {
		create("r", "id", "r");
		assertThat(submit("r", "o", "echo x >>f").statusCode()).isEqualTo(202);
		assertThat(submit("r", "o", "echo x >>f").statusCode()).isEqualTo(200);
		settled("r", "o");
		HttpResponse<String> again = submit("r", "o", "echo x >>f");
		assertThat(again.statusCode()).isEqualTo(200);
		assertThat(json(again).path("answer").asString()).isEqualTo("Turn 1: 1 done, exit code 0.");
		assertProblem(submit("r", "o", "echo y"), 400, "SANDBOX_INVALID");
		submit("r", "count", "wc -l <f");
		assertThat(settled("r", "count").at("/messages/0/content").asString()).contains("\"output\": \"1\\n\"");
	}

	@Test
	void aForkRemembersWhatWasBeforeItAndNotWhatCameAfter() throws Exception {
		create("r", "id", "r");
		submit("r", "1", "true");
		settled("r", "1");
		assertThat(create("fork", "id", "fork", "forked", "r").statusCode()).isEqualTo(201);
		submit("fork", "1", "true");
		assertThat(settled("fork", "1").path("answer").asString()).startsWith("Turn 2:");
		submit("r", "2", "true");
		assertThat(settled("r", "2").path("answer").asString()).startsWith("Turn 2:");
		assertThat(json(get("/fork")).path("parent")).isEqualTo(json(get("/r")).path("conversation"));
		assertProblem(create("x", "id", "x", "forked", "absent"), 404, "SANDBOX_NOT_FOUND");
	}

	@Test
	void twoReadersGetAllEventsInOrderFromWhereverTheyCome() throws Exception {
		create("r", "id", "r");
		submit("r", "1", "echo one");
		settled("r", "1");
		try (Reader early = read("r", null); Reader late = read("r", "1")) {
			submit("r", "2", "for i in 1 2 3; do echo $i; done\necho two\necho three");
			settled("r", "2");
			post("/r/stop", "");
			assertThat(early.awaitEnd()).isEqualTo(ledger("r"));
			assertThat(late.awaitEnd()).isEqualTo(ledger("r").stream().filter((event) -> event.id() > 1).toList());
		}
	}

	@Test
	void aReaderThatComesAgainMissesNothingAndGetsNothingTwice() throws Exception {
		create("r", "id", "r");
		submit("r", "1", "echo one\necho two");
		List<Event> seen = new ArrayList<>();
		try (Reader first = read("r", null)) {
			seen.addAll(first.await(3));
		}
		submit("r", "2", "echo three");
		settled("r", "2");
		try (Reader second = read("r", String.valueOf(seen.get(2).id()))) {
			post("/r/stop", "");
			List<Event> rest = second.awaitEnd();
			seen.subList(3, seen.size()).clear();
			seen.addAll(rest);
		}
		assertThat(seen).isEqualTo(ledger("r"));
		assertThat(seen).extracting(Event::id).doesNotHaveDuplicates().isSorted();
		assertThat(seen).extracting(Event::kind).startsWith("run/created", "operation/queued").endsWith("run/stopped");
	}

	@Test
	void aStopEndsWhatRunsAndTheStream() throws Exception {
		create("r", "id", "r");
		create("other", "id", "other");
		submit("r", "o", "echo begun\nsleep 60");
		try (Reader reader = read("r", null)) {
			Awaitility.await()
				.until(() -> reader.events().stream().anyMatch((event) -> event.kind().equals("operation/message")));
			HttpResponse<String> stopped = post("/r/stop", "");
			assertThat(stopped.statusCode()).isEqualTo(200);
			assertThat(json(stopped).path("stopped").asBoolean()).isTrue();
			assertThat(reader.awaitEnd()).last().satisfies((event) -> {
				assertThat(event.kind()).isEqualTo("operation/settled");
				assertThat(event.data()).contains("ABORTED");
			});
		}
		JsonNode settled = settled("r", "o");
		assertThat(settled.path("status").asString()).isEqualTo("UNANSWERED");
		assertThat(settled.path("reason").asString()).isEqualTo("ABORTED");
		assertProblem(submit("r", "next", "true"), 410, "SANDBOX_STOPPED");
		assertThat(submit("other", "next", "true").statusCode()).isEqualTo(202);
		settled("other", "next");
	}

	@Test
	void anIdleStreamShowsThatItLivesAndGoesWithItsClient() throws Exception {
		create("r", "id", "r");
		Awaitility.await().until(() -> streams() == 0);
		try (Reader reader = read("r", null)) {
			Awaitility.await().until(() -> reader.beats() > 3);
			assertThat(reader.events()).hasSize(1);
			assertThat(streams()).isOne();
		}
		Awaitility.await().until(() -> streams() == 0);
	}

	@ParameterizedTest
	@CsvSource({ "/absent/events", "/absent", "/absent/operations/o", "/r/operations/absent" })
	void whatIsUnknownIsAProblem(String path) throws Exception {
		create("r", "id", "r");
		assertProblem(get(path), 404, "SANDBOX_NOT_FOUND");
	}

	@Test
	void whatCannotBeDoneIsAProblem() throws Exception {
		assertProblem(submit("absent", "o", "true"), 404, "SANDBOX_NOT_FOUND");
		assertProblem(post("/absent/stop", ""), 404, "SANDBOX_NOT_FOUND");
		assertProblem(create("r", "cwd", "x"), 400, "SANDBOX_INVALID");
		create("r", "id", "r");
		assertProblem(put("/r/operations/o", "{}"), 400, "SANDBOX_INVALID");
		assertProblem(get("/r/operations/o?waitSeconds=-1"), 400, "SANDBOX_INVALID");
		assertProblem(send(request("/r/events").header("Last-Event-ID", "99")), 400, "SANDBOX_INVALID");
		assertThat(send(request("/r/events").header("Last-Event-ID", "x")).statusCode()).isEqualTo(400);
	}

	@Test
	void streamsEndWithTheApplicationAndTheNextOneGoesOnWithTheRun(@TempDir Path other) throws Exception {
		Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx--x--x"));
		List<Event> seen;
		try (Reader reader = readUntilTheEndOfAnApplication(other)) {
			seen = reader.awaitEnd();
		}
		try (ConfigurableApplicationContext second = start(other)) {
			assertThat(second.isRunning()).isTrue();
			assertThat(settled("r", "1").path("answer").asString()).startsWith("Turn 1:");
			submit("r", "2", "cat f");
			assertThat(settled("r", "2").path("answer").asString()).startsWith("Turn 2:");
			try (Reader reader = read("r", String.valueOf(seen.get(seen.size() - 1).id()))) {
				post("/r/stop", "");
				assertThat(reader.awaitEnd()).first()
					.satisfies((event) -> assertThat(event.kind()).isEqualTo("operation/queued"));
			}
		}
	}

	private Reader readUntilTheEndOfAnApplication(Path state) throws Exception {
		try (ConfigurableApplicationContext application = start(state)) {
			assertThat(application.isRunning()).isTrue();
			create("r", "id", "r");
			submit("r", "1", "echo kept >f");
			settled("r", "1");
			Reader reader = read("r", null);
			reader.await(5);
			return reader;
		}
	}

	private ConfigurableApplicationContext start(Path state) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class).run(
				"--server.port=0", "--sandbox.state-directory=" + state.resolve("state"),
				"--sandbox.runtime-directory=" + state.resolve("run"), "--spring.main.banner-mode=off");
		this.runs = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/durable/s/runs";
		return context;
	}

	private static long streams() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("sample-run-stream"))
			.count();
	}

	private static void assertProblem(HttpResponse<String> response, int status, String code) {
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		JsonNode problem = json(response);
		assertThat(problem.path("code").asString()).isEqualTo(code);
		assertThat(problem.path("status").asInt()).isEqualTo(status);
	}

	private static JsonNode json(HttpResponse<String> response) {
		return MAPPER.readTree(response.body());
	}

	private HttpResponse<String> create(String id, String... members) throws Exception {
		return send(body("", "POST", (members.length == 2) ? Map.of(members[0], members[1])
				: Map.of(members[0], members[1], members[2], members[3])));
	}

	private HttpResponse<String> submit(String run, String operation, String text) throws Exception {
		return put("/" + run + "/operations/" + operation, MAPPER.writeValueAsString(Map.of("text", text)));
	}

	private JsonNode settled(String run, String operation) throws Exception {
		JsonNode found = json(get("/" + run + "/operations/" + operation + "?waitSeconds=30"));
		assertThat(found.path("settled").isString()).isTrue();
		return found;
	}

	private HttpResponse<String> get(String path) throws Exception {
		return send(request(path));
	}

	private HttpResponse<String> post(String path, String body) throws Exception {
		return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	private HttpResponse<String> put(String path, String body) throws Exception {
		return send(request(path).header("Content-Type", "application/json")
			.PUT(HttpRequest.BodyPublishers.ofString(body)));
	}

	private HttpRequest.Builder body(String path, String method, Map<String, String> body) {
		return request(path).header("Content-Type", "application/json")
			.method(method, HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(body)));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.runs + path)).timeout(Duration.ofSeconds(60));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
		return this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	// All that there is of a run that is closed.
	private List<Event> ledger(String run) throws Exception {
		try (Reader reader = read(run, null)) {
			return reader.awaitEnd();
		}
	}

	private Reader read(String run, String lastEventId) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.runs + "/" + run + "/events"))
			.header("Accept", "text/event-stream");
		if (lastEventId != null) {
			request.header("Last-Event-ID", lastEventId);
		}
		HttpResponse<InputStream> response = this.http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
		assertThat(response.statusCode()).isEqualTo(200);
		return new Reader(response.body());
	}

	/**
	 * An event as it is read.
	 *
	 * @param id its number
	 * @param kind what happened
	 * @param data what is told of it
	 */
	record Event(long id, String kind, String data) {

	}

	/**
	 * Reads a stream on a thread of its own.
	 */
	private static final class Reader implements AutoCloseable {

		private final InputStream input;

		private final Thread thread = new Thread(this::read, "test-stream-reader");

		private final List<Event> events = new ArrayList<>();

		private int beats;

		Reader(InputStream input) {
			this.input = input;
			this.thread.start();
		}

		private void read() {
			try (BufferedReader lines = new BufferedReader(new InputStreamReader(this.input, StandardCharsets.UTF_8))) {
				String id = "";
				String kind = "";
				for (String line = lines.readLine(); line != null; line = lines.readLine()) {
					if (line.startsWith("id:")) {
						id = line.substring(3);
					}
					else if (line.startsWith("event:")) {
						kind = line.substring(6);
					}
					else if (line.startsWith("data:")) {
						add(new Event(Long.parseLong(id), kind, line.substring(5)));
					}
					else if (line.startsWith(":")) {
						beat();
					}
				}
			}
			catch (IOException ex) {
				// It was closed.
			}
		}

		private synchronized void add(Event event) {
			this.events.add(event);
		}

		private synchronized void beat() {
			this.beats++;
		}

		synchronized int beats() {
			return this.beats;
		}

		synchronized List<Event> events() {
			return List.copyOf(this.events);
		}

		List<Event> await(int count) {
			Awaitility.await().until(() -> events().size() >= count);
			return events();
		}

		List<Event> awaitEnd() {
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !this.thread.isAlive());
			return events();
		}

		@Override
		public void close() throws IOException {
			this.input.close();
			awaitEnd();
		}

	}

}
