package io.sandbox4j.test.ai;

import java.util.ArrayList;
import java.util.List;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;

/**
 * What was said since the user's last message.
 *
 * @param exchanges the tool calls and their answers, in order
 * @param strays answers that no call stands before
 */
record Transcript(List<Exchange> exchanges, List<ToolResponse> strays) {

	static Transcript of(List<Message> messages) {
		List<Exchange> exchanges = new ArrayList<>();
		List<ToolResponse> strays = new ArrayList<>();
		for (Message message : messages) {
			if (message instanceof UserMessage) {
				exchanges.clear();
				strays.clear();
			}
			else if (message instanceof AssistantMessage assistant && assistant.hasToolCalls()) {
				exchanges.add(new Exchange(assistant.getToolCalls(), new ArrayList<>()));
			}
			else if (message instanceof ToolResponseMessage answer) {
				List<ToolResponse> last = exchanges.isEmpty() ? strays : exchanges.get(exchanges.size() - 1).answers();
				last.addAll(answer.getResponses());
			}
		}
		return new Transcript(exchanges, strays);
	}

	/**
	 * Tool calls that were asked for at once.
	 *
	 * @param calls the calls
	 * @param answers their answers
	 */
	record Exchange(List<AssistantMessage.ToolCall> calls, List<ToolResponse> answers) {
	}

}
