package io.sandbox4j.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.tools.CodingTools;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the tools over MCP, with the protocol's own client and real sandboxes.
 */
class McpServerTests {

	private static final String FAULT = "merged[-1] = (merged[-1][0], end)";

	private static final String REPAIR = "merged[-1] = (merged[-1][0], max(merged[-1][1], end))";

	@TempDir
	private Path directory;

	private final List<McpSyncClient> clients = new ArrayList<>();

	private ConfigurableApplicationContext context;

	@BeforeAll
	static void needsBubblewrap() {
		assumeTrue(
				Boolean.getBoolean("sandbox.test.require-bubblewrap") || Files.isExecutable(Path.of("/usr/bin/bwrap")),
				"bubblewrap is not installed");
	}

	@AfterEach
	void nothingIsLeft() throws IOException {
		this.clients.forEach(McpSyncClient::close);
		this.context.close();
		assertNothingIsLeft();
	}

	private void assertNothingIsLeft() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory.resolve("state"), 3)) {
			assertThat(files.filter((file) -> file.getParent().endsWith("sessions"))).isEmpty();
		}
		assertThat(ProcessHandle.current().descendants().map((process) -> process.info().command().orElse("")))
			.noneMatch((command) -> command.endsWith("bwrap"));
	}

	@Test
	void everyToolIsListedAndWorks() throws IOException {
		start("--sandbox.tools.outputs.directory=" + this.directory.resolve("outputs"),
				"--sandbox.tools.limits.output-size=1KB");
		McpSyncClient client = connect();
		assertThat(client.listTools().tools()).extracting(Tool::name)
			.containsExactlyInAnyOrderElementsOf(CodingTools.NAMES);
		assertThat(client.listTools().tools())
			.allSatisfy((tool) -> assertThat(tool.inputSchema()).containsEntry("type", "object"));
		assertThat(done(client, "run_command", Map.of("command", "python3 -m unittest"))).contains("\"exitCode\":1");
		assertThat(done(client, "search_files", Map.of("query", FAULT))).contains("intervals.py");
		assertThat(done(client, "read_file", Map.of("path", "intervals.py"))).contains(FAULT);
		done(client, "edit_file", Map.of("path", "intervals.py", "oldText", FAULT, "newText", REPAIR));
		assertThat(done(client, "run_command", Map.of("command", "python3 -m unittest"))).contains("\"exitCode\":0");
		done(client, "write_file", Map.of("path", "docs/notes.md", "content", "one\n"));
		done(client, "append_file", Map.of("path", "docs/notes.md", "content", "two\n"));
		done(client, "move_path", Map.of("path", "docs/notes.md", "target", "notes.md"));
		assertThat(done(client, "glob", Map.of("pattern", "*.md"))).contains("notes.md", "README.md");
		assertThat(done(client, "run_command", Map.of("command", "cat notes.md"))).contains("one\\ntwo\\n");
		done(client, "remove_path", Map.of("path", "notes.md"));
		assertThat(done(client, "list_directory", Map.of())).contains("intervals.py").doesNotContain("notes.md");
	}

	@Test
	void longOutputsAndBackgroundCommandsGoOnInLaterCalls() throws IOException {
		start("--sandbox.tools.outputs.directory=" + this.directory.resolve("outputs"),
				"--sandbox.tools.limits.output-size=1KB");
		McpSyncClient client = connect();
		JsonNode ran = json(done(client, "run_command", Map.of("command", "seq 1 2000")));
		String reference = ran.get("artifact").get("reference").asString();
		assertThat(done(client, "search_output", Map.of("reference", reference, "query", "1234"))).contains("1234");
		assertThat(done(client, "read_output", Map.of("reference", reference, "offset", 100))).contains("\\n100\\n");
		JsonNode started = json(
				done(client, "run_command", Map.of("command", "echo up; sleep 300", "background", true)));
		Map<String, Object> command = Map.of("command", started.get("command").asString());
		Awaitility.await().untilAsserted(() -> assertThat(done(client, "read_command", command)).contains("up\\n"));
		assertThat(done(client, "stop_command", command)).doesNotContain("\"running\"");
	}

	@Test
	void refusalsAreResultsAndNameNoPathOfTheHost() throws IOException {
		start();
		McpSyncClient client = connect();
		assertThat(refused(client, "read_file", Map.of("path", "nope"))).contains("\"code\":\"NOT_FOUND\"");
		assertThat(refused(client, "read_file", Map.of("path", "../../etc/passwd"))).contains("\"error\"");
		done(client, "run_command", Map.of("command", "ln -s / root"));
		assertThat(refused(client, "read_file", Map.of("path", "root/etc/passwd"))).contains("FORBIDDEN");
		assertThat(refused(client, "run_command", Map.of("command", "true", "cwd", "nope"))).contains("NOT_FOUND");
		assertThat(refused(client, "write_file", Map.of("path", "a", "content", "x".repeat(262_145))))
			.contains("BAD_REQUEST");
		assertThat(done(client, "run_command", Map.of("command", "exit 3"))).contains("\"exitCode\":3");
	}

	@Test
	void twoSessionsNeverSeeEachOthersFiles() throws IOException {
		start();
		McpSyncClient one = connect();
		McpSyncClient two = connect();
		done(one, "write_file", Map.of("path", "secret.txt", "content", "of one"));
		refused(two, "read_file", Map.of("path", "secret.txt"));
		assertThat(done(two, "run_command", Map.of("command", "find / -name secret.txt 2> /dev/null; true")))
			.doesNotContain("secret.txt");
		assertThat(done(one, "read_file", Map.of("path", "secret.txt"))).contains("of one");
	}

	@Test
	void callsOfOneSessionAtOnceShareOneSandbox() throws IOException {
		start();
		McpSyncClient client = connect();
		List<CompletableFuture<String>> calls = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			Map<String, Object> file = Map.of("path", "file-" + i, "content", "x");
			calls.add(CompletableFuture.supplyAsync(() -> done(client, "write_file", file)));
		}
		calls.forEach(CompletableFuture::join);
		assertThat(done(client, "run_command", Map.of("command", "ls file-* | wc -l"))).contains("\"6\\n\"");
		assertThat(backend().sessions()).hasSize(1);
	}

	@Test
	void theEndOfASessionEndsItsSandboxAndNoOther() throws IOException {
		start();
		McpSyncClient one = connect();
		McpSyncClient two = connect();
		done(one, "list_directory", Map.of());
		done(two, "list_directory", Map.of());
		assertThat(backend().sessions()).hasSize(2);
		one.closeGracefully();
		Awaitility.await().untilAsserted(() -> assertThat(backend().sessions()).hasSize(1));
		done(two, "list_directory", Map.of());
	}

	@Test
	void aSessionThatDoesNotExistEndsNothing() throws Exception {
		start();
		McpSyncClient client = connect();
		done(client, "list_directory", Map.of());
		HttpRequest delete = HttpRequest.newBuilder(URI.create(url() + "/mcp"))
			.header("Mcp-Session-Id", "nope")
			.DELETE()
			.build();
		HttpResponse<Void> answer = HttpClient.newHttpClient().send(delete, BodyHandlers.discarding());
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(backend().sessions()).hasSize(1);
	}

	@Test
	void theSandboxOfAnIdleSessionIsDeleted() throws IOException {
		start("--sandbox.tools.idle-timeout=300ms");
		McpSyncClient client = connect();
		done(client, "write_file", Map.of("path", "a", "content", "x"));
		Awaitility.await().untilAsserted(() -> assertThat(backend().sessions()).isEmpty());
		refused(client, "read_file", Map.of("path", "a"));
	}

	@Test
	void aCommandThatTakesLongerThanTheIdleTimeoutEnds() throws IOException {
		start("--sandbox.tools.idle-timeout=200ms");
		McpSyncClient client = connect();
		assertThat(done(client, "run_command", Map.of("command", "sleep 1; echo done"))).contains("done\\n");
	}

	@Test
	void moreSessionsThanSandboxesAreBusy() throws IOException {
		start("--sandbox.tools.max-sandboxes=1");
		McpSyncClient one = connect();
		McpSyncClient two = connect();
		done(one, "list_directory", Map.of());
		assertThat(refused(two, "list_directory", Map.of())).contains("SANDBOX_BUSY");
		one.closeGracefully();
		Awaitility.await()
			.until(() -> !Boolean.TRUE.equals(two.callTool(request("list_directory", Map.of())).isError()));
	}

	@Test
	void theEndOfTheApplicationEndsARunningCommand() throws IOException {
		start("--sandbox.drain-timeout=100ms");
		McpSyncClient client = connect();
		CompletableFuture
			.runAsync(() -> client.callTool(request("run_command", Map.of("command", "touch a; sleep 300"))));
		Awaitility.await()
			.untilAsserted(() -> assertThat(backend().handles())
				.anySatisfy((handle) -> assertThat(handle.session().files().exists("a")).isTrue()));
		this.context.close();
		assertNothingIsLeft();
	}

	private void start(String... arguments) throws IOException {
		// The guest of root is another user, who must get through to its workspace.
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwx--x--x"));
		SpringApplication application = new SpringApplication(SampleApplication.class);
		List<String> all = new ArrayList<>(List.of("--server.port=0", "--server.shutdown=immediate",
				"--sandbox.state-directory=" + this.directory.resolve("state"),
				"--sandbox.runtime-directory=" + this.directory.resolve("run")));
		all.addAll(List.of(arguments));
		this.context = application.run(all.toArray(String[]::new));
	}

	private McpSyncClient connect() {
		McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder(url()).endpoint("/mcp").build())
			.requestTimeout(Duration.ofSeconds(60))
			.build();
		this.clients.add(client);
		client.initialize();
		return client;
	}

	private String url() {
		return "http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port");
	}

	private SandboxBackend backend() {
		return this.context.getBean(SandboxBackend.class);
	}

	private String done(McpSyncClient client, String tool, Map<String, Object> arguments) {
		CallToolResult result = client.callTool(request(tool, arguments));
		assertThat(result.isError()).as(text(result)).isFalse();
		return text(result);
	}

	private static JsonNode json(String text) {
		return JsonMapper.shared().readTree(text);
	}

	private String refused(McpSyncClient client, String tool, Map<String, Object> arguments) {
		CallToolResult result = client.callTool(request(tool, arguments));
		assertThat(result.isError()).as(text(result)).isTrue();
		assertThat(text(result)).doesNotContain(this.directory.toString());
		return text(result);
	}

	private static CallToolRequest request(String tool, Map<String, Object> arguments) {
		return CallToolRequest.builder(tool).arguments(arguments).build();
	}

	private static String text(CallToolResult result) {
		assertThat(result.content()).hasSize(1).first().isInstanceOf(TextContent.class);
		return ((TextContent) result.content().get(0)).text();
	}

}
