package io.sandbox4j.test.ai;

import java.util.ArrayList;
import java.util.List;

import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.prompt.Prompt;

/**
 * How far a conversation has come in a script. It is read from the messages each time, as
 * one model serves many conversations.
 *
 * @param position the turn that comes next, from 0
 * @param answers the answers to all calls so far, in the order of the calls
 */
record ReplayProgress(int position, List<ToolAnswer> answers) {

	/**
	 * Reads and checks what was said so far.
	 * @param script the script
	 * @param prompt the conversation
	 * @return the progress
	 * @throws ReplayMismatchException if it is no beginning of the script
	 */
	static ReplayProgress of(ReplayScript script, Prompt prompt) {
		Transcript transcript = Transcript.of(prompt.getInstructions());
		if (!transcript.strays().isEmpty()) {
			ToolResponse stray = transcript.strays().get(0);
			throw new ReplayMismatchException(1, stray.name(), "the whole conversation since the user's message",
					"the prompt holds an answer and not its call");
		}
		List<Transcript.Exchange> exchanges = transcript.exchanges();
		List<ToolAnswer> answers = new ArrayList<>();
		for (int i = 0; i < exchanges.size(); i++) {
			if (i >= script.turns().size() || script.turns().get(i).last()) {
				throw new ReplayMismatchException(i + 1, "no tool calls, as the script has ended",
						"the conversation holds " + names(exchanges.get(i)));
			}
			checkCalls(script, i, exchanges.get(i));
			answers.addAll(answers(script, i, exchanges.get(i)));
		}
		answers.forEach(ToolAnswer::check);
		return new ReplayProgress(exchanges.size(), List.copyOf(answers));
	}

	private static void checkCalls(ReplayScript script, int position, Transcript.Exchange exchange) {
		List<ReplayCall> calls = script.turns().get(position).calls();
		int first = script.firstCall(position);
		boolean same = calls.size() == exchange.calls().size();
		for (int i = 0; same && i < calls.size(); i++) {
			ToolCall asked = exchange.calls().get(i);
			same = asked.name().equals(calls.get(i).tool()) && asked.id().equals(ReplayScript.id(first + i));
		}
		if (!same) {
			throw new ReplayMismatchException(position + 1,
					"the calls of the script, " + calls.stream().map(ReplayCall::tool).toList(),
					"the conversation holds " + names(exchange) + ", which this model did not ask for");
		}
	}

	private static List<ToolAnswer> answers(ReplayScript script, int position, Transcript.Exchange exchange) {
		List<ReplayCall> calls = script.turns().get(position).calls();
		int first = script.firstCall(position);
		List<ToolResponse> open = new ArrayList<>(exchange.answers());
		List<ToolAnswer> answers = new ArrayList<>();
		for (int i = 0; i < calls.size(); i++) {
			ReplayCall call = calls.get(i);
			String id = ReplayScript.id(first + i);
			ToolResponse answer = open.stream()
				.filter((candidate) -> candidate.id().equals(id) && candidate.name().equals(call.tool()))
				.findFirst()
				.orElseThrow(() -> new ReplayMismatchException(position + 1, call.tool(), "an answer to '" + id + "'",
						"the answers are to " + exchange.answers().stream().map(ToolResponse::id).toList()));
			open.remove(answer);
			answers.add(new ToolAnswer(position + 1, call, answer.responseData()));
		}
		if (!open.isEmpty()) {
			throw new ReplayMismatchException(position + 1, open.get(0).name(), "one answer to each call",
					"there is another to '" + open.get(0).id() + "'");
		}
		return answers;
	}

	/**
	 * Returns what to call a tool with.
	 * @param call the call
	 * @return the arguments, a JSON object
	 * @throws ReplayMismatchException if an answer has no field that they refer to
	 */
	String arguments(ReplayCall call) {
		return Json.MAPPER.writeValueAsString(Reference.fill(call.arguments(),
				(reference) -> this.answers.get(reference.call() - 1).field(reference.path())));
	}

	private static List<String> names(Transcript.Exchange exchange) {
		return exchange.calls().stream().map(ToolCall::name).toList();
	}

}
