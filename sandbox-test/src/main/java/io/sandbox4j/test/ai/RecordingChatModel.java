package io.sandbox4j.test.ai;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;

/**
 * Records what another model answers to one message of the user, as a script for
 * {@link ReplayChatModel}. Only texts and tool calls are recorded. What the tools
 * answered is not: add to the script what is to be expected of them, and put references
 * where the model repeated something that will differ the next time.
 * <p>
 * The script holds the arguments of all calls: look for secrets before it is shared.
 * <p>
 * Thread-safe, though what it records is one conversation.
 *
 * @since 0.1.0
 */
public final class RecordingChatModel implements ChatModel {

	private final ChatModel model;

	private final List<ReplayTurn> turns = new ArrayList<>();

	/**
	 * Creates a recorder.
	 * @param model the model that answers
	 */
	public RecordingChatModel(ChatModel model) {
		this.model = Objects.requireNonNull(model, "'model' must not be null");
	}

	/**
	 * Asks the model and records its answer.
	 * @param prompt the conversation since the user's message at least
	 * @return what the model answered
	 * @throws IllegalStateException if the prompt does not go on with what was recorded
	 * so far, or if the model asks for a tool with something else than a JSON object
	 */
	@Override
	public ChatResponse call(Prompt prompt) {
		checkNext(prompt);
		ChatResponse response = this.model.call(prompt);
		record(prompt, response);
		return response;
	}

	/**
	 * Asks the model and records its answer once it is complete.
	 * @param prompt the conversation, as for {@link #call(Prompt)}
	 * @return what the model answers
	 */
	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> {
			checkNext(prompt);
			return new MessageAggregator().aggregate(this.model.stream(prompt), (response) -> record(prompt, response));
		});
	}

	@Override
	public ChatOptions getOptions() {
		return this.model.getOptions();
	}

	/**
	 * Writes what was recorded so far, as {@link ReplayChatModel#read} takes it.
	 * @param out where to; it is not closed
	 * @throws IOException if it cannot be written
	 * @throws IllegalStateException if nothing was recorded
	 */
	public void write(OutputStream out) throws IOException {
		Objects.requireNonNull(out, "'out' must not be null");
		script().write(out);
	}

	private synchronized ReplayScript script() {
		if (this.turns.isEmpty()) {
			throw new IllegalStateException("Nothing was recorded");
		}
		return new ReplayScript(this.turns);
	}

	// Before the model is asked, as its answers may cost money.
	private synchronized void checkNext(Prompt prompt) {
		if (!this.turns.isEmpty() && this.turns.get(this.turns.size() - 1).last()) {
			throw new IllegalStateException("The message of the user is answered: make a new recorder for the next");
		}
		int asked = Transcript.of(prompt.getInstructions()).exchanges().size();
		if (asked != this.turns.size()) {
			throw new IllegalStateException("The conversation has " + asked + " turns of tool calls and "
					+ this.turns.size() + " were recorded: make a recorder for each conversation");
		}
	}

	private synchronized void record(Prompt prompt, ChatResponse response) {
		checkNext(prompt);
		List<ReplayCall> calls = calls(response).stream().map(RecordingChatModel::recorded).toList();
		Generation first = response.getResult();
		String text = (first != null) ? first.getOutput().getText() : null;
		boolean silent = text == null || text.isEmpty();
		this.turns
			.add(new ReplayTurn((silent && !calls.isEmpty()) ? null : Objects.requireNonNullElse(text, ""), calls));
	}

	// Some models give the text and the calls as two generations.
	private static List<ToolCall> calls(ChatResponse response) {
		return response.getResults()
			.stream()
			.map(Generation::getOutput)
			.filter(AssistantMessage::hasToolCalls)
			.findFirst()
			.map(AssistantMessage::getToolCalls)
			.orElse(List.of());
	}

	private static ReplayCall recorded(ToolCall call) {
		String arguments = call.arguments();
		try {
			Map<String, @Nullable Object> object = (arguments == null || arguments.isBlank()) ? Map.of()
					: Json.object(arguments);
			return ReplayCall.of(call.name(), Reference.escape(object));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException("The call of '" + call.name() + "' cannot be recorded", ex);
		}
	}

}
