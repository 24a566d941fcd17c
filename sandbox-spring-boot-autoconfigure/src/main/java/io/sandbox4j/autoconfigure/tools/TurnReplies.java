package io.sandbox4j.autoconfigure.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.sandbox4j.run.AgentFailedException;
import io.sandbox4j.run.Turn;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolCallLimitExceededException;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.core.Ordered;

/**
 * What the model says in one turn. It stands next to the model, inside of the loop that
 * calls tools, and so sees where one reply ends and the next begins. The last is the
 * answer; the others are messages.
 */
final class TurnReplies implements StreamAdvisor {

	private static final int MAX_ANSWER = 1 << 20;

	private final Turn turn;

	private int count;

	private Reply last = new Reply();

	TurnReplies(Turn turn) {
		this.turn = turn;
	}

	@Override
	public String getName() {
		return "sandbox-turn-replies";
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE - 1;
	}

	// Messages are stored, which must not hold up whoever reads from the network.
	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return Flux.defer(() -> {
			Reply reply = begin();
			return chain.nextStream(request)
				.publishOn(Schedulers.boundedElastic())
				.doOnNext((response) -> reply.take(response.chatResponse()))
				.doOnComplete(() -> end(reply));
		});
	}

	private synchronized Reply begin() {
		this.count++;
		this.last = new Reply();
		return this.last;
	}

	private synchronized void end(Reply reply) {
		if (!reply.calls.isEmpty()) {
			this.turn.message("reply-" + this.count, reply.toString());
		}
	}

	/**
	 * Takes what comes out of the loop: the model's words once more, and what the loop
	 * itself has to say.
	 * @param response a part of the answer
	 */
	synchronized void deliver(ChatResponse response) {
		for (Generation generation : response.getResults()) {
			String reason = generation.getMetadata().getFinishReason();
			if (ToolCallLimitExceededException.FINISH_REASON.equals(reason)) {
				throw new AgentFailedException("The model called tools more often than it may.");
			}
			if (ToolExecutionResult.FINISH_REASON.equals(reason)) {
				this.last = new Reply();
				this.last.take(new ChatResponse(List.of(generation)));
			}
		}
	}

	/**
	 * Returns the answer.
	 * @return the text of the last reply
	 * @throws AgentFailedException if it is not whole
	 */
	synchronized String answer() {
		switch (this.last.reason) {
			case "" -> throw new AgentFailedException("The model's answer broke off.");
			case "length", "max_tokens" ->
				throw new AgentFailedException("The model's answer is longer than it may be, and broke off.");
			case "content_filter", "safety", "refusal" ->
				throw new AgentFailedException("The model refused to answer.");
			default -> {
			}
		}
		if (this.last.text.toString().isBlank()) {
			throw new AgentFailedException("The model ended without an answer.");
		}
		return this.last.text.toString();
	}

	/**
	 * One reply of the model.
	 */
	private static final class Reply {

		private final StringBuilder text = new StringBuilder();

		private final List<ToolCall> calls = new ArrayList<>();

		private String reason = "";

		synchronized void take(@Nullable ChatResponse response) {
			Generation generation = (response != null) ? response.getResult() : null;
			if (generation == null) {
				return;
			}
			String part = generation.getOutput().getText();
			if (part != null) {
				this.text.append(part);
			}
			if (this.text.length() > MAX_ANSWER) {
				throw new AgentFailedException("The model said more than " + MAX_ANSWER + " characters.");
			}
			this.calls.addAll(generation.getOutput().getToolCalls());
			String end = generation.getMetadata().getFinishReason();
			if (end != null && !end.isEmpty()) {
				this.reason = end.toLowerCase(Locale.ROOT);
			}
		}

		/**
		 * Returns the reply as the message of a turn.
		 */
		@Override
		public String toString() {
			ObjectNode message = JsonNodeFactory.instance.objectNode();
			message.put("type", "assistant").put("text", this.text.toString());
			ArrayNode asked = message.putArray("calls");
			this.calls.forEach((call) -> asked.addObject()
				.put("id", call.id())
				.put("name", call.name())
				.put("arguments", call.arguments()));
			return message.toString();
		}

	}

}
