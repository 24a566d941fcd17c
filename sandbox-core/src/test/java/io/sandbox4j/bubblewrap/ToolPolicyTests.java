package io.sandbox4j.bubblewrap;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.sandbox4j.ErrorCode;
import io.sandbox4j.SandboxException;
import io.sandbox4j.SandboxHandle;
import io.sandbox4j.tools.CodingTools;
import io.sandbox4j.tools.PathAuthorization;
import io.sandbox4j.tools.RefusalCode;
import io.sandbox4j.tools.SandboxTool;
import io.sandbox4j.tools.ToolAuthorization;
import io.sandbox4j.tools.ToolRefusedException;
import io.sandbox4j.tools.ToolRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The policies of the coding tools that need no code, over a real sandbox.
 */
class ToolPolicyTests {

	@RegisterExtension
	final BackendExtension sandboxes = new BackendExtension();

	private SandboxHandle sandbox;

	@BeforeEach
	void open() {
		this.sandbox = this.sandboxes.sandbox();
	}

	private CodingTools tools(UnaryOperator<CodingTools.Builder> customizer) {
		return customizer
			.apply(CodingTools.builder(this.sandbox.session())
				.shell(true)
				.executable("say", "/bin/echo")
				.authorize((request) -> true))
			.build();
	}

	private static List<String> names(CodingTools tools) {
		return tools.tools().stream().map(SandboxTool::name).toList();
	}

	private void write(String path, String content) {
		this.sandbox.session().files().writeText(path, content);
	}

	private boolean exists(String path) {
		return this.sandbox.session().files().exists(path);
	}

	@Test
	void noToolReachesWhatGlobsDeny() {
		write("credentials/deep/key", "needle");
		write("credentials-backup/key", "needle");
		write("app/.env", "needle");
		CodingTools tools = tools(
				(builder) -> builder.authorizePath(PathAuthorization.denying(List.of("credentials/**", "**/.env"))));
		for (String path : List.of("credentials/deep/key", "app/.env", "credentials/none", "app/.env/none")) {
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "read_file", Map.of("path", path));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "write_file",
					Map.of("path", path, "content", "x", "overwrite", true));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "append_file", Map.of("path", path, "content", "x"));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "edit_file",
					Map.of("path", path, "oldText", "needle", "newText", "x"));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "move_path", Map.of("path", path, "target", "taken"));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "move_path", Map.of("path", "README", "target", path));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "remove_path", Map.of("path", path, "recursive", true));
			ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "list_directory", Map.of("path", path));
		}
		JsonNode found = ToolAnswers.done(tools, "search_files", Map.of("query", "needle"));
		assertThat(found.get("matches").values()).extracting((match) -> match.get("path").asString())
			.containsExactly("credentials-backup/key");
		assertThat(found.get("denied").values()).extracting(JsonNode::asString)
			.containsExactlyInAnyOrder("credentials/", "app/.env");
		ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "run_command",
				Map.of("command", "true", "cwd", "credentials/deep"));
	}

	@Test
	void aDirectoryWithSomethingDeniedStaysVisibleAndInPlace() {
		write("app/.env", "secret");
		write("app/main", "x");
		CodingTools tools = tools((builder) -> builder.authorizePath(PathAuthorization.denying(List.of("**/.env"))));
		JsonNode listed = ToolAnswers.done(tools, "list_directory", Map.of("path", "app"));
		assertThat(listed.get("entries").values()).extracting((entry) -> entry.get("name").asString())
			.containsExactly("main");
		ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "move_path", Map.of("path", "app", "target", "b"));
		ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "remove_path", Map.of("path", "app", "recursive", true));
		assertThat(exists("app/.env")).isTrue();
	}

	@Test
	void aMoveBringsNothingToADeniedName() {
		write("a/keys/x", "x");
		CodingTools tools = tools((builder) -> builder.authorizePath(PathAuthorization.denying(List.of("held/keys"))));
		ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "move_path", Map.of("path", "a", "target", "held"));
		assertThat(exists("a/keys/x")).isTrue();
	}

	@Test
	void readOnlyToolsAreThoseWithoutEffects() {
		CodingTools tools = tools((builder) -> builder.readOnly(true));
		assertThat(names(tools)).containsExactly("read_file", "list_directory", "glob", "search_files");
		ToolAnswers.refused(RefusalCode.NOT_FOUND, tools, "run_command", Map.of("command", "touch made"));
		ToolAnswers.refused(RefusalCode.NOT_FOUND, tools, "write_file", Map.of("path", "made", "content", "x"));
		assertThat(exists("made")).isFalse();
		ToolAnswers.done(tools, "read_file", Map.of("path", "README"));
		ToolAnswers.done(tools, "list_directory", Map.of());
		ToolAnswers.done(tools, "glob", Map.of("pattern", "**"));
		ToolAnswers.done(tools, "search_files", Map.of("query", "x"));
	}

	@Test
	void readOnlyAllowsNothingByItself() {
		CodingTools tools = CodingTools.builder(this.sandbox.session()).readOnly(true).build();
		ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "read_file", Map.of("path", "README"));
	}

	@Test
	void aReadOnlyAuthorizationTellsTheModelSo() {
		CodingTools tools = tools((builder) -> builder.authorize(ToolAuthorization.readOnly()));
		for (JsonNode error : List.of(
				ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "run_command", Map.of("command", "touch README2")),
				ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "write_file", Map.of("path", "n", "content", "x")),
				ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "append_file",
						Map.of("path", "README", "content", "x")),
				ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "edit_file",
						Map.of("path", "README", "oldText", "hello", "newText", "x")),
				ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "move_path", Map.of("path", "README", "target", "n")),
				ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "remove_path", Map.of("path", "README")))) {
			assertThat(error.get("message").asString()).contains("read-only");
		}
		JsonNode dry = ToolAnswers.done(tools, "edit_file",
				Map.of("path", "README", "oldText", "hello", "newText", "x", "dryRun", true));
		assertThat(dry.get("applied").asBoolean()).isFalse();
		assertThat(ToolAnswers.done(tools, "read_file", Map.of("path", "README")).get("text").asString())
			.isEqualTo("hello\n");
		assertThat(this.sandbox.session().files().list(".")).hasSize(1);
	}

	@Test
	void anAuthorizationCanSayWhyItRefuses() {
		ToolAuthorization quiet = (request) -> {
			throw new ToolRefusedException(RefusalCode.FORBIDDEN, "No work on Sundays.", "Come back tomorrow.");
		};
		CodingTools tools = tools((builder) -> builder.authorize(((ToolAuthorization) (request) -> true).and(quiet)));
		JsonNode error = ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "read_file", Map.of("path", "README"));
		assertThat(error.get("message").asString()).isEqualTo("No work on Sundays.");
		assertThat(error.get("hint").asString()).isEqualTo("Come back tomorrow.");
	}

	@Test
	void theSecondDecisionIsNotAskedForWhatTheFirstRefuses() {
		ToolAuthorization never = (request) -> {
			throw new AssertionError("asked for " + request);
		};
		CodingTools tools = tools((builder) -> builder.authorize(((ToolAuthorization) (request) -> false).and(never)));
		ToolAnswers.refused(RefusalCode.FORBIDDEN, tools, "read_file", Map.of("path", "README"));
	}

	@Test
	void onlyNamedToolsAreOffered() {
		CodingTools tools = tools((builder) -> builder.offer(List.of("run_command", "read_file")));
		assertThat(names(tools)).containsExactly("read_file", "run_command");
		ToolAnswers.refused(RefusalCode.NOT_FOUND, tools, "remove_path", Map.of("path", "README"));
		assertThat(exists("README")).isTrue();
		assertThat(names(tools((builder) -> builder.offer(List.of())))).isEmpty();
	}

	@Test
	void aNameDoesNotBringBackWhatIsNotThere() {
		assertThat(names(tools((builder) -> builder.readOnly(true).offer(List.of("glob", "write_file")))))
			.containsExactly("glob");
		CodingTools tools = CodingTools.builder(this.sandbox.session())
			.offer(List.of("run_command", "glob"))
			.authorize((request) -> true)
			.build();
		assertThat(names(tools)).containsExactly("glob");
	}

	@Test
	void anUnknownToolIsRefusedWithThoseThereAre() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> tools((builder) -> builder.offer(List.of("read_file", "Read_File", "cat"))))
			.withMessageContaining("[Read_File, cat]")
			.withMessageContaining("search_files")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(ErrorCode.SANDBOX_INVALID));
	}

	@Test
	void onlyNamedProgramsRun() {
		CodingTools tools = tools((builder) -> builder.executable("list", "/bin/ls").allowExecutables(List.of("say")));
		ToolAnswers.done(tools, "run_command", Map.of("executable", "say", "args", List.of("hi")));
		ToolAnswers.refused(RefusalCode.BAD_REQUEST, tools, "run_command", Map.of("executable", "list"));
		ToolAnswers.refused(RefusalCode.BAD_REQUEST, tools, "run_command", Map.of("command", "echo hi"));
		assertThat(tools.tools()).filteredOn((tool) -> tool.name().equals("run_command"))
			.singleElement()
			.satisfies((tool) -> assertThat(tool.inputSchema()).contains("say").doesNotContain("list"));
	}

	@Test
	void theShellIsOneOfThePrograms() {
		CodingTools tools = tools((builder) -> builder.allowExecutables(List.of("shell")));
		ToolAnswers.done(tools, "run_command", Map.of("command", "true"));
		ToolAnswers.refused(RefusalCode.BAD_REQUEST, tools, "run_command", Map.of("executable", "say"));
		assertThat(names(tools((builder) -> builder.allowExecutables(List.of())))).doesNotContain("run_command");
	}

	@Test
	void anUnknownProgramIsRefusedWithThoseThereAre() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> tools((builder) -> builder.shell(false).allowExecutables(List.of("say", "shell", "git"))))
			.withMessageContaining("[shell, git]")
			.withMessageContaining("[say]");
	}

	@Test
	void aRequestKnowsWhetherItHasAnEffect() {
		CodingTools tools = tools((builder) -> builder.authorize((request) -> {
			assertThat(request.hasEffect())
				.isEqualTo(!(request instanceof ToolRequest.Read || request instanceof ToolRequest.Find));
			return true;
		}));
		ToolAnswers.done(tools, "read_file", Map.of("path", "README"));
		ToolAnswers.done(tools, "glob", Map.of("pattern", "**"));
		ToolAnswers.done(tools, "write_file", Map.of("path", "n", "content", "x"));
		ToolAnswers.done(tools, "run_command", Map.of("command", "true"));
	}

}
