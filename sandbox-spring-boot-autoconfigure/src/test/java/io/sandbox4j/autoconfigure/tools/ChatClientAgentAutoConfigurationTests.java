package io.sandbox4j.autoconfigure.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.SandboxBackend;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.autoconfigure.PassableTempDirFactory;
import io.sandbox4j.autoconfigure.SandboxAutoConfiguration;
import io.sandbox4j.autoconfigure.SandboxGatewayAutoConfiguration;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.UnansweredReason;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.ai.ReplayCall;
import io.sandbox4j.test.ai.ReplayChatModel;
import io.sandbox4j.tools.ToolApprovals;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the builder of agents that an application injects.
 */
@Timeout(60)
class ChatClientAgentAutoConfigurationTests {

	@TempDir(factory = PassableTempDirFactory.class)
	private Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxGatewayAutoConfiguration.class,
				SandboxToolsAutoConfiguration.class));

	private ApplicationContextRunner fake() {
		return this.contextRunner.withBean(FakeSandboxBackend.class, FakeSandboxBackend::new)
			.withPropertyValues("sandbox.probe-at-start=false", "sandbox.tools.required-restrictions=");
	}

	private static SandboxRuns runs(BeanFactory context, ReplayChatModel model) {
		SandboxBackend backend = context.getBean(SandboxBackend.class);
		ChatClientAgent agent = context.getBean(ChatClientAgent.Builder.class).build(ChatClient.create(model));
		return SandboxRuns
			.builder(backend, backend.prewarm(SandboxTemplate.named("agent").build()), RunStore.inMemory(), agent)
			.network(NetworkPolicy.denyAll())
			.drainTimeout(Duration.ZERO)
			.build();
	}

	private static DurableSandbox submitted(SandboxRuns runs) {
		DurableSandbox sandbox = runs.sandbox("s");
		sandbox.createRun(RunSpec.of("r"));
		sandbox.submit("r", "1", "Go");
		return sandbox;
	}

	private static OperationRecord settled(DurableSandbox sandbox) {
		OperationRecord record = sandbox.poll("r", "1", Duration.ofSeconds(30), 0).operation();
		assertThat(record.isSettled()).as(record.toString()).isTrue();
		return record;
	}

	private static ReplayChatModel writes(String expected) {
		return ReplayChatModel.builder()
			.turn(ReplayCall.of("write_file", Map.of("path", "a.txt", "content", "b")).expecting(expected))
			.turn("Done.")
			.build();
	}

	@Test
	void toolsAreThoseOfThePropertiesAndEachOneGetsABuilder() {
		fake().withPropertyValues("sandbox.tools.denied-paths=a.txt").run((context) -> {
			assertThat(context.getBean(ChatClientAgent.Builder.class))
				.isNotSameAs(context.getBean(ChatClientAgent.Builder.class));
			try (SandboxRuns runs = runs(context, writes("FORBIDDEN"))) {
				assertThat(settled(submitted(runs)).answer()).isEqualTo("Done.");
			}
		});
	}

	@Test
	void callsWaitForTheApprovalOfTheirOwner() {
		fake().withPropertyValues("sandbox.tools.approvals.enabled=true")
			.withBean(ToolCallOwnerResolver.class,
					() -> (key, context) -> key + "/" + context.getContext().get(ChatClientAgent.RUN_CONTEXT_KEY))
			.run((context) -> {
				ToolApprovals approvals = context.getBean(ToolApprovals.class);
				try (SandboxRuns runs = runs(context, writes("sha256"))) {
					DurableSandbox sandbox = submitted(runs);
					await().until(() -> !approvals.pending("s/r").isEmpty());
					assertThat(sandbox.stat("a.txt")).isEmpty();
					approvals.approve(approvals.pending("s/r").get(0).id(), "s/r");
					assertThat(settled(sandbox).answer()).isEqualTo("Done.");
					assertThat(sandbox.stat("a.txt")).isPresent();
				}
			});
	}

	@Test
	void aStopDoesNotWaitForAnApproval() {
		fake().withPropertyValues("sandbox.tools.approvals.enabled=true").run((context) -> {
			ToolApprovals approvals = context.getBean(ToolApprovals.class);
			try (SandboxRuns runs = runs(context, writes("sha256"))) {
				DurableSandbox sandbox = submitted(runs);
				await().until(() -> !approvals.pending("s").isEmpty());
				assertThat(sandbox.stopRun("r")).isTrue();
				assertThat(settled(sandbox).reason()).isEqualTo(UnansweredReason.ABORTED);
				assertThat(approvals.pending("s")).isEmpty();
				assertThat(sandbox.stat("a.txt")).isEmpty();
			}
		});
	}

	@Test
	void withoutAChatClientThereIsNoBuilderAndToolsAreThere() {
		fake().withClassLoader(new FilteredClassLoader("org.springframework.ai.chat.client")).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(SandboxToolCallbackProvider.class);
			assertThat(context.containsBean("sandboxChatClientAgentBuilder")).isFalse();
		});
	}

	@Test
	@Tag("isolation")
	void commandsRunInARealSandboxAndEndWithTheRun() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall
				.of("run_command", Map.of("executable", "sh", "args", List.of("-c", "echo $((6 * 7)); pwd")))
				.expecting("42\\n/workspace\\n"))
			.turn(ReplayCall.of("run_command",
					Map.of("executable", "sh", "args", List.of("-c", "touch started; sleep 500 & sleep 500"))))
			.turn("Done.")
			.build();
		this.contextRunner.withPropertyValues("sandbox.state-directory=" + this.directory.resolve("state"),
				"sandbox.runtime-directory=" + this.directory.resolve("run"), "sandbox.tools.executables.sh=/bin/sh")
			.run((context) -> {
				try (SandboxRuns runs = runs(context, model)) {
					DurableSandbox sandbox = submitted(runs);
					await().atMost(Duration.ofSeconds(30)).until(() -> sandbox.stat("started").isPresent());
					assertThat(sandbox.stopRun("r")).isTrue();
					assertThat(sandbox.<Integer>use((session) -> session.admission().active())).isZero();
					assertThat(settled(sandbox).reason()).isEqualTo(UnansweredReason.ABORTED);
				}
				context.getBean(SandboxBackend.class)
					.sessions()
					.forEach((session) -> context.getBean(SandboxBackend.class).delete(session.id()));
			});
		assertThat(sessions()).isEmpty();
	}

	private List<Path> sessions() {
		try (Stream<Path> files = Files.walk(this.directory.resolve("state"), 3)) {
			return files.filter((file) -> file.getParent().endsWith("sessions")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
