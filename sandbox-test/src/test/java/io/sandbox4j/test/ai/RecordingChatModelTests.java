package io.sandbox4j.test.ai;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What was recorded can be replayed.
 */
class RecordingChatModelTests {

	private static final ChatModel REAL = ReplayChatModel.builder()
		.turn("I look.", ReplayCall.of("read_file", Map.of("path", "$${1.x}")))
		.turn(ReplayCall.of("write_file", Map.of("path", "b.txt", "was", "${1.sha256}")),
				ReplayCall.of("read_file", Map.of("path", "b.txt")))
		.turn("Done.")
		.build();

	@Test
	void aRecordedConversationIsReplayed() throws IOException {
		RecordingChatModel recorder = new RecordingChatModel(REAL);
		assertThat(run(recorder, new Tools())).isEqualTo("Done.");
		Tools tools = new Tools();
		assertThat(
				run(ReplayChatModel.read(new ByteArrayInputStream(written(recorder).getBytes(StandardCharsets.UTF_8))),
						tools))
			.isEqualTo("Done.");
		assertThat(tools.reads).containsExactly(Map.of("path", "${1.x}"), Map.of("path", "b.txt"));
		assertThat(tools.writes).containsExactly(Map.of("path", "b.txt", "was", "abc1"));
	}

	@Test
	void aStreamIsRecordedTheSame() throws IOException {
		RecordingChatModel called = new RecordingChatModel(REAL);
		run(called, new Tools());
		RecordingChatModel streamed = new RecordingChatModel(REAL);
		ChatClient.create(streamed).prompt("Go").tools(new Tools().all()).stream().content().blockLast();
		assertThat(Json.MAPPER.readTree(written(streamed))).isEqualTo(Json.MAPPER.readTree(written(called)));
	}

	@Test
	void theCallsMayBeAGenerationOfTheirOwn() throws IOException {
		RecordingChatModel recorder = new RecordingChatModel(
				(Answering) () -> response(new AssistantMessage("I look."), asking("{\"a\": 1}")));
		recorder.call(new Prompt("Go"));
		assertThat(written(recorder)).isEqualToIgnoringWhitespace("""
				[ { "text": "I look.", "calls": [ { "tool": "look", "arguments": { "a": 1 } } ] } ]""");
	}

	@Test
	void noArgumentsAreAnEmptyObject() throws IOException {
		RecordingChatModel recorder = new RecordingChatModel((Answering) () -> response(asking("")));
		recorder.call(new Prompt("Go"));
		assertThat(written(recorder)).isEqualToIgnoringWhitespace("""
				[ { "calls": [ { "tool": "look", "arguments": { } } ] } ]""");
	}

	@Test
	void anEmptyAnswerEndsTheScript() throws IOException {
		RecordingChatModel recorder = new RecordingChatModel((Answering) () -> new ChatResponse(List.of()));
		recorder.call(new Prompt("Go"));
		assertThat(written(recorder)).isEqualToIgnoringWhitespace("[ { \"text\": \"\" } ]");
	}

	@Test
	void argumentsThatAreNoObjectCannotBeRecorded() {
		for (String arguments : List.of("[]", "null", "{", "1")) {
			RecordingChatModel recorder = new RecordingChatModel((Answering) () -> response(asking(arguments)));
			assertThatIllegalStateException().isThrownBy(() -> recorder.call(new Prompt("Go")))
				.withMessage("The call of 'look' cannot be recorded");
		}
	}

	@Test
	void anotherConversationIsRefusedBeforeTheModelIsAsked() {
		RecordingChatModel done = new RecordingChatModel(REAL);
		run(done, new Tools());
		assertThatIllegalStateException().isThrownBy(() -> done.call(new Prompt("Go")));
		assertThatIllegalStateException().isThrownBy(() -> done.stream(new Prompt("Go")).blockLast());
		RecordingChatModel begun = new RecordingChatModel((Answering) () -> response(asking("{}")));
		begun.call(new Prompt("Go"));
		assertThatIllegalStateException().isThrownBy(() -> begun.call(new Prompt("Go")))
			.withMessageContaining("has 0 turns of tool calls and 1 were recorded");
	}

	@Test
	void aCallThatFailsCanBeRepeated() throws IOException {
		int[] calls = new int[1];
		RecordingChatModel recorder = new RecordingChatModel((Answering) () -> {
			if (calls[0]++ == 0) {
				throw new IllegalArgumentException("busy");
			}
			return response(new AssistantMessage("Done."));
		});
		try {
			recorder.call(new Prompt("Go"));
		}
		catch (IllegalArgumentException ex) {
			recorder.call(new Prompt("Go"));
		}
		assertThat(written(recorder)).isEqualToIgnoringWhitespace("[ { \"text\": \"Done.\" } ]");
	}

	@Test
	void nothingIsNoScript() {
		RecordingChatModel recorder = new RecordingChatModel(REAL);
		assertThatIllegalStateException().isThrownBy(() -> written(recorder));
	}

	@Test
	void theOptionsAreThoseOfTheModel() {
		assertThat(new RecordingChatModel(REAL).getOptions()).isEqualTo(REAL.getOptions());
	}

	private static String run(ChatModel model, Tools tools) {
		return ChatClient.create(model).prompt("Go").tools(tools.all()).call().content();
	}

	private static String written(RecordingChatModel recorder) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		recorder.write(out);
		return out.toString(StandardCharsets.UTF_8);
	}

	private static ChatResponse response(AssistantMessage... messages) {
		return new ChatResponse(List.of(messages).stream().map(Generation::new).toList());
	}

	private static AssistantMessage asking(String arguments) {
		return AssistantMessage.builder().toolCalls(List.of(new ToolCall("x", "function", "look", arguments))).build();
	}

	/**
	 * A model that says the same to everything.
	 */
	@FunctionalInterface
	private interface Answering extends ChatModel {

		ChatResponse answer();

		@Override
		default ChatResponse call(Prompt prompt) {
			return answer();
		}

		@Override
		default Flux<ChatResponse> stream(Prompt prompt) {
			return Flux.just(answer());
		}

	}

}
