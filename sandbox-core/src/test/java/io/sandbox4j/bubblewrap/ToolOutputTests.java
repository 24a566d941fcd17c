package io.sandbox4j.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.sandbox4j.SandboxHandle;
import io.sandbox4j.WorkspacePath;
import io.sandbox4j.tools.ArtifactStore;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.FileArtifactStore;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.SandboxTool;
import io.sandbox4j.tools.ToolLimits;
import io.sandbox4j.tools.ToolRequest;
import io.sandbox4j.tools.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Outputs of commands that are too long to be answered, over a real sandbox.
 */
class ToolOutputTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final String HEADERS = "--- stdout ---\n" + "\n--- stderr ---\n";

	private static final String UNKNOWN = "0".repeat(32);

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	@TempDir
	Path outputs;

	private final List<ToolRequest> requests = new CopyOnWriteArrayList<>();

	private volatile Predicate<ToolRequest> allowed = (request) -> true;

	private FileArtifactStore store;

	private SandboxHandle sandbox;

	private CodingTools tools;

	@BeforeEach
	void open() {
		this.store = FileArtifactStore.builder(this.outputs.resolve("kept")).build();
		this.sandbox = this.sandboxes.sandbox();
		this.tools = tools(this.sandbox, this.store, 8, 4096);
	}

	private CodingTools tools(SandboxHandle sandbox, ArtifactStore store, int outputBytes, int artifactBytes) {
		return CodingTools.builder(sandbox.session())
			.shell(true)
			.artifacts(store)
			.limits(new ToolLimits(4096, 64, 1000, 8, 65_536, outputBytes, artifactBytes, 10, 30, 10, 10,
					Duration.ofSeconds(30), Duration.ofMinutes(1)))
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

	private JsonNode run(String script) {
		return done("run_command", Map.of("command", script));
	}

	private String kept(String script) {
		return run(script).get("artifact").get("reference").asString();
	}

	private void refused(RefusalCode code, String tool, Map<String, ?> arguments) {
		refused(this.tools, code, tool, arguments);
	}

	private void refused(CodingTools tools, RefusalCode code, String tool, Map<String, ?> arguments) {
		ToolResult result = tools.call(tool, MAPPER.writeValueAsString(arguments));
		assertThat(result.refusal()).as(result.text()).isEqualTo(code);
		assertThat(result.text()).doesNotContain(this.outputs.toString());
	}

	// By the smallest steps, which must meet.
	private String readAll(String reference, int step) {
		StringBuilder text = new StringBuilder();
		JsonNode part;
		long offset = 0;
		do {
			part = done("read_output", Map.of("reference", reference, "offset", offset, "maxBytes", step));
			assertThat(part.get("offset").asLong()).isEqualTo(offset);
			assertThat(part.get("bytes").asInt()).isPositive();
			text.append(part.get("text").asString());
			offset += part.get("bytes").asInt();
		}
		while (part.get("truncated").asBoolean());
		assertThat(offset).isEqualTo(part.get("totalBytes").asLong());
		return text.toString();
	}

	@Test
	void withAStoreAndAShellThereIsEveryTool() {
		assertThat(this.tools.tools()).extracting(SandboxTool::name).containsExactlyElementsOf(CodingTools.NAMES);
	}

	@Test
	void aLongOutputIsShownInPartAndKeptWhole() {
		JsonNode ran = run("printf 0123456789abcdef");
		assertThat(ran.get("outcome").asString()).isEqualTo("exited");
		assertThat(ran.get("stdout").asString()).isEqualTo("0123cdef");
		JsonNode artifact = ran.get("artifact");
		assertThat(artifact.get("bytes").asInt()).isEqualTo(16 + HEADERS.length());
		assertThat(artifact.get("truncated").asBoolean()).isFalse();
		assertThat(artifact.get("headBytes").asInt()).isEqualTo(4);
		assertThat(artifact.get("tailBytes").asInt()).isEqualTo(4);
		assertThat(artifact.get("omittedBytes").asInt()).isEqualTo(8);
		assertThat(readAll(artifact.get("reference").asString(), 64))
			.isEqualTo("--- stdout ---\n0123456789abcdef\n--- stderr ---\n");
	}

	@Test
	void anOutputThatFitsIsNotKept() {
		JsonNode ran = run("printf 1234; printf 5678 >&2");
		assertThat(ran.get("stdout").asString()).isEqualTo("1234");
		assertThat(ran.get("stderr").asString()).isEqualTo("5678");
		assertThat(ran.has("artifact")).isFalse();
		assertThat(run("printf 1234; printf 56789 >&2").has("artifact")).isTrue();
	}

	@Test
	void eachStreamGetsHalfOfThePreview() {
		JsonNode ran = run("printf 0123456789; printf abcdefghij >&2; exit 3");
		assertThat(ran.get("exitCode").asInt()).isEqualTo(3);
		assertThat(ran.get("stdout").asString()).isEqualTo("0189");
		assertThat(ran.get("stderr").asString()).isEqualTo("abij");
		assertThat(ran.get("artifact").get("headBytes").asInt()).isEqualTo(4);
		assertThat(ran.get("artifact").get("omittedBytes").asInt()).isEqualTo(12);
		assertThat(readAll(ran.get("artifact").get("reference").asString(), 64))
			.isEqualTo("--- stdout ---\n0123456789\n--- stderr ---\nabcdefghij");
	}

	@Test
	void previewsAndPartsSplitNoCharacter() {
		JsonNode ran = run("printf 'a\u20ac\u20ac\u20ac\u20ac\u20acz'");
		assertThat(ran.get("stdout").asString()).isEqualTo("a\u20ac\u20acz");
		String reference = ran.get("artifact").get("reference").asString();
		assertThat(readAll(reference, 1)).contains("a\u20ac\u20ac\u20ac\u20ac\u20acz").doesNotContain("\ufffd");
		assertThat(readAll(reference, 5)).isEqualTo(readAll(reference, 64));
		JsonNode inside = done("read_output", Map.of("reference", reference, "offset", 17, "maxBytes", 4));
		assertThat(inside.get("offset").asInt()).isEqualTo(19);
		assertThat(inside.get("text").asString()).isEqualTo("\u20ac");
		assertThat(inside.get("nextOffset").asInt()).isEqualTo(22);
	}

	@Test
	void bytesThatAreNoTextCanBeRead() {
		String reference = kept("printf 'aaaa\\377\\200\\000bbbbbbbb'");
		assertThat(readAll(reference, 3)).contains("aaaa\ufffd\ufffd\0bbbbbbbb");
	}

	@Test
	void anOutputBeyondTheBoundEndsTheCommandAndItsStartIsKept() {
		JsonNode ran = run("yes 0123456");
		assertThat(ran.get("outcome").asString()).isEqualTo("output-limit");
		assertThat(ran.get("artifact").get("truncated").asBoolean()).isTrue();
		assertThat(ran.get("artifact").get("bytes").asInt()).isEqualTo(4096);
		assertThat(ran.get("omittedBytes").asLong()).isPositive();
	}

	@Test
	void anOffsetIsWithinTheOutput() {
		String reference = kept("printf 0123456789");
		int total = 10 + HEADERS.length();
		JsonNode end = done("read_output", Map.of("reference", reference, "offset", total));
		assertThat(end.get("text").asString()).isEmpty();
		assertThat(end.get("truncated").asBoolean()).isFalse();
		refused(RefusalCode.BAD_REQUEST, "read_output", Map.of("reference", reference, "offset", total + 1));
		refused(RefusalCode.BAD_REQUEST, "read_output", Map.of("reference", reference, "offset", Long.MAX_VALUE));
		refused(RefusalCode.BAD_REQUEST, "read_output", Map.of("reference", reference, "offset", -1));
		refused(RefusalCode.BAD_REQUEST, "read_output", Map.of("reference", reference, "maxBytes", 65));
	}

	@Test
	void aSearchFindsLinesAndSaysWhetherThereAreMore() {
		String reference = kept("seq 1 100");
		JsonNode some = done("search_output", Map.of("reference", reference, "query", "7"));
		assertThat(some.get("matches").size()).isEqualTo(19);
		assertThat(some.get("matches").get(0).get("line").asInt()).isEqualTo(8);
		assertThat(some.get("matches").get(0).get("text").asString()).isEqualTo("7");
		assertThat(some.get("truncated").asBoolean()).isFalse();
		JsonNode all = done("search_output", Map.of("reference", reference, "query", "^[0-9]+$", "regex", true));
		assertThat(all.get("matches").size()).isEqualTo(20);
		assertThat(all.get("truncated").asBoolean()).isTrue();
		JsonNode literal = done("search_output", Map.of("reference", reference, "query", "^[0-9]+$"));
		assertThat(literal.get("matches").size()).isZero();
	}

	@Test
	void aSearchIsBounded() {
		String reference = kept("seq 1 100");
		refused(RefusalCode.BAD_REQUEST, "search_output",
				Map.of("reference", reference, "query", "1", "maxMatches", 31));
		refused(RefusalCode.BAD_REQUEST, "search_output", Map.of("reference", reference, "query", ""));
		refused(RefusalCode.BAD_REQUEST, "search_output",
				Map.of("reference", reference, "query", "(?=x)", "regex", true));
	}

	@Test
	void expressionsSkipLongLinesAndTextsDoNot() {
		this.tools = tools(this.sandbox, this.store, 8, 1 << 20);
		String reference = kept("head -c 100000 /dev/zero | tr '\\0' a; echo needle");
		JsonNode literal = done("search_output", Map.of("reference", reference, "query", "needle"));
		assertThat(literal.get("matches").get(0).get("text").asString()).contains("needle").hasSizeLessThan(600);
		JsonNode regex = done("search_output", Map.of("reference", reference, "query", "needle", "regex", true));
		assertThat(regex.get("matches").size()).isZero();
		assertThat(regex.get("skippedLines").asInt()).isOne();
	}

	@Test
	void aReferenceOfAnotherSessionIsUnknownAsAnyOther() {
		String reference = kept("printf 0123456789");
		CodingTools others = tools(this.sandboxes.sandbox(), this.store, 8, 4096);
		int asked = this.requests.size();
		for (String unknown : List.of(reference, UNKNOWN, "", "../" + reference, "x\u0000", reference.toUpperCase())) {
			refused(others, RefusalCode.SPILL_REFERENCE_UNKNOWN, "read_output", Map.of("reference", unknown));
			refused(others, RefusalCode.SPILL_REFERENCE_UNKNOWN, "search_output",
					Map.of("reference", unknown, "query", "0"));
		}
		String foreign = others.call("read_output", "{\"reference\": \"" + reference + "\"}").text();
		assertThat(foreign).isEqualTo(others.call("read_output", "{\"reference\": \"" + UNKNOWN + "\"}").text());
		assertThat(this.requests).hasSize(asked);
	}

	@Test
	void whatNoCommandPrintedIsUnknown() {
		for (String content : List.of("", "no command", "{}\n", "[1]\ntext",
				"{\"executable\":1,\"args\":[],\"cwd\":\".\"}\n",
				"{\"executable\":\"shell\",\"args\":[],\"cwd\":\"../x\"}\n")) {
			String reference = this.store.put(this.sandbox.session().id(), content.getBytes(StandardCharsets.UTF_8));
			refused(RefusalCode.SPILL_REFERENCE_UNKNOWN, "read_output", Map.of("reference", reference));
		}
	}

	@Test
	void otherToolsOfTheSessionReadWhatTheFirstKept() {
		String script = "printf 0123456789 # " + "\u20ac".repeat(3000);
		String reference = kept(script);
		this.tools = tools(this.sandbox, FileArtifactStore.builder(this.outputs.resolve("kept")).build(), 8, 4096);
		assertThat(readAll(reference, 64)).contains("\n0123456789\n");
		assertThat(this.requests).endsWith(new ToolRequest.Command("shell", List.of(script), WorkspacePath.parse(".")));
	}

	@Test
	void readingIsAuthorizedAndSoIsTheCommandAgain() {
		String reference = kept("printf 0123456789");
		this.requests.clear();
		done("read_output", Map.of("reference", reference, "offset", 3, "maxBytes", 9));
		done("search_output", Map.of("reference", reference, "query", "0", "maxMatches", 2));
		ToolRequest command = new ToolRequest.Command("shell", List.of("printf 0123456789"), WorkspacePath.parse("."));
		assertThat(this.requests).containsExactly(new ToolRequest.ArtifactRead(reference, 3, 9), command,
				new ToolRequest.ArtifactSearch(reference, "0", 2), command);
		this.allowed = (request) -> !(request instanceof ToolRequest.ArtifactRead);
		refused(RefusalCode.FORBIDDEN, "read_output", Map.of("reference", reference));
		this.allowed = (request) -> !(request instanceof ToolRequest.Command);
		refused(RefusalCode.FORBIDDEN, "read_output", Map.of("reference", reference));
		refused(RefusalCode.FORBIDDEN, "search_output", Map.of("reference", reference, "query", "0"));
	}

	@Test
	void aStoreThatFailsLeavesTheResultOfTheCommand() {
		this.store.close();
		JsonNode ran = run("printf 0123456789abcdef; exit 4");
		assertThat(ran.get("exitCode").asInt()).isEqualTo(4);
		assertThat(ran.get("stdout").asString()).isEqualTo("0123cdef");
		assertThat(ran.has("artifact")).isFalse();
		assertThat(ran.get("notKept").asString()).contains("not kept", "8 bytes");
		refused(RefusalCode.INTERNAL_SERVER_ERROR, "read_output", Map.of("reference", UNKNOWN));
	}

	@Test
	void anOutputBeyondTheQuotaOfTheSessionIsNotKept() {
		FileArtifactStore small = FileArtifactStore.builder(this.outputs.resolve("small")).quotaBytes(100).build();
		this.tools = tools(this.sandbox, small, 8, 4096);
		assertThat(run("seq 1 100").get("notKept").asString()).contains("not kept");
	}

	@Test
	void anOutputThatIsGoneIsUnknown() {
		String reference = kept("printf 0123456789");
		this.store.removeSession(this.sandbox.session().id());
		refused(RefusalCode.SPILL_REFERENCE_UNKNOWN, "read_output", Map.of("reference", reference));
	}

	@Test
	void commandsSeeNoOutputs() {
		String reference = kept("printf 0123456789");
		JsonNode found = run("find / -name '*" + reference.substring(0, 8) + "*' 2>/dev/null; ls "
				+ this.outputs.resolve("kept") + " 2>/dev/null | head -1");
		assertThat(found.get("stdout").asString()).isEmpty();
	}

	@Test
	void outputsAreOfferedOnlyIfTheyAreKept() {
		assertThat(this.tools.tools()).extracting(SandboxTool::name).endsWith("read_output", "search_output");
		assertThat(this.tools.tools()).allSatisfy((tool) -> assertThat(tool.description()).hasSizeBetween(40, 700));
		this.tools = CodingTools.builder(this.sandbox.session()).shell(true).authorize((request) -> true).build();
		assertThat(this.tools.tools()).extracting(SandboxTool::name).doesNotContain("read_output", "search_output");
		JsonNode ran = run("seq 1 100000");
		assertThat(ran.get("outcome").asString()).isEqualTo("output-limit");
		assertThat(ran.has("artifact")).isFalse();
	}

}
