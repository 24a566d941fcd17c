package io.sandbox4j.test.ai;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The script asks, {@link ChatClient} runs the tools.
 */
class ReplayChatModelTests {

	private static final ReplayCall READ = ReplayCall.of("read_file", Map.of("path", "a.txt"));

	private final Tools tools = new Tools();

	@Test
	void aTextAloneIsTheAnswer() {
		assertThat(run(ReplayChatModel.builder().turn("Done.").build())).isEqualTo("Done.");
	}

	@Test
	void theToolsOfTheScriptAreCalledInTurn() {
		assertThat(run(readThenWrite())).isEqualTo("Done.");
		assertThat(this.tools.reads).containsExactly(Map.of("path", "a.txt"));
		assertThat(this.tools.writes).containsExactly(Map.of("path", "b.txt", "was", "abc1", "size", 42));
	}

	@Test
	void aStreamGoesTheSameWay() {
		List<String> parts = ChatClient.create(readThenWrite())
			.prompt("Fix it")
			.tools(this.tools.all())
			.stream()
			.content()
			.collectList()
			.block();
		assertThat(String.join("", parts)).isEqualTo("I write.Done.");
		assertThat(this.tools.writes).hasSize(1);
	}

	@Test
	void callsOfOneTurnAreAskedForAtOnce() {
		ChatModel model = ReplayChatModel.builder()
			.turn(READ, READ)
			.turn(ReplayCall.of("write_file", Map.of("path", "${2.sha256}-${1.sha256}")))
			.turn("Done.")
			.build();
		assertThat(run(model)).isEqualTo("Done.");
		assertThat(this.tools.writes).containsExactly(Map.of("path", "abc2-abc1"));
	}

	@Test
	void everyMessageOfTheUserStartsTheScriptAnew() {
		ChatModel model = readThenWrite();
		ChatClient client = ChatClient.create(model);
		for (int i = 0; i < 2; i++) {
			String answer = client.prompt()
				.messages(new UserMessage("Fix it"), new AssistantMessage("Done."), new UserMessage("Again"))
				.tools(this.tools.all())
				.call()
				.content();
			assertThat(answer).isEqualTo("Done.");
		}
		assertThat(this.tools.writes).extracting((arguments) -> arguments.get("was")).containsExactly("abc1", "abc2");
	}

	@Test
	void aLoopOfOnesOwnNeedsNoChatClient() {
		ChatModel model = readThenWrite();
		ToolCallingManager manager = ToolCallingManager.builder().build();
		ToolCallingChatOptions options = ToolCallingChatOptions.builder()
			.toolCallbacks(this.tools.read, this.tools.write)
			.build();
		Prompt prompt = new Prompt("Fix it", options);
		ChatResponse response = model.call(prompt);
		assertThat(response.getResult().getMetadata().getFinishReason()).isEqualTo("TOOL_CALLS");
		while (response.hasToolCalls()) {
			prompt = new Prompt(manager.executeToolCalls(prompt, response).conversationHistory(), options);
			response = model.call(prompt);
		}
		assertThat(response.getResult().getOutput().getText()).isEqualTo("Done.");
		assertThat(response.getResult().getMetadata().getFinishReason()).isEqualTo("STOP");
	}

	@Test
	void aTextStandsBesideCalls() {
		ChatModel model = ReplayChatModel.builder().turn("I look.", READ).build();
		AssistantMessage message = model.call(offering(this.tools)).getResult().getOutput();
		assertThat(message.getText()).isEqualTo("I look.");
		assertThat(message.getToolCalls())
			.containsExactly(new AssistantMessage.ToolCall("call-1", "function", "read_file", "{\"path\":\"a.txt\"}"));
	}

	@Test
	void manyConversationsAtOnceDoNotDisturbEachOther() throws Exception {
		ChatModel model = readThenWrite();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<String>> runs = IntStream.range(0, 100).<Callable<String>>mapToObj((i) -> () -> {
				Tools own = new Tools();
				String answer = ChatClient.create(model).prompt("Fix it").tools(own.all()).call().content();
				return answer + own.writes.get(0).get("was");
			}).toList();
			for (Future<String> run : threads.invokeAll(runs)) {
				assertThat(run.get()).isEqualTo("Done.abc1");
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void anAnswerThatHoldsWhatIsExpectedIsTaken() {
		ChatModel model = ReplayChatModel.builder().turn(READ.expecting("\"size\":42")).turn("Done.").build();
		assertThat(run(model)).isEqualTo("Done.");
	}

	@Test
	void anAnswerWithoutWhatIsExpectedFails() {
		ChatModel model = ReplayChatModel.builder().turn(READ).turn(READ.expecting("abc1")).turn("Done.").build();
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> run(model))
			.withMessageStartingWith(
					"Turn 2, tool 'read_file': expected an answer that contains 'abc1', but the answer")
			.withMessageContaining("abc2");
	}

	@Test
	void aLongAnswerIsCutInTheMessage() {
		ChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall.of("long", Map.of()).expecting("b"))
			.turn("Done.")
			.build();
		ChatClient client = ChatClient.create(model);
		assertThatExceptionOfType(ReplayMismatchException.class)
			.isThrownBy(() -> client.prompt("Go")
				.tools(Tools.tool("long", (arguments) -> List.of("a".repeat(10_000))))
				.call()
				.content())
			.withMessageEndingWith("but the answer was: [\"" + "a".repeat(498) + "...");
	}

	@Test
	void aToolThatFailsIsAnAnswer() {
		ChatModel model = ReplayChatModel.builder()
			.turn(ReplayCall.of("broken", Map.of()).expecting("no luck"))
			.turn("Done.")
			.build();
		String answer = ChatClient.create(model).prompt("Go").tools(Tools.tool("broken", (arguments) -> {
			throw new IllegalStateException("no luck");
		})).call().content();
		assertThat(answer).isEqualTo("Done.");
	}

	@Test
	void aFieldThatTheAnswerLacksFails() {
		ChatModel model = ReplayChatModel.builder()
			.turn(READ)
			.turn(ReplayCall.of("write_file", Map.of("path", "${1.digest}")))
			.build();
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> run(model))
			.withMessageStartingWith("Turn 1, tool 'read_file': expected an answer of JSON that has 'digest', but");
		assertThat(this.tools.writes).isEmpty();
	}

	@Test
	void aToolThatIsNotOfferedFails() {
		ChatModel model = ReplayChatModel.builder().turn(ReplayCall.of("reed_file", Map.of())).build();
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> run(model))
			.withMessage("Turn 1, tool 'reed_file': expected that the agent offers this tool, "
					+ "but it offers [read_file, write_file]");
	}

	@Test
	void withoutToolsNoneIsOffered() {
		ChatModel model = ReplayChatModel.builder().turn(READ).build();
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> model.call("Go"))
			.withMessageEndingWith("it offers []");
	}

	@Test
	void anAgentThatAsksOnAfterTheLastCallsFails() {
		ChatModel model = ReplayChatModel.builder().turn(READ).build();
		assertThatExceptionOfType(ReplayMismatchException.class).isThrownBy(() -> run(model))
			.withMessageStartingWith("Turn 2: expected that the agent is done");
	}

	@Test
	void aScriptThatCannotBePlayedIsRefused() {
		ReplayChatModel.Builder empty = ReplayChatModel.builder();
		assertThatIllegalArgumentException().isThrownBy(empty::build);
		assertThatIllegalArgumentException().isThrownBy(empty::turn);
	}

	private static Prompt offering(Tools tools) {
		return new Prompt("Go", ToolCallingChatOptions.builder().toolCallbacks(tools.read, tools.write).build());
	}

	private static ChatModel readThenWrite() {
		return ReplayChatModel.builder()
			.turn(READ)
			.turn("I write.",
					ReplayCall.of("write_file", Map.of("path", "b.txt", "was", "${1.sha256}", "size", "${1.size}"))
						.expecting("written \"b.txt\""))
			.turn("Done.")
			.build();
	}

	private String run(ChatModel model) {
		return ChatClient.create(model).prompt("Fix it").tools(this.tools.all()).call().content();
	}

}
