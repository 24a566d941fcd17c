package io.sandbox4j.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.test.ai.ReplayCall;
import io.sandbox4j.test.ai.ReplayChatModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link Agent} over HTTP, with real tools in real sandboxes.
 */
class AgentTests {

	private static final String REPAIR = "+            merged[-1] = (merged[-1][0], max(merged[-1][1], end))";

	@TempDir
	private Path directory;

	private ConfigurableApplicationContext context;

	@BeforeAll
	static void needsBubblewrap() {
		assumeTrue(
				Boolean.getBoolean("sandbox.test.require-bubblewrap") || Files.isExecutable(Path.of("/usr/bin/bwrap")),
				"bubblewrap is not installed");
	}

	@AfterEach
	void nothingIsLeft() throws IOException {
		assertThat(this.context.getBean(SandboxBackend.class).sessions()).isEmpty();
		this.context.close();
		try (Stream<Path> files = Files.walk(this.directory.resolve("state"), 3)) {
			assertThat(files.filter((file) -> file.getParent().endsWith("sessions"))).isEmpty();
		}
		assertThat(ProcessHandle.current().descendants().map((process) -> process.info().command().orElse("")))
			.noneMatch((command) -> command.endsWith("bwrap"));
	}

	@Test
	void theScriptRepairsTheProject() throws IOException {
		start(null);
		AgentReport report = report("A test fails. Repair the project.");
		assertThat(report.model()).isEqualTo("replay");
		assertThat(report.answer()).contains("all tests pass");
		assertThat(report.diff()).startsWith("diff --git a/intervals.py b/intervals.py\n")
			.contains(REPAIR)
			.doesNotContain("test_intervals.py", "__pycache__");
		List<AgentReport.Call> tests = report.calls()
			.stream()
			.filter((call) -> call.arguments().contains("unittest"))
			.toList();
		assertThat(tests).extracting(AgentReport.Call::result)
			.satisfiesExactly((before) -> assertThat(before).contains("\"exitCode\":1", "FAILED (failures=1)"),
					(after) -> assertThat(after).contains("\"exitCode\":0", "Ran 7 tests", "\\nOK\\n"));
	}

	@Test
	void theScriptRecoversFromARefusal() throws IOException {
		start(null);
		AgentReport report = report("A test fails. Repair the project.");
		List<AgentReport.Call> refused = report.calls().stream().filter((call) -> call.refusal() != null).toList();
		assertThat(refused).hasSize(1).first().satisfies((call) -> {
			assertThat(call.arguments()).contains("../../etc/passwd");
			assertThat(call.result()).doesNotContain("root:", this.directory.toString());
		});
		assertThat(report.calls().indexOf(refused.get(0))).isLessThan(report.calls().size() - 1);
	}

	@Test
	void eachTaskStartsWithTheFilesOfTheTemplate() throws IOException {
		start(null);
		assertThat(report("First.").diff()).isEqualTo(report("Second.").diff());
	}

	@Test
	void aScriptThatDoesNotFitIsAnErrorAndDeletesTheSandbox() throws IOException {
		start(ReplayChatModel.builder()
			.turn(ReplayCall.of("read_file", Map.of("path", "intervals.py")).expecting("no such text"))
			.turn("Done.")
			.build());
		ProblemDetail problem = problem("Repair it.", HttpStatus.BAD_GATEWAY);
		assertThat(problem.getDetail()).startsWith("Turn 1, tool 'read_file': expected").contains("no such text");
	}

	@Test
	void whatAProviderSaysOfItsFailureIsNotAnswered() throws IOException {
		start((prompt) -> {
			throw new IllegalStateException("key-of-the-account");
		});
		ProblemDetail problem = problem("Repair it.", HttpStatus.BAD_GATEWAY);
		assertThat(problem.getDetail()).contains("The model failed").doesNotContain("key-of-the-account");
	}

	@Test
	void aModelThatIsABeanIsUsedAndGetsTheTask() throws IOException {
		List<String> heard = new ArrayList<>();
		start((prompt) -> {
			heard.add(prompt.getUserMessage().getText());
			return new ChatResponse(List.of(new Generation(new AssistantMessage("Nothing to do."))),
					ChatResponseMetadata.builder().model("stub").build());
		});
		AgentReport report = report("Do {nothing}, \"please\".");
		assertThat(report).isEqualTo(new AgentReport("stub", "Nothing to do.", List.of(), ""));
		assertThat(heard).containsExactly("Do {nothing}, \"please\".");
	}

	@Test
	void whatIsCommittedOrNewIsInTheDiff() throws IOException {
		start(ReplayChatModel.builder()
			.turn(ReplayCall.of("run_command", Map.of("command",
					"echo 1 > new && git add new && git -c user.name=a -c user.email=a@b commit -qm x && echo 2 > newer"))
				.expecting("\"exitCode\":0"))
			.turn("Done.")
			.build());
		assertThat(report("Add files.").diff()).contains("+++ b/new\n", "+++ b/newer\n");
	}

	@Test
	void aRepositoryThatIsGoneIsAnErrorAndDeletesTheSandbox() throws IOException {
		start(ReplayChatModel.builder()
			.turn(ReplayCall.of("run_command", Map.of("command", "rm -rf .git")).expecting("\"exitCode\":0"))
			.turn("Done.")
			.build());
		ProblemDetail problem = problem("Tidy up.", HttpStatus.BAD_GATEWAY);
		assertThat(problem.getDetail()).startsWith("There is no Git repository")
			.doesNotContain(this.directory.toString());
	}

	@Test
	void aTaskIsNeeded() throws IOException {
		start(null);
		problem(" ", HttpStatus.BAD_REQUEST);
	}

	private void start(ChatModel model) throws IOException {
		// The guest of root is another user, who must get through to its workspace.
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwx--x--x"));
		SpringApplication application = new SpringApplication(SampleApplication.class);
		if (model != null) {
			application.addInitializers((context) -> ((GenericApplicationContext) context).registerBean("model",
					ChatModel.class, () -> model));
		}
		this.context = application.run("--server.port=0", "--server.shutdown=immediate",
				"--sandbox.state-directory=" + this.directory.resolve("state"),
				"--sandbox.runtime-directory=" + this.directory.resolve("run"));
	}

	private AgentReport report(String task) {
		return Objects.requireNonNull(
				post(task).expectStatus().isOk().expectBody(AgentReport.class).returnResult().getResponseBody());
	}

	private ProblemDetail problem(String task, HttpStatus status) {
		return Objects.requireNonNull(post(task).expectStatus()
			.isEqualTo(status)
			.expectBody(ProblemDetail.class)
			.returnResult()
			.getResponseBody());
	}

	private ResponseSpec post(String task) {
		return RestTestClient.bindToServer()
			.baseUrl("http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port"))
			.build()
			.post()
			.uri("/agents")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("task", task))
			.exchange();
	}

}
