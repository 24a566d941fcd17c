package io.sandbox4j.bubblewrap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.sandbox4j.SandboxHandle;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.ToolLimits;
import io.sandbox4j.tools.ToolRequest;
import io.sandbox4j.tools.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that run on after the call, over a real sandbox.
 */
@Tag("isolation")
class BackgroundCommandTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private final List<ToolRequest> requests = new CopyOnWriteArrayList<>();

	private volatile Predicate<ToolRequest> allowed = (request) -> true;

	private SandboxHandle sandbox;

	private CodingTools tools;

	@BeforeEach
	void open() {
		this.sandbox = this.sandboxes.sandbox();
		this.tools = tools(1000, Duration.ofMinutes(1));
	}

	@AfterEach
	void noThreadIsLeft() {
		this.sandbox.stop();
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().startsWith("sandbox-tool-")));
	}

	private CodingTools tools(int outputBytes, Duration timeout) {
		return CodingTools.builder(this.sandbox.session())
			.shell(true)
			.limits(new ToolLimits(4096, 1000, 1000, 8, 1000, outputBytes, 4000, 10, 10, 10, 10, Duration.ofMillis(500),
					timeout))
			.authorize((request) -> {
				this.requests.add(request);
				return this.allowed.test(request);
			})
			.build();
	}

	private JsonNode done(String tool, Map<String, ?> arguments) {
		ToolResult result = this.tools.call(tool, MAPPER.writeValueAsString(arguments));
		assertThat(result.refused()).as(result.text()).isFalse();
		return MAPPER.readTree(result.text());
	}

	private JsonNode refused(RefusalCode code, String tool, Map<String, ?> arguments) {
		ToolResult result = this.tools.call(tool, MAPPER.writeValueAsString(arguments));
		assertThat(result.refusal()).as(result.text()).isEqualTo(code);
		return MAPPER.readTree(result.text()).get("error");
	}

	private String start(String script) {
		JsonNode started = done("run_command", Map.of("command", script, "background", true));
		assertThat(started.get("status").asString()).isEqualTo("running");
		return started.get("command").asString();
	}

	private JsonNode read(String command) {
		return done("read_command", Map.of("command", command));
	}

	private JsonNode awaitEnd(String command, StringBuilder stdout) {
		List<JsonNode> last = new ArrayList<>();
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			JsonNode read = read(command);
			stdout.append(read.get("stdout").asString());
			last.add(read);
			return !read.get("status").asString().equals("running") && !read.get("more").asBoolean();
		});
		return last.get(last.size() - 1);
	}

	private JsonNode awaitEnd(String command) {
		return awaitEnd(command, new StringBuilder());
	}

	private void awaitFile(String path) {
		Awaitility.await().until(() -> this.sandbox.session().files().exists(path));
	}

	@Test
	void itRunsOnAndTellsWhatIsNew() {
		String command = start("echo one; until [ -e go ]; do sleep 0.1; done; echo two; echo err >&2; exit 3");
		StringBuilder first = new StringBuilder();
		Awaitility.await().until(() -> first.append(read(command).get("stdout").asString()).toString().equals("one\n"));
		assertThat(read(command).get("status").asString()).isEqualTo("running");
		assertThat(read(command).get("stdout").asString()).isEmpty();
		this.sandbox.session().files().writeText("go", "");
		Awaitility.await().until(() -> read(command).get("stderr").asString().equals("err\n"));
		JsonNode end = awaitEnd(command);
		assertThat(end.get("status").asString()).isEqualTo("exited");
		assertThat(end.get("exitCode").asInt()).isEqualTo(3);
		assertThat(read(command).get("stdout").asString()).isEmpty();
	}

	@Test
	void itOutlivesTheLimitOfOthersAndNotItsOwn() {
		this.tools = tools(1000, Duration.ofSeconds(2));
		String command = start("sleep 1; echo alive; sleep 300 & sleep 300");
		StringBuilder stdout = new StringBuilder();
		assertThat(awaitEnd(command, stdout).get("status").asString()).isEqualTo("timeout");
		assertThat(stdout.toString()).isEqualTo("alive\n");
	}

	@Test
	void whatNobodyReadsIsPushedOutAndCounted() {
		String command = start("seq 1 100000; touch done");
		awaitFile("done");
		long seen = 0;
		StringBuilder stdout = new StringBuilder();
		JsonNode part;
		do {
			part = read(command);
			assertThat(part.get("stdout").asString()).hasSizeLessThanOrEqualTo(1000);
			stdout.append(part.get("stdout").asString());
			seen += part.path("omittedBytes").asLong(0);
		}
		while (part.get("more").asBoolean() || part.get("status").asString().equals("running"));
		assertThat(stdout.toString()).endsWith("99999\n100000\n");
		assertThat(seen + stdout.length()).isEqualTo(588_895);
		assertThat(seen).isPositive();
	}

	@Test
	void oneCallAnswersNoMoreThanTheLimitAndNoStreamStarves() {
		String command = start(
				"head -c 900 /dev/zero | tr '\\0' o; head -c 900 /dev/zero | tr '\\0' e >&2; touch done");
		awaitFile("done");
		Awaitility.await().until(() -> this.sandbox.session().admission().active() == 0);
		JsonNode first = read(command);
		assertThat(first.get("stdout").asString()).hasSize(500);
		assertThat(first.get("stderr").asString()).hasSize(500);
		assertThat(first.get("more").asBoolean()).isTrue();
		JsonNode second = read(command);
		assertThat(second.get("stdout").asString()).hasSize(400);
		assertThat(second.get("more").asBoolean()).isFalse();
	}

	@Test
	void itReadsNoInput() {
		StringBuilder stdout = new StringBuilder();
		awaitEnd(start("cat; echo end"), stdout);
		assertThat(stdout.toString()).isEqualTo("end\n");
	}

	@Test
	void aStopEndsItAndWhatItPrintedStays() {
		String command = start("trap 'echo bye; exit 7' TERM; echo up; touch up; while :; do sleep 0.1; done");
		awaitFile("up");
		JsonNode stopped = done("stop_command", Map.of("command", command));
		assertThat(stopped.get("status").asString()).isEqualTo("exited");
		assertThat(stopped.get("exitCode").asInt()).isEqualTo(7);
		StringBuilder stdout = new StringBuilder();
		awaitEnd(command, stdout);
		assertThat(stdout.toString()).isEqualTo("up\nbye\n");
		assertThat(done("stop_command", Map.of("command", command)).get("exitCode").asInt()).isEqualTo(7);
	}

	@Test
	void aStopKillsWhatDoesNotListen() {
		String command = start("trap '' TERM; touch up; sleep 300 & while :; do sleep 1; done");
		awaitFile("up");
		assertThat(done("stop_command", Map.of("command", command)).get("status").asString()).isEqualTo("cancelled");
		assertThat(this.sandbox.session().admission().active()).isZero();
	}

	@Test
	void aProgramThatIsNotThereFails() {
		this.tools = CodingTools.builder(this.sandbox.session())
			.executable("absent", "/absent")
			.authorize((request) -> true)
			.build();
		JsonNode started = done("run_command", Map.of("executable", "absent", "background", true));
		JsonNode end = awaitEnd(started.get("command").asString());
		assertThat(end.get("status").asString()).isEqualTo("failed");
		assertThat(end.get("reason").asString()).isNotBlank();
	}

	@Test
	void thereAreNoMoreThanEightAtOnce() {
		List<String> commands = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			commands.add(start("sleep 60"));
		}
		this.requests.clear();
		JsonNode error = refused(RefusalCode.SANDBOX_BUSY, "run_command",
				Map.of("command", "touch ninth", "background", true));
		assertThat(error.get("commands").size()).isEqualTo(8);
		assertThat(this.requests).isEmpty();
		assertThat(this.sandbox.session().files().exists("ninth")).isFalse();
		done("stop_command", Map.of("command", commands.get(3)));
		start("sleep 60");
	}

	@Test
	void ofThoseThatEndedTheOldestAreForgotten() {
		List<String> commands = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			commands.add(start("true"));
			awaitEnd(commands.get(i));
		}
		refused(RefusalCode.NOT_FOUND, "read_command", Map.of("command", commands.get(0)));
		assertThat(read(commands.get(1)).get("status").asString()).isEqualTo("exited");
		assertThat(read(commands.get(9)).get("status").asString()).isEqualTo("exited");
	}

	@Test
	void eachCallIsAuthorized() {
		String command = start("touch up; sleep 60");
		awaitFile("up");
		read(command);
		done("stop_command", Map.of("command", command));
		assertThat(this.requests).containsExactly(
				new ToolRequest.Command("shell", List.of("touch up; sleep 60"), WorkspacePath.parse("."), true),
				new ToolRequest.CommandRead(command), new ToolRequest.CommandStop(command));
	}

	@Test
	void whatIsNotAuthorizedHasNoEffect() {
		String command = start("echo text; touch up; sleep 60");
		awaitFile("up");
		this.allowed = (request) -> false;
		refused(RefusalCode.FORBIDDEN, "read_command", Map.of("command", command));
		refused(RefusalCode.FORBIDDEN, "stop_command", Map.of("command", command));
		refused(RefusalCode.FORBIDDEN, "run_command", Map.of("command", "touch other", "background", true));
		this.allowed = (request) -> true;
		StringBuilder stdout = new StringBuilder();
		Awaitility.await()
			.until(() -> stdout.append(read(command).get("stdout").asString()).toString().equals("text\n"));
		assertThat(read(command).get("status").asString()).isEqualTo("running");
		assertThat(this.sandbox.session().files().exists("other")).isFalse();
	}

	@Test
	void aCommandOfOtherToolsIsUnknown() {
		String command = start("sleep 60");
		this.tools = tools(1000, Duration.ofMinutes(1));
		for (String unknown : List.of(command, "", "x")) {
			refused(RefusalCode.NOT_FOUND, "read_command", Map.of("command", unknown));
			refused(RefusalCode.NOT_FOUND, "stop_command", Map.of("command", unknown));
		}
	}

	@Test
	void itEndsWithTheSession() throws Exception {
		String command = start("touch up; sleep 300 & sleep 300");
		awaitFile("up");
		String session = this.sandbox.session().id();
		this.sandbox.stop();
		assertThat(BackendExtension.processesWithMarker(session)).isEmpty();
		refused(RefusalCode.SANDBOX_UNAVAILABLE, "read_command", Map.of("command", command));
	}

}
