package io.sandbox4j.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxFiles;
import io.sandbox4j.autoconfigure.PassableTempDirFactory;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.test.ai.ReplayCall;
import io.sandbox4j.test.ai.ReplayChatModel;
import io.sandbox4j.tools.PendingApproval;
import io.sandbox4j.tools.ToolApprovals;
import io.sandbox4j.tools.ToolRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the tools in a chat, with real sandboxes.
 */
@Tag("isolation")
class SandboxToolsIntegrationTests {

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	private ApplicationContextRunner contextRunner;

	@BeforeAll
	static void needsBubblewrap() {
		assumeTrue(
				Files.isExecutable(Path.of("/usr/bin/bwrap")) || Boolean.getBoolean("sandbox.test.require-bubblewrap"),
				"bubblewrap is not installed");
	}

	@BeforeEach
	void prepare() {
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
							SandboxToolsAutoConfiguration.class, SandboxMcpToolsAutoConfiguration.class))
			.withPropertyValues("sandbox.state-directory=" + this.directory.resolve("state"),
					"sandbox.runtime-directory=" + this.directory.resolve("run"),
					"sandbox.templates.greeting.files[greet.sh]=echo helo", "sandbox.tools.template=greeting",
					"sandbox.tools.executables.sh=/bin/sh");
	}

	@AfterEach
	void nothingIsLeft() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory.resolve("state"), 3)) {
			assertThat(files.filter((file) -> file.getParent().endsWith("sessions"))).isEmpty();
		}
	}

	@Test
	void aChatRepairsAProgramAndRunsIt() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall.of("run_command", Map.of("executable", "sh", "args", List.of("greet.sh")))
				.expecting("helo\\n"))
			.turn(ReplayCall.of("read_file", Map.of("path", "greet.sh")).expecting("echo helo"))
			.turn(ReplayCall.of("edit_file",
					Map.of("path", "greet.sh", "oldText", "helo", "newText", "hello", "expectedSha256", "${2.sha256}")))
			.turn(ReplayCall.of("run_command", Map.of("executable", "sh", "args", List.of("greet.sh")))
				.expecting("hello\\n"))
			.turn(ReplayCall.of("write_file", Map.of("path", "NOTES.md", "content", "One l was missing.")))
			.turn("Done.")
			.build();
		this.contextRunner.run((context) -> {
			assertThat(chat(context, model, "alice")).isEqualTo("Done.");
			assertThat(context.getBean(SandboxBackend.class).handles()).singleElement()
				.satisfies((handle) -> assertThat(handle.session().files().readText("NOTES.md"))
					.isEqualTo("One l was missing."));
		});
	}

	@Test
	void conversationsAtOnceNeverSeeEachOthersFiles() {
		this.contextRunner.run((context) -> {
			List<CompletableFuture<String>> chats = IntStream.range(0, 4)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> chat(context, ownFileOnly(i), "user-" + i)))
				.toList();
			assertThat(chats).allSatisfy((chat) -> assertThat(chat.join()).isEqualTo("Done."));
			assertThat(context.getBean(SandboxBackend.class).handles()).hasSize(4);
		});
	}

	@Test
	@Timeout(60)
	void aCommandRunsOnceItsOwnerApprovedAndNotBefore() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall
				.of("run_command", Map.of("executable", "sh", "args", List.of("-c", "echo ran >> log; cat log")))
				.expecting("\"ran\\n\""))
			.turn("Done.")
			.build();
		this.contextRunner.withPropertyValues("sandbox.tools.approvals.enabled=true").run((context) -> {
			ToolApprovals approvals = context.getBean(ToolApprovals.class);
			CompletableFuture<String> chat = CompletableFuture.supplyAsync(() -> chat(context, model, "alice"));
			Awaitility.await().until(() -> chat.isDone() || !approvals.pending("alice").isEmpty());
			PendingApproval call = approvals.pending("alice").get(0);
			SandboxFiles files = context.getBean(SandboxBackend.class).handles().get(0).session().files();
			assertThat(call.request()).isInstanceOfSatisfying(ToolRequest.Command.class,
					(command) -> assertThat(command.args()).contains("echo ran >> log; cat log"));
			assertThat(files.exists("log")).isFalse();
			assertThat(approvals.approve(call.id(), "mallory")).isFalse();
			assertThat(approvals.pending("mallory")).isEmpty();
			assertThat(files.exists("log")).isFalse();
			assertThat(chat).isNotDone();
			assertThat(approvals.approve(call.id(), "alice")).isTrue();
			assertThat(chat.join()).isEqualTo("Done.");
			assertThat(approvals.approve(call.id(), "alice")).isFalse();
			assertThat(files.readText("log")).isEqualTo("ran\n");
		});
	}

	private static ReplayChatModel ownFileOnly(int i) {
		return ReplayChatModel.builder()
			.turn(ReplayCall.of("write_file", Map.of("path", "of-" + i, "content", "mine")))
			.turn(ReplayCall.of("run_command", Map.of("executable", "sh", "args", List.of("-c", "echo of-*")))
				.expecting("\"of-" + i + "\\n\""))
			.turn("Done.")
			.build();
	}

	private static String chat(BeanFactory context, ReplayChatModel model, String key) {
		return ChatClient.create(model)
			.prompt("Fix it")
			.tools(context.getBean(SandboxToolCallbackProvider.class))
			.toolContext(Map.of(SandboxKeyResolver.CONTEXT_KEY, key))
			.call()
			.content();
	}

}
