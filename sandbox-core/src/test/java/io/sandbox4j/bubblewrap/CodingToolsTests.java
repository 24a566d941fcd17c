package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.ExecResult;
import io.sandbox4j.ExecSpec;
import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.OriginRule;
import io.sandbox4j.Restriction;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.SandboxProcess;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.session.SessionLimits;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.SandboxTool;
import io.sandbox4j.tools.ToolLimits;
import io.sandbox4j.tools.ToolRequest;
import io.sandbox4j.tools.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The coding tools over a real sandbox.
 */
class CodingToolsTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private final List<ToolRequest> requests = new CopyOnWriteArrayList<>();

	private SandboxHandle sandbox;

	private CodingTools tools;

	@BeforeEach
	void open() {
		this.sandbox = this.sandboxes.sandbox();
		this.tools = tools((builder) -> builder);
	}

	private CodingTools tools(UnaryOperator<CodingTools.Builder> customizer) {
		return customizer.apply(CodingTools.builder(this.sandbox.session()).shell(true).authorize((request) -> {
			this.requests.add(request);
			return true;
		})).build();
	}

	private JsonNode done(String tool, Map<String, ?> arguments) {
		ToolResult result = this.tools.call(tool, json(arguments));
		assertThat(result.refused()).as(result.text()).isFalse();
		return MAPPER.readTree(result.text());
	}

	private JsonNode refused(RefusalCode code, String tool, Map<String, ?> arguments) {
		ToolResult result = this.tools.call(tool, json(arguments));
		assertThat(result.refusal()).as(result.text()).isEqualTo(code);
		assertThat(result.text()).doesNotContain(this.sandboxes.root().toString());
		JsonNode error = MAPPER.readTree(result.text()).get("error");
		assertThat(error.get("code").asString()).isEqualTo(code.name());
		assertThat(error.get("message").asString()).isNotBlank();
		assertThat(error.get("hint").asString()).isNotBlank();
		return error;
	}

	private static String json(Map<String, ?> arguments) {
		return MAPPER.writeValueAsString(arguments);
	}

	private void write(String path, String content) {
		this.sandbox.session().files().writeText(path, content);
	}

	private String text(String path) {
		return this.sandbox.session().files().readText(path);
	}

	private void shell(String script) {
		ExecResult result = this.sandbox.session().run(ExecSpec.shell(script));
		assertThat(result.succeeded()).as(result.stderrText()).isTrue();
	}

	private static List<String> strings(JsonNode array) {
		List<String> strings = new ArrayList<>();
		array.values().forEach((value) -> strings.add(value.asString()));
		return strings;
	}

	// ----------------------------------------------------------------- what is offered

	@Test
	void everyToolHasASchemaAndADescription() {
		assertThat(this.tools.tools()).extracting(SandboxTool::name)
			.containsExactly("read_file", "write_file", "append_file", "edit_file", "move_path", "remove_path",
					"list_directory", "glob", "search_files", "run_command", "read_command", "stop_command");
		for (SandboxTool tool : this.tools.tools()) {
			JsonNode schema = MAPPER.readTree(tool.inputSchema());
			assertThat(schema.get("type").asString()).isEqualTo("object");
			assertThat(schema.get("additionalProperties").asBoolean()).isFalse();
			assertThat(tool.description()).hasSizeBetween(40, 600);
		}
	}

	@Test
	void withoutShellAndProgramsThereAreNoCommands() {
		this.tools = tools((builder) -> builder.shell(false));
		assertThat(this.tools.tools()).extracting(SandboxTool::name).doesNotContain("run_command");
		refused(RefusalCode.NOT_FOUND, "run_command", Map.of("command", "true"));
	}

	@Test
	void withoutAnAuthorizationEveryCallIsRefused() {
		this.tools = CodingTools.builder(this.sandbox.session()).build();
		refused(RefusalCode.FORBIDDEN, "read_file", Map.of("path", "README"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "null", "{", "{} {}", "{\"path\":1}", "{\"path\":\"a\",\"path\":\"b\"}",
			"{\"path\":\"README\",\"more\":1}", "{\"path\":\"README\",\"offset\":-1}",
			"{\"path\":\"README\",\"offset\":1.5}", "{\"path\":\"README\",\"offset\":99999999999999999999}",
			"{\"path\":\"README\",\"maxBytes\":0}", "{}" })
	void argumentsThatDoNotFitTheSchemaAreRefused(String arguments) {
		ToolResult result = this.tools.call("read_file", arguments);
		assertThat(result.refusal()).as(result.text()).isEqualTo(RefusalCode.BAD_REQUEST);
		assertThat(this.requests).isEmpty();
	}

	// ------------------------------------------------------------------------- reading

	@Test
	void aWindowTellsWhereToGoOnAndTheDigestIsOfTheWholeFile() {
		write("f", "0123456789");
		JsonNode read = done("read_file", Map.of("path", "f", "maxBytes", 5));
		assertThat(read.get("text").asString()).isEqualTo("01234");
		assertThat(read.get("truncated").asBoolean()).isTrue();
		assertThat(read.get("nextOffset").asInt()).isEqualTo(5);
		assertThat(read.get("sha256").asString())
			.isEqualTo("84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882");
	}

	@Test
	void linesAreNumberedAndLongOnesClipped() {
		write("f", "a\r\n" + "x".repeat(20_000) + "\nlast");
		JsonNode read = done("read_file", Map.of("path", "f", "line", 1));
		assertThat(read.get("text").asString()).startsWith("1\ta\n2\txxx")
			.contains("line truncated, ")
			.endsWith("3\tlast\n");
		assertThat(read.get("totalLines").asInt()).isEqualTo(3);
		refused(RefusalCode.BAD_REQUEST, "read_file", Map.of("path", "f", "line", 4));
	}

	@Test
	void theFirstLinesOfAHugeSparseFileAreRead() {
		shell("printf 'one\\ntwo\\n' > big; truncate -s 1000M big");
		JsonNode read = done("read_file", Map.of("path", "big", "line", 1, "lines", 2));
		assertThat(read.get("text").asString()).isEqualTo("1\tone\n2\ttwo\n");
		assertThat(read.has("sha256")).isFalse();
	}

	@Test
	void whatIsNoTextIsSaidToBeNone() {
		this.sandbox.session().files().write("b", new byte[] { 'a', (byte) 0xff, 'b' });
		JsonNode error = refused(RefusalCode.BAD_REQUEST, "read_file", Map.of("path", "b"));
		assertThat(error.get("reason").asString()).isEqualTo("invalid_utf8");
	}

	@Test
	void specialFilesAreRefusedAtOnce() {
		shell("mkfifo pipe; mkdir -p run; mkfifo run/pipe; echo needle > run/file; "
				+ "python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('sock')\"");
		refused(RefusalCode.BAD_REQUEST, "read_file", Map.of("path", "pipe"));
		refused(RefusalCode.BAD_REQUEST, "read_file", Map.of("path", "sock"));
		refused(RefusalCode.CONFLICT, "write_file", Map.of("path", "pipe", "content", "x", "overwrite", true));
		refused(RefusalCode.BAD_REQUEST, "read_file", Map.of("path", "run"));
		JsonNode found = done("search_files", Map.of("query", "needle"));
		assertThat(found.get("matches").get(0).get("path").asString()).isEqualTo("run/file");
	}

	@Test
	void aNameInAnotherUnicodeFormIsHintedAt() {
		write("a\u0308.txt", "x");
		JsonNode error = refused(RefusalCode.NOT_FOUND, "read_file", Map.of("path", "\u00e4.txt"));
		assertThat(strings(error.get("similar"))).containsExactly("a\u0308.txt");
	}

	// --------------------------------------------------------------------------- paths

	@ParameterizedTest
	@ValueSource(
			strings = { "../x", "a/../../x", "a//b", "./a", "~/x", "~", "a\\b", "C:\\temp\\x", "..\\x", "\\\\host\\x" })
	void pathsThatLeaveTheWorkspaceAreForbidden(String path) {
		refused(RefusalCode.FORBIDDEN, "read_file", Map.of("path", path));
		refused(RefusalCode.FORBIDDEN, "write_file", Map.of("path", path, "content", "x"));
		refused(RefusalCode.FORBIDDEN, "search_files", Map.of("path", path, "query", "x"));
		refused(RefusalCode.FORBIDDEN, "run_command", Map.of("command", "true", "cwd", path));
		assertThat(this.requests).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc/passwd", "/proc/self/environ", "/proc/self/root/etc/passwd", "/", "" })
	void otherAbsolutePathsAreBadRequests(String path) {
		refused(RefusalCode.BAD_REQUEST, "read_file", Map.of("path", path));
		refused(RefusalCode.BAD_REQUEST, "list_directory", Map.of("path", path));
	}

	@Test
	void linksAreFollowedByNoTool() {
		shell("ln -s /etc/passwd leak; ln -s /etc etc; ln -s /tmp/outside-new.txt dangling; ln -s /proc/self/environ env");
		for (String link : List.of("leak", "etc/hostname", "dangling", "env")) {
			refused(RefusalCode.FORBIDDEN, "read_file", Map.of("path", link));
			ToolResult written = this.tools.call("write_file",
					json(Map.of("path", link, "content", "x", "overwrite", true)));
			assertThat(written.refused()).as(link).isTrue();
		}
		refused(RefusalCode.FORBIDDEN, "list_directory", Map.of("path", "etc"));
		assertThat(done("search_files", Map.of("query", "root")).get("matches")).isEmpty();
		assertThat(done("search_files", Map.of("query", "root")).get("skippedSymlinks").asInt()).isEqualTo(4);
		assertThat(Path.of("/tmp/outside-new.txt")).doesNotExist();
	}

	@Test
	void aDirectoryThatIsSwappedForALinkLeadsNowhere() throws Exception {
		Path outside = Files.createDirectory(this.sandboxes.root().resolve("outside"));
		Files.writeString(outside.resolve("f"), "host secret");
		write("d/f", "inside");
		SandboxProcess swap = this.sandbox.session()
			.start(ExecSpec.shell("while :; do mv d d1; ln -s " + outside + " d; rm d; mv d1 d; done")
				.withTimeout(Duration.ofMinutes(2)));
		try {
			for (int i = 0; i < 2000; i++) {
				ToolResult read = this.tools.call("read_file", json(Map.of("path", "d/f")));
				assertThat(read.text()).doesNotContain("host secret").doesNotContain(outside.toString());
				this.tools.call("write_file", json(Map.of("path", "d/f", "content", "new", "overwrite", true)));
			}
		}
		finally {
			swap.cancel("done").join();
		}
		assertThat(outside.resolve("f")).hasContent("host secret");
		assertThat(outside.toFile().list()).containsExactly("f");
	}

	@Test
	void aDirectorySwappedDuringTheAuthorizationIsRefused() throws Exception {
		Path outside = Files.createDirectory(this.sandboxes.root().resolve("outside"));
		write("d/f", "inside");
		this.tools = tools((builder) -> builder.authorize((request) -> {
			shell("mv d moved && ln -s " + outside + " d");
			return true;
		}));
		assertThat(this.tools.call("write_file", json(Map.of("path", "d/new", "content", "x"))).refused()).isTrue();
		assertThat(outside.toFile().list()).isEmpty();
		assertThat(this.sandbox.session().files().list("moved")).hasSize(1);
		assertThat(text("moved/f")).isEqualTo("inside");
	}

	@Test
	void namesAreNeverPatternsAndNeverShellText() {
		String name = "a b'c\"d$(id)\n[post].txt";
		done("write_file", Map.of("path", name, "content", "one"));
		done("edit_file", Map.of("path", name, "oldText", "one", "newText", "two"));
		assertThat(done("read_file", Map.of("path", name)).get("text").asString()).isEqualTo("two");
		done("remove_path", Map.of("path", name));
		assertThat(this.sandbox.session().files().exists(name)).isFalse();
	}

	// ------------------------------------------------------------------- authorization

	@Test
	void aDeniedDirectoryHidesWhatIsInIt() {
		write("credentials/key", "secret");
		write("credentials-backup/key", "open");
		List<WorkspacePath> asked = new ArrayList<>();
		this.tools = tools((builder) -> builder.authorizePath((path) -> {
			asked.add(path);
			return !path.relative().equals("credentials");
		}));
		refused(RefusalCode.FORBIDDEN, "read_file", Map.of("path", "credentials/key"));
		refused(RefusalCode.FORBIDDEN, "write_file", Map.of("path", "credentials/new/f", "content", "x"));
		refused(RefusalCode.FORBIDDEN, "list_directory", Map.of("path", "credentials"));
		refused(RefusalCode.FORBIDDEN, "move_path", Map.of("path", "README", "target", "credentials/README"));
		assertThat(asked).extracting(WorkspacePath::relative).doesNotContain("credentials/key", "credentials/new");
		assertThat(this.sandbox.session().files().exists("credentials/new")).isFalse();
		assertThat(done("read_file", Map.of("path", "credentials-backup/key")).get("text").asString())
			.isEqualTo("open");
		JsonNode found = done("search_files", Map.of("query", "secret"));
		assertThat(found.get("matches")).isEmpty();
		assertThat(strings(found.get("denied"))).containsExactly("credentials/");
	}

	@Test
	void aDirectoryIsNoWayToCarryOffOrRemoveWhatIsDenied() {
		write("config/deep/secret", "secret");
		write("free/file", "x");
		this.tools = tools((builder) -> builder
			.authorizePath((path) -> !List.of("config/deep/secret", "held/file").contains(path.relative())));
		refused(RefusalCode.FORBIDDEN, "move_path", Map.of("path", "config", "target", "taken"));
		refused(RefusalCode.FORBIDDEN, "remove_path", Map.of("path", "config", "recursive", true));
		refused(RefusalCode.FORBIDDEN, "move_path", Map.of("path", "free", "target", "held"));
		assertThat(text("config/deep/secret")).isEqualTo("secret");
		done("move_path", Map.of("path", "free", "target", "other"));
		assertThat(text("other/file")).isEqualTo("x");
	}

	@Test
	void whatIncludeRejectsIsPutToNoPolicy() {
		write("src/a.ts", "x");
		write("src/b.js", "x");
		List<String> asked = new ArrayList<>();
		this.tools = tools((builder) -> builder.authorizePath((path) -> asked.add(path.relative())));
		done("search_files", Map.of("query", "x", "include", "**/*.ts"));
		assertThat(asked).containsExactly(".", "src", "src/a.ts");
	}

	@Test
	void aWaitForOnePathHoldsUpNoOther() throws Exception {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.tools = tools((builder) -> builder.authorize((request) -> !(request instanceof ToolRequest.Write write)
				|| !write.path().relative().equals("slow") || answer.join()));
		CompletableFuture<ToolResult> slow = CompletableFuture
			.supplyAsync(() -> this.tools.call("write_file", json(Map.of("path", "slow", "content", "x"))));
		try {
			for (int i = 0; i < 100; i++) {
				done("write_file", Map.of("path", "f" + i, "content", "x"));
			}
			assertThat(slow).isNotDone();
		}
		finally {
			answer.complete(true);
		}
		assertThat(slow.get().refused()).isFalse();
	}

	@Test
	void noProgramIsCalledShell() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> tools((builder) -> builder.executable("shell", "/bin/echo")))
			.withMessageContaining("shell");
	}

	@Test
	void anInterruptIsKeptAndEndsAWait() {
		Thread.currentThread().interrupt();
		ToolResult result = this.tools.call("write_file", json(Map.of("path", "f", "content", "x")));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(result.refused()).isTrue();
		assertThat(this.sandbox.session().files().exists("f")).isFalse();
	}

	@Test
	void anAllowListIsAskedForTheWayAndTheFileOnly() {
		write("src/index.ts", "x");
		List<String> asked = new ArrayList<>();
		this.tools = tools((builder) -> builder.authorizePath((path) -> {
			asked.add(path.relative());
			return path.relative().startsWith("src");
		}));
		done("read_file", Map.of("path", "src/index.ts"));
		assertThat(asked).containsExactly("src", "src/index.ts");
	}

	@Test
	void aRefusedCommandHasNoEffect() {
		this.tools = tools((builder) -> builder.authorize((request) -> false));
		refused(RefusalCode.FORBIDDEN, "run_command", Map.of("command", "touch made"));
		assertThat(this.sandbox.session().files().exists("made")).isFalse();
	}

	@Test
	void afterAStopEveryToolIsDead() {
		this.sandbox.stop();
		JsonNode error = refused(RefusalCode.SANDBOX_UNAVAILABLE, "read_file", Map.of("path", "README"));
		assertThat(error.get("reason").asString()).isEqualTo("SANDBOX_STOPPED");
		refused(RefusalCode.SANDBOX_UNAVAILABLE, "run_command", Map.of("command", "true"));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> tools((builder) -> builder))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_STOPPED));
	}

	@Test
	void aMissingRestrictionRefusesTheToolsAndLaterEachCommand() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> tools((builder) -> builder.requireRestrictions(List.of(Restriction.EGRESS_BROKERED))))
			.withMessageContaining("egress-brokered");
		this.tools = tools((builder) -> builder.requireRestrictions(List.of(Restriction.NETWORK_DENIED)));
		done("run_command", Map.of("command", "true"));
		this.sandbox.session().setNetworkPolicy(NetworkPolicy.allow(OriginRule.builder("https://example.com").build()));
		JsonNode error = refused(RefusalCode.SANDBOX_INSUFFICIENT, "run_command", Map.of("command", "true"));
		assertThat(strings(error.get("missing"))).containsExactly("network-denied");
	}

	@Test
	void aPolicyChangeDuringTheAuthorizationRefusesTheCommand() {
		this.tools = tools((builder) -> builder.authorize((request) -> {
			this.sandbox.session()
				.setNetworkPolicy(NetworkPolicy.allow(OriginRule.builder("https://example.com").build()));
			return true;
		}));
		JsonNode error = refused(RefusalCode.CONFLICT, "run_command", Map.of("command", "touch made"));
		assertThat(error.get("message").asString()).contains("policy changed");
		assertThat(this.sandbox.session().files().exists("made")).isFalse();
	}

	// ------------------------------------------------------------------------- writing

	@Test
	void toolsAndSessionSeeTheSameFiles() {
		JsonNode written = done("write_file", Map.of("path", "a/b/c.txt", "content", "abc"));
		assertThat(strings(written.get("createdDirectories"))).containsExactly("a", "a/b");
		assertThat(text("a/b/c.txt")).isEqualTo("abc");
		write("d", "from the host");
		assertThat(done("read_file", Map.of("path", "d")).get("text").asString()).isEqualTo("from the host");
	}

	@Test
	void anExistingFileIsReplacedOnlyWhenAsked() {
		refused(RefusalCode.CONFLICT, "write_file", Map.of("path", "README", "content", ""));
		assertThat(text("README")).isEqualTo("hello\n");
		done("write_file", Map.of("path", "README", "content", "", "overwrite", true));
		assertThat(text("README")).isEmpty();
		refused(RefusalCode.CONFLICT, "write_file", Map.of("path", "README/x", "content", ""));
	}

	@Test
	void modesSurviveWritesAndEdits() {
		shell("printf 'echo 1\\n' > run.sh; chmod 755 run.sh");
		done("edit_file", Map.of("path", "run.sh", "oldText", "1", "newText", "2"));
		done("append_file", Map.of("path", "run.sh", "content", "echo 3\n"));
		shell("test $(stat -c %a run.sh) = 755 && test \"$(./run.sh)\" = '2\n3'");
	}

	@Test
	void editsAreLiteralAndKeepLineEndsAndMark() {
		this.sandbox.session().files().write("f", "\ufeffprice a.b*c(\r\nnext\r\n".getBytes(StandardCharsets.UTF_8));
		done("edit_file",
				Map.of("path", "f", "edits", List.of(Map.of("oldText", "price", "newText", "cost $1 \\ $& ${x}"),
						Map.of("oldText", "a.b*c(\nnext", "newText", "%s\nlast"))));
		assertThat(text("f")).isEqualTo("\ufeffcost $1 \\ $& ${x} %s\r\nlast\r\n");
	}

	@Test
	void anEditThatFitsTwiceOrNeverChangesNothing() {
		write("app.yml", "a:\n  retries: 3\nb:\n  retries: 3\n");
		JsonNode twice = refused(RefusalCode.CONFLICT, "edit_file",
				Map.of("path", "app.yml", "oldText", "  retries: 3", "newText", "  retries: 5"));
		assertThat(twice.get("count").asInt()).isEqualTo(2);
		refused(RefusalCode.NOT_FOUND, "edit_file", Map.of("path", "app.yml", "oldText", "nope", "newText", "x"));
		refused(RefusalCode.BAD_REQUEST, "edit_file", Map.of("path", "app.yml", "oldText", "", "newText", "x"));
		refused(RefusalCode.BAD_REQUEST, "edit_file", Map.of("path", "app.yml", "oldText", "a", "newText", "a"));
		refused(RefusalCode.BAD_REQUEST, "edit_file", Map.of("path", "app.yml", "oldText", "a"));
		refused(RefusalCode.NOT_FOUND, "edit_file", Map.of("path", "app.yml", "edits",
				List.of(Map.of("oldText", "a:", "newText", "z:"), Map.of("oldText", "nope", "newText", "x"))));
		assertThat(text("app.yml")).isEqualTo("a:\n  retries: 3\nb:\n  retries: 3\n");
		refused(RefusalCode.BAD_REQUEST, "edit_file",
				Map.of("path", "app.yml", "edits", Collections.nCopies(101, Map.of("oldText", "a", "newText", "b"))));
		assertThat(this.requests).isEmpty();
	}

	@Test
	void aDryRunChangesNothingAndAStaleDigestIsAConflict() {
		JsonNode dry = done("edit_file",
				Map.of("path", "README", "oldText", "hello", "newText", "bye", "dryRun", true));
		assertThat(dry.get("applied").asBoolean()).isFalse();
		assertThat(text("README")).isEqualTo("hello\n");
		String base = dry.get("baseSha256").asString();
		done("edit_file", Map.of("path", "README", "oldText", "hello", "newText", "bye", "expectedSha256", base));
		JsonNode stale = refused(RefusalCode.CONFLICT, "edit_file",
				Map.of("path", "README", "oldText", "bye", "newText", "x", "expectedSha256", base));
		assertThat(stale.get("actualSha256").asString()).isEqualTo(dry.get("sha256").asString());
		assertThat(text("README")).isEqualTo("bye\n");
	}

	@Test
	void parallelEditsOfOneFileAreAllThere() {
		write("r", String.join("\n", IntStream.rangeClosed(1, 100).mapToObj((i) -> "line" + i + ".").toList()));
		List<CompletableFuture<ToolResult>> edits = IntStream.rangeClosed(1, 20)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> this.tools.call("edit_file",
					json(Map.of("path", "r", "oldText", "line" + i + ".", "newText", "LINE" + i + ".")))))
			.toList();
		edits.forEach((edit) -> assertThat(edit.join().refused()).isFalse());
		for (int i = 1; i <= 20; i++) {
			assertThat(text("r")).contains("LINE" + i + ".");
		}
	}

	@Test
	void ofTwoEditsWithOneDigestOneIsAConflict() {
		String base = done("read_file", Map.of("path", "README")).get("sha256").asString();
		this.requests.clear();
		List<CompletableFuture<ToolResult>> edits = List.of("a", "b")
			.stream()
			.map((text) -> CompletableFuture.supplyAsync(() -> this.tools.call("edit_file",
					json(Map.of("path", "README", "oldText", "hello", "newText", text, "expectedSha256", base)))))
			.toList();
		assertThat(edits).extracting((edit) -> edit.join().refusal())
			.containsExactlyInAnyOrder(null, RefusalCode.CONFLICT);
		assertThat(this.requests).singleElement().isInstanceOfSatisfying(ToolRequest.Edit.class, (edit) -> {
			assertThat(edit.resultSha256()).hasSize(64);
			assertThat(edit.resultBytes()).isEqualTo(2);
		});
	}

	@Test
	void removingALinkKeepsItsTarget() {
		shell("mkdir keep; echo x > keep/f; ln -s keep link");
		done("remove_path", Map.of("path", "link"));
		assertThat(text("keep/f")).isEqualTo("x\n");
		refused(RefusalCode.CONFLICT, "remove_path", Map.of("path", "keep"));
		done("remove_path", Map.of("path", "keep", "recursive", true));
		refused(RefusalCode.NOT_FOUND, "remove_path", Map.of("path", "keep"));
	}

	@Test
	void aMoveReplacesNothingUnasked() {
		write("a", "a");
		refused(RefusalCode.CONFLICT, "move_path", Map.of("path", "a", "target", "README"));
		done("move_path", Map.of("path", "a", "target", "README", "overwrite", true));
		assertThat(text("README")).isEqualTo("a");
		refused(RefusalCode.NOT_FOUND, "move_path", Map.of("path", "a", "target", "b"));
	}

	@Test
	void whatIsTooLargeIsNamedAndNotWritten() {
		JsonNode error = refused(RefusalCode.BAD_REQUEST, "write_file",
				Map.of("path", "big", "content", "x".repeat(262_145)));
		assertThat(error.get("message").asString()).contains("262145").contains("262144");
		assertThat(this.sandbox.session().files().exists("big")).isFalse();
	}

	// ----------------------------------------------------------------------- searching

	@Test
	void directoriesComeFirstInLists() {
		shell("mkdir zdir node_modules; touch afile");
		JsonNode listed = done("list_directory", Map.of());
		assertThat(listed.get("entries").values()).extracting((entry) -> entry.get("name").asString())
			.containsExactly("node_modules", "zdir", "README", "afile");
		assertThat(listed.get("entries").get(0).get("excluded").asBoolean()).isTrue();
	}

	@Test
	void aHugeDirectoryIsListedInPart() {
		shell("mkdir many; cd many; python3 -c \"for i in range(20000): open('f%05d' % i, 'w').close()\"; mkdir zz");
		JsonNode listed = done("list_directory", Map.of("path", "many"));
		assertThat(listed.get("entries")).hasSize(500);
		assertThat(listed.get("entries").get(0).get("name").asString()).isEqualTo("zz");
		assertThat(listed.get("truncated").asBoolean()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "log/2031/05.md", "log/2031/*.md", "./log/**", "log/**/05.md", "log/2031/**/05.md",
			"**/0?.md" })
	void globsFindNestedFiles(String pattern) {
		write("log/2031/05.md", "x");
		assertThat(strings(done("glob", Map.of("pattern", pattern)).get("paths"))).containsExactly("log/2031/05.md");
	}

	@Test
	void globsSkipWhatIsIgnoredUnlessItIsNamed() {
		write(".gitignore", "out/\n*.log\n");
		write("out/app.js", "x");
		write("dist/app.js", "x");
		write("web/(shop)/[id].tsx", "x");
		write("x.log", "x");
		JsonNode all = done("glob", Map.of("pattern", "**"));
		assertThat(strings(all.get("paths"))).containsExactly(".gitignore", "README", "web/(shop)/[id].tsx");
		assertThat(all.get("skippedDirectories").asInt()).isEqualTo(2);
		assertThat(all.get("ignoredFiles").asInt()).isEqualTo(1);
		for (String named : List.of("out/app.js", "dist/*.js", "x.log", "web/(shop)/[id].tsx")) {
			assertThat(done("glob", Map.of("pattern", named)).get("paths")).as(named).hasSize(1);
		}
		assertThat(strings(done("glob", Map.of("pattern", "**/*.js", "includeIgnored", true)).get("paths")))
			.containsExactly("out/app.js");
	}

	@ParameterizedTest
	@ValueSource(strings = { "../*", "/etc/*", "" })
	void globsStayInTheWorkspace(String pattern) {
		refused(RefusalCode.BAD_REQUEST, "glob", Map.of("pattern", pattern));
	}

	@Test
	void aSearchTellsPathLineAndSurroundings() {
		write("src/a.txt", "one\ntwo needle\nthree\n");
		write("node_modules/a.txt", "needle");
		JsonNode found = done("search_files", Map.of("query", "needle", "context", 1));
		assertThat(found.get("matches")).hasSize(1);
		JsonNode match = found.get("matches").get(0);
		assertThat(match.get("path").asString()).isEqualTo("src/a.txt");
		assertThat(match.get("line").asInt()).isEqualTo(2);
		assertThat(strings(match.get("before"))).containsExactly("one");
		assertThat(strings(match.get("after"))).containsExactly("three");
		assertThat(found.get("scannedFiles").asInt()).isEqualTo(2);
		assertThat(found.get("skippedDirectories").asInt()).isEqualTo(1);
	}

	@Test
	void anIncludeThatRejectsEverythingIsHintedAt() {
		this.sandbox.session().files().remove("README");
		assertThat(done("search_files", Map.of("query", "x", "include", "*.ts")).has("hint")).isFalse();
		write("src/a.ts", "x");
		JsonNode none = done("search_files", Map.of("query", "x", "include", "*.ts"));
		assertThat(none.get("scannedFiles").asInt()).isZero();
		assertThat(none.get("hint").asString()).contains("rejected all 1 file");
		assertThat(done("search_files", Map.of("query", "x", "include", "**/*.ts")).get("matches")).hasSize(1);
	}

	@Test
	void expressionsAreLinearAndOthersAreRefused() {
		write("f", "1,2,3,".repeat(1300) + "\n" + "a".repeat(45) + "\n1 x\n");
		long before = System.nanoTime();
		JsonNode none = done("search_files", Map.of("query", "(.*,){12}P", "regex", true));
		assertThat(none.get("matches")).isEmpty();
		assertThat(none.has("skippedLines")).as("the line was searched").isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		for (String expression : List.of("((a+)b?)*\\2c", "(?=a)", "[", "a(")) {
			refused(RefusalCode.BAD_REQUEST, "search_files", Map.of("query", expression, "regex", true));
		}
		for (String expression : List.of("a{45}", "\\b1\\b", "(?i)A", "x|3")) {
			assertThat(done("search_files", Map.of("query", expression, "regex", true)).get("matches")).as(expression)
				.isNotEmpty();
		}
	}

	@Test
	void aQueryIsNoOption() {
		write("p.sh", "touch /tmp/pwn");
		assertThat(done("search_files", Map.of("query", "--pre=/workspace/p.sh")).get("matches")).isEmpty();
	}

	@Test
	void aMatchInALongLineIsShownInPart() {
		write("bundle.js", "x".repeat(100_000) + "needle" + "y".repeat(100_000));
		JsonNode match = done("search_files", Map.of("query", "needle")).get("matches").get(0);
		assertThat(match.get("text").asString()).contains("needle").hasSizeLessThan(600);
	}

	// ------------------------------------------------------------------------ commands

	@Test
	void commandsRunInTheWorkspace() {
		JsonNode ran = done("run_command", Map.of("command", "pwd; echo err >&2; exit 3"));
		assertThat(ran.get("stdout").asString()).isEqualTo("/workspace\n");
		assertThat(ran.get("stderr").asString()).isEqualTo("err\n");
		assertThat(ran.get("outcome").asString()).isEqualTo("exited");
		assertThat(ran.get("exitCode").asInt()).isEqualTo(3);
	}

	@Test
	void programsHaveAliasesAndTheirArgumentsAreNotReadByAShell() {
		this.tools = tools((builder) -> builder.shell(false).executable("say", "/bin/echo"));
		JsonNode ran = done("run_command", Map.of("executable", "say", "args", List.of("$(id)", "a b")));
		assertThat(ran.get("stdout").asString()).isEqualTo("$(id) a b\n");
		refused(RefusalCode.BAD_REQUEST, "run_command", Map.of("executable", "/bin/sh"));
		refused(RefusalCode.BAD_REQUEST, "run_command", Map.of("command", "id"));
	}

	@Test
	void limitsEndCommandsAndKeepWhatTheyPrinted() {
		ToolLimits limits = new ToolLimits(4096, 1000, 1000, 2, 100, 1000, 4000, 10, 10, 10, 10, Duration.ofMillis(700),
				Duration.ofMinutes(1));
		this.tools = tools((builder) -> builder.limits(limits).executable("sh", "/bin/sh"));
		JsonNode endless = done("run_command", Map.of("command", "yes"));
		assertThat(endless.get("outcome").asString()).isEqualTo("output-limit");
		assertThat(endless.get("stdout").asString()).hasSize(1000);
		JsonNode slow = done("run_command", Map.of("command", "echo first; sleep 300 & sleep 300"));
		assertThat(slow.get("outcome").asString()).isEqualTo("timeout");
		assertThat(slow.get("stdout").asString()).isEqualTo("first\n");
		refused(RefusalCode.BAD_REQUEST, "run_command", Map.of("command", "x".repeat(101)));
		refused(RefusalCode.BAD_REQUEST, "run_command", Map.of("executable", "sh", "args", List.of("a", "b", "c")));
	}

	@Test
	void aStopEndsTheCommandAndItsResultSaysSo() throws Exception {
		CompletableFuture<ToolResult> running = CompletableFuture
			.supplyAsync(() -> this.tools.call("run_command", json(Map.of("command", "touch started; sleep 60"))));
		Awaitility.await().until(() -> this.sandbox.session().files().exists("started"));
		this.sandbox.stop();
		JsonNode result = MAPPER.readTree(running.get().text());
		assertThat(result.get("signal").asString()).isEqualTo("SIGKILL");
		assertThat(result.get("outcome").asString()).isEqualTo("exited");
	}

	@Test
	void aFullSandboxIsSaidToBeBusy() {
		this.sandbox.delete();
		this.sandbox = this.sandboxes.sandbox(this.sandboxes
			.backend((builder) -> builder.sessionLimits(new SessionLimits(1, 1 << 20, 1 << 20, 1 << 20, 1000))));
		this.tools = tools((builder) -> builder);
		try (SandboxProcess running = this.sandbox.session().start(ExecSpec.of("sleep", "60"))) {
			refused(RefusalCode.SANDBOX_BUSY, "run_command", Map.of("command", "true"));
			running.cancel("done").join();
		}
	}

	@Test
	void theOrderOfAuthorizationsIsTheOrderOfCalls() {
		done("read_file", Map.of("path", "README"));
		done("write_file", Map.of("path", "n", "content", "n"));
		done("edit_file", Map.of("path", "n", "oldText", "n", "newText", "m"));
		done("run_command", Map.of("command", "true"));
		assertThat(this.requests).hasExactlyElementsOfTypes(ToolRequest.Read.class, ToolRequest.Write.class,
				ToolRequest.Edit.class, ToolRequest.Command.class);
	}

}
