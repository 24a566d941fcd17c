package io.sandbox4j.test.ai;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * A chat model that follows a script: it asks for the tool calls of one turn after the
 * other and ends with a text. Use it to test or to show an agent whose tools are real,
 * without a network.
 *
 * <pre class="code">
 * ChatModel model = ReplayChatModel.builder()
 *     .turn(ReplayCall.of("read_file", Map.of("path", "a.txt")).expecting("sha256"))
 *     .turn("I write.", ReplayCall.of("write_file",
 *             Map.of("path", "a.txt", "content", "b", "was", "${1.sha256}")))
 *     .turn("Done.")
 *     .build();
 * String answer = ChatClient.create(model).prompt("Fix it").tools(tools).call().content();
 * </pre>
 *
 * A script answers one message of the user. Which turn comes next is read from the
 * messages of the prompt, by the turns with tool calls after the user's last message: the
 * whole script is played again for each such message, and the prompt must hold the
 * conversation since then.
 * <p>
 * Like every model of Spring AI it runs no tools: {@code ChatClient} does, or whoever
 * calls the model. Each call checks that the tools which the next turn asks for are
 * offered, that the calls so far were those of the script, that each of them was answered
 * once, and that the answers hold what the script expects of them. What answers the last
 * turn of a script that ends with tool calls is therefore only checked if the agent asks
 * on, and then the script is at its end.
 * <p>
 * Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class ReplayChatModel implements ChatModel {

	private static final String NAME = "replay";

	private final ReplayScript script;

	private ReplayChatModel(ReplayScript script) {
		this.script = script;
	}

	/**
	 * Starts a script.
	 * @return a builder without turns
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Reads a script: a JSON array of turns, such as a {@link RecordingChatModel} writes.
	 * A turn is an object with a {@code text}, or with {@code calls} and perhaps a
	 * {@code text}; a call is an object with {@code tool}, {@code arguments} and perhaps
	 * {@code expect}, as in {@link ReplayCall}.
	 * @param json the script in UTF-8; it is read to its end and not closed
	 * @return the model
	 * @throws IOException if the stream cannot be read
	 * @throws IllegalArgumentException if it is no script
	 */
	public static ReplayChatModel read(InputStream json) throws IOException {
		return new ReplayChatModel(ReplayScript.read(Objects.requireNonNull(json, "'json' must not be null")));
	}

	/**
	 * Answers with the next turn.
	 * @param prompt the conversation since the user's last message at least, with the
	 * tools in its options
	 * @return the next turn of the script
	 * @throws ReplayMismatchException if something went another way than in the script
	 */
	@Override
	public ChatResponse call(Prompt prompt) {
		AssistantMessage message = next(prompt);
		return response(message.getText(), message.getToolCalls());
	}

	/**
	 * Answers with the next turn, the text first and then the calls, as models that
	 * stream do.
	 * @param prompt the conversation, as for {@link #call(Prompt)}
	 * @return the next turn of the script, or a {@link ReplayMismatchException}
	 */
	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> {
			AssistantMessage message = next(prompt);
			String text = message.getText();
			if (!message.hasToolCalls() || text == null || text.isEmpty()) {
				return Flux.just(response(text, message.getToolCalls()));
			}
			ChatResponse beside = new ChatResponse(List.of(new Generation(new AssistantMessage(text))), metadata());
			return Flux.just(beside, response("", message.getToolCalls()));
		});
	}

	private AssistantMessage next(Prompt prompt) {
		Objects.requireNonNull(prompt, "'prompt' must not be null");
		ReplayProgress progress = ReplayProgress.of(this.script, prompt);
		int position = progress.position();
		if (position == this.script.turns().size()) {
			throw new ReplayMismatchException(position + 1, "that the agent is done, as the script has ended",
					"it asks for another turn");
		}
		ReplayTurn turn = this.script.turns().get(position);
		checkOffered(position + 1, turn, prompt.getOptions());
		List<ToolCall> calls = new ArrayList<>();
		for (ReplayCall call : turn.calls()) {
			String id = ReplayScript.id(this.script.firstCall(position) + calls.size());
			calls.add(new ToolCall(id, "function", call.tool(), progress.arguments(call)));
		}
		return message(turn.text(), List.copyOf(calls));
	}

	private static ChatResponse response(@Nullable String text, List<ToolCall> calls) {
		ChatGenerationMetadata end = ChatGenerationMetadata.builder()
			.finishReason(calls.isEmpty() ? "STOP" : "TOOL_CALLS")
			.build();
		return new ChatResponse(List.of(new Generation(message(text, calls), end)), metadata());
	}

	private static AssistantMessage message(@Nullable String text, List<ToolCall> calls) {
		return AssistantMessage.builder().content(Objects.requireNonNullElse(text, "")).toolCalls(calls).build();
	}

	private static ChatResponseMetadata metadata() {
		return ChatResponseMetadata.builder().model(NAME).build();
	}

	private static void checkOffered(int turn, ReplayTurn next, @Nullable ChatOptions options) {
		List<String> offered = offered(options);
		for (ReplayCall call : next.calls()) {
			if (!offered.contains(call.tool())) {
				throw new ReplayMismatchException(turn, call.tool(), "that the agent offers this tool",
						"it offers " + offered);
			}
		}
	}

	private static List<String> offered(@Nullable ChatOptions options) {
		if (!(options instanceof ToolCallingChatOptions calling) || calling.getToolCallbacks() == null) {
			return List.of();
		}
		return calling.getToolCallbacks().stream().map((tool) -> tool.getToolDefinition().name()).sorted().toList();
	}

	/**
	 * Returns options that tools can be added to: without them {@code ChatClient} would
	 * neither offer nor run any.
	 * @return the options
	 */
	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().model(NAME).build();
	}

	/**
	 * Builds a {@link ReplayChatModel}. Not thread-safe.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final List<ReplayTurn> turns = new ArrayList<>();

		private Builder() {
		}

		/**
		 * Adds a turn of tool calls.
		 * @param calls the calls, asked for at once
		 * @return this builder
		 * @throws IllegalArgumentException if there are none
		 */
		public Builder turn(ReplayCall... calls) {
			this.turns.add(new ReplayTurn(null, List.of(calls)));
			return this;
		}

		/**
		 * Adds a turn with a text. Without calls it is the last.
		 * @param text the text
		 * @param calls the calls beside it, asked for at once
		 * @return this builder
		 */
		public Builder turn(String text, ReplayCall... calls) {
			Objects.requireNonNull(text, "'text' must not be null");
			this.turns.add(new ReplayTurn(text, List.of(calls)));
			return this;
		}

		/**
		 * Builds the model.
		 * @return the model
		 * @throws IllegalArgumentException if there are no turns, if turns follow the one
		 * without calls, or if an argument refers to a call of the same or a later turn
		 */
		public ReplayChatModel build() {
			return new ReplayChatModel(new ReplayScript(this.turns));
		}

	}

}
