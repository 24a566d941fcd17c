package io.sandbox4j.autoconfigure.tools;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.sandbox4j.NetworkPolicy;
import io.sandbox4j.PreparedTemplate;
import io.sandbox4j.SandboxSession;
import io.sandbox4j.SandboxTemplate;
import io.sandbox4j.run.DurableSandbox;
import io.sandbox4j.run.MessageRecord;
import io.sandbox4j.run.OperationRecord;
import io.sandbox4j.run.OperationStatus;
import io.sandbox4j.run.RunSpec;
import io.sandbox4j.run.RunStore;
import io.sandbox4j.run.SandboxRuns;
import io.sandbox4j.run.UnansweredReason;
import io.sandbox4j.test.FakeSandboxBackend;
import io.sandbox4j.test.ai.ReplayCall;
import io.sandbox4j.test.ai.ReplayChatModel;
import io.sandbox4j.tools.CodingTools;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.annotation.Tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ChatClientAgent} with a model that follows a script.
 */
@Timeout(60)
class ChatClientAgentTests {

	private static final Function<SandboxSession, CodingTools> TOOLS = (session) -> CodingTools.builder(session)
		.authorize((request) -> true)
		.requireRestrictions(Set.of())
		.executable("work", "/usr/bin/work")
		.build();

	private final FakeSandboxBackend backend = new FakeSandboxBackend();

	private @Nullable SandboxRuns runs;

	@AfterEach
	void close() {
		if (this.runs != null) {
			this.runs.close();
		}
		assertThat(this.backend.handles()).isEmpty();
		this.backend.close();
	}

	private DurableSandbox sandbox(ChatModel model) {
		return sandbox(model, (builder) -> builder);
	}

	private DurableSandbox sandbox(ChatModel model, UnaryOperator<ChatClientAgent.Builder> customizer) {
		return sandbox(customizer.apply(ChatClientAgent.builder(TOOLS)).build(ChatClient.create(model)));
	}

	private DurableSandbox sandbox(ChatClientAgent agent) {
		PreparedTemplate template = this.backend
			.prewarm(SandboxTemplate.named("agent").file("app/a.txt", "helo").build());
		this.runs = SandboxRuns.builder(this.backend, template, RunStore.inMemory(), agent)
			.network(NetworkPolicy.denyAll())
			.drainTimeout(Duration.ZERO)
			.build();
		DurableSandbox sandbox = this.runs.sandbox("customer-17");
		sandbox.createRun(RunSpec.of("r"));
		return sandbox;
	}

	private static OperationRecord settled(DurableSandbox sandbox, String run, String operation) {
		OperationRecord record = sandbox.poll(run, operation, Duration.ofSeconds(30), 0).operation();
		assertThat(record.isSettled()).as(record.toString()).isTrue();
		return record;
	}

	private static String answer(DurableSandbox sandbox, String run, String operation, String text) {
		sandbox.submit(run, operation, text);
		OperationRecord record = settled(sandbox, run, operation);
		assertThat(record.status()).as(record.answer()).isEqualTo(OperationStatus.DONE);
		return record.answer();
	}

	private static String failure(DurableSandbox sandbox) {
		sandbox.submit("r", "1", "Go");
		OperationRecord record = settled(sandbox, "r", "1");
		assertThat(record.reason()).as(record.answer()).isEqualTo(UnansweredReason.FAILED);
		return record.answer();
	}

	@Test
	void aTurnIsAChatWhoseToolsWorkInTheSandbox() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn("I look first.", ReplayCall.of("read_file", Map.of("path", "app/a.txt")).expecting("helo"))
			.turn(ReplayCall.of("edit_file",
					Map.of("path", "app/a.txt", "oldText", "helo", "newText", "hello", "expectedSha256",
							"${1.sha256}")))
			.turn("Done.")
			.build();
		DurableSandbox sandbox = sandbox(model);
		assertThat(answer(sandbox, "r", "1", "Fix {it}")).isEqualTo("Done.");
		assertThat(sandbox.read("app/a.txt")).map(String::new).hasValue("hello");
		List<MessageRecord> messages = sandbox.poll("r", "1", Duration.ZERO, 0).messages();
		assertThat(messages).extracting(MessageRecord::id).containsExactly("reply-1", "tool-1", "reply-2", "tool-2");
		assertThat(messages.get(0).content()).contains("\"text\":\"I look first.\"", "\"name\":\"read_file\"",
				"app/a.txt");
		assertThat(messages.get(1).content()).contains("\"type\":\"tool\"", "\"name\":\"read_file\"", "helo",
				"\"truncated\":false");
	}

	@Test
	void whatThePromptHoldsIsWhatWasAskedAndNoTemplate() {
		Asked asked = new Asked(says("ok"));
		DurableSandbox sandbox = sandbox(asked);
		answer(sandbox, "r", "1", "Fix {it} and <that>");
		assertThat(asked.texts()).containsExactly("Fix {it} and <that>");
	}

	@Test
	void aModelIsToldWhereTheRunWorks() {
		Asked asked = new Asked(says("ok"));
		DurableSandbox sandbox = sandbox(asked);
		sandbox.createRun(RunSpec.of("below").withCwd("app"));
		answer(sandbox, "below", "1", "Go");
		assertThat(asked.texts()).singleElement().asString().contains("'app'").endsWith("\n\nGo");
	}

	@Test
	void aConversationIsRememberedAndABranchBeginsWithIt() {
		Asked asked = new Asked(says("ok"));
		ChatMemory memory = MessageWindowChatMemory.builder().build();
		DurableSandbox sandbox = sandbox(asked, (builder) -> builder.memory(memory));
		answer(sandbox, "r", "1", "one");
		answer(sandbox, "r", "2", "two");
		assertThat(asked.texts()).containsExactly("one", "ok", "two");
		sandbox.createRun(RunSpec.of("branch").forking("r"));
		answer(sandbox, "branch", "1", "three");
		answer(sandbox, "branch", "2", "four");
		assertThat(asked.texts()).containsExactly("one", "ok", "two", "ok", "three", "ok", "four");
		sandbox.createRun(RunSpec.of("next").continuing("r"));
		answer(sandbox, "next", "1", "five");
		assertThat(asked.texts()).containsExactly("one", "ok", "two", "ok", "five");
		sandbox.createRun(RunSpec.of("other"));
		answer(sandbox, "other", "1", "six");
		assertThat(asked.texts()).containsExactly("six");
	}

	@Test
	void withoutAMemoryEachTurnBeginsAnew() {
		Asked asked = new Asked(says("ok"));
		DurableSandbox sandbox = sandbox(asked);
		answer(sandbox, "r", "1", "one");
		answer(sandbox, "r", "2", "two");
		assertThat(asked.texts()).containsExactly("two");
	}

	@Test
	void aTurnWithoutAnAnswerIsNotRemembered() {
		ChatMemory memory = MessageWindowChatMemory.builder().build();
		Asked asked = new Asked(says(" "));
		DurableSandbox sandbox = sandbox(asked, (builder) -> builder.memory(memory));
		assertThat(failure(sandbox)).isEqualTo("The model ended without an answer.");
		sandbox.submit("r", "2", "Again");
		settled(sandbox, "r", "2");
		assertThat(asked.texts()).containsExactly("Again");
	}

	@Test
	void aScriptThatGoesAnotherWayIsToldByItsNameOnly() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall.of("read_file", Map.of("path", "app/a.txt")).expecting("never there"))
			.turn("Done.")
			.build();
		assertThat(failure(sandbox(model))).isEqualTo(
				"The model failed: ReplayMismatchException. The application's log says more at the level DEBUG.");
	}

	@Test
	void aToolThatIsCalledWithoutEndIsStopped() {
		ReplayChatModel.Builder script = ReplayChatModel.builder();
		for (int i = 0; i < 45; i++) {
			script.turn(ReplayCall.of("read_file", Map.of("path", "app/a.txt")));
		}
		assertThat(failure(sandbox(script.turn("Done.").build())))
			.isEqualTo("The model called tools more often than it may.");
	}

	@Test
	void aToolOfTheApplicationThatAnswersItselfIsTheAnswerAndKnowsTheRun() {
		ReplayChatModel model = ReplayChatModel.builder()
			.turn("Let me see.", ReplayCall.of("whereAmI", Map.of()))
			.turn("never said")
			.build();
		ChatClient client = ChatClient.builder(model).defaultTools(new Compass()).build();
		DurableSandbox sandbox = sandbox(ChatClientAgent.builder(TOOLS).build(client));
		assertThat(answer(sandbox, "r", "1", "Go")).isEqualTo("\"customer-17 r\"");
	}

	@Test
	void aLongAnswerOfAToolIsToldInPart() {
		DurableSandbox sandbox = sandbox(ReplayChatModel.builder()
			.turn(ReplayCall.of("read_file", Map.of("path", "long.txt")).expecting("xxxx"))
			.turn("Done.")
			.build());
		sandbox.use((session) -> {
			session.files().writeText("long.txt", "x".repeat(10_000));
			return true;
		});
		answer(sandbox, "r", "1", "Go");
		MessageRecord told = sandbox.poll("r", "1", Duration.ZERO, 0).messages().get(1);
		assertThat(told.content()).contains("\"truncated\":true").hasSizeLessThan(6000);
	}

	@Test
	void aStopEndsTheCommandOfATool() {
		CountDownLatch ended = new CountDownLatch(1);
		this.backend.on("work", (program) -> {
			program.writeText("started", "");
			try {
				Thread.sleep(Long.MAX_VALUE);
			}
			finally {
				ended.countDown();
			}
			return 0;
		});
		DurableSandbox sandbox = sandbox(ReplayChatModel.builder()
			.turn(ReplayCall.of("run_command", Map.of("executable", "work")))
			.turn(ReplayCall.of("write_file", Map.of("path", "late", "content", "")))
			.turn("Done.")
			.build());
		sandbox.submit("r", "1", "Go");
		await().atMost(Duration.ofSeconds(20)).until(() -> sandbox.stat("started").isPresent());
		assertThat(sandbox.stopRun("r")).isTrue();
		assertThat(ended.getCount()).isZero();
		assertThat(sandbox.poll("r", "1", Duration.ZERO, 0).operation().reason()).isEqualTo(UnansweredReason.ABORTED);
		assertThat(sandbox.stat("late")).isEmpty();
	}

	@Test
	void aTurnHasATimeAndWhatItLeavesRunningEnds() {
		this.backend.on("work", (program) -> {
			Thread.sleep(Long.MAX_VALUE);
			return 0;
		});
		DurableSandbox sandbox = sandbox(ReplayChatModel.builder()
			.turn(ReplayCall.of("run_command", Map.of("executable", "work")))
			.turn("Done.")
			.build(), (builder) -> builder.timeout(Duration.ofSeconds(1)));
		assertThat(failure(sandbox)).isEqualTo("The turn was not done within 1 s.");
		assertThat(sandbox.<Integer>use((session) -> session.admission().active())).isZero();
		assertThatIllegalArgumentException().isThrownBy(() -> ChatClientAgent.builder(TOOLS).timeout(Duration.ZERO));
	}

	@Test
	void aSandboxThatIsLostAmidTheTurnIsNoAnswer() {
		this.backend.on("work", (program) -> {
			program.writeText("started", "");
			Thread.sleep(Long.MAX_VALUE);
			return 0;
		});
		DurableSandbox sandbox = sandbox(ReplayChatModel.builder()
			.turn(ReplayCall.of("run_command", Map.of("executable", "work")))
			.turn(ReplayCall.of("read_file", Map.of("path", "app/a.txt")).expecting("SANDBOX_UNAVAILABLE"))
			.turn("I could not read it.")
			.build());
		sandbox.submit("r", "1", "Go");
		await().atMost(Duration.ofSeconds(20)).until(() -> sandbox.stat("started").isPresent());
		this.backend.handles().get(0).stop();
		assertThat(settled(sandbox, "r", "1").reason()).isEqualTo(UnansweredReason.SANDBOX_LOST);
	}

	@Test
	void aModelThatCannotStreamIsSaidSo() {
		ChatModel model = (prompt) -> says("ok").call(prompt);
		assertThat(failure(sandbox(model))).contains("UnsupportedOperationException");
	}

	private static ReplayChatModel says(String text) {
		return ReplayChatModel.builder().turn(text).build();
	}

	// Remembers the last prompt.
	private static final class Asked implements ChatModel {

		private final ChatModel model;

		private volatile List<Message> last = List.of();

		Asked(ChatModel model) {
			this.model = model;
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			return this.model.call(prompt);
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			this.last = prompt.getInstructions();
			return this.model.stream(prompt);
		}

		List<String> texts() {
			return this.last.stream().map(Message::getText).toList();
		}

	}

	static final class Compass {

		@Tool(description = "Where it is", returnDirect = true)
		String whereAmI(ToolContext context) {
			return context.getContext().get(SandboxKeyResolver.CONTEXT_KEY) + " "
					+ context.getContext().get(ChatClientAgent.RUN_CONTEXT_KEY);
		}

	}

}
