package io.sandbox4j.test.fault;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answers to a request for a chat completion, as OpenAI words them.
 */
final class Completion {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private static final String BROKEN = "{\"id\":\"chatcmpl-fault\",\"choices\":[{";

	private Completion() {
	}

	/**
	 * Returns the events of a stream: what was said, the stop, the usage, the end.
	 * @param tokens the parts of the answer
	 * @param usage whether to say what it cost
	 * @return the events
	 */
	static List<byte[]> stream(List<String> tokens, boolean usage) {
		List<byte[]> events = new ArrayList<>();
		for (String token : tokens) {
			events.add(event(chunk(token, null).toString()));
		}
		events.add(event(chunk(null, "stop").toString()));
		if (usage) {
			ObjectNode last = head("chat.completion.chunk");
			last.putArray("choices");
			addUsage(last);
			events.add(event(last.toString()));
		}
		events.add(event("[DONE]"));
		return events;
	}

	static List<byte[]> brokenStream() {
		return List.of(event(BROKEN), event("[DONE]"));
	}

	static byte[] document(String text, boolean usage) {
		ObjectNode document = head("chat.completion");
		ObjectNode choice = document.putArray("choices").addObject().put("index", 0);
		choice.putObject("message").put("role", "assistant").put("content", text);
		choice.put("finish_reason", "stop");
		if (usage) {
			addUsage(document);
		}
		return bytes(document.toString());
	}

	static byte[] brokenDocument() {
		return bytes(BROKEN);
	}

	static byte[] error(String message) {
		ObjectNode document = MAPPER.createObjectNode();
		document.putObject("error")
			.put("message", message)
			.put("type", "fault_injected")
			.putNull("param")
			.putNull("code");
		return bytes(document.toString());
	}

	/**
	 * Returns the words of a text, each with the blanks before it.
	 * @param text the text
	 * @return its tokens, which together are the text; at least one
	 */
	static List<String> tokens(String text) {
		return List.of(text.split("(?<=\\S)(?=\\s)"));
	}

	private static ObjectNode chunk(@Nullable String token, @Nullable String end) {
		ObjectNode chunk = head("chat.completion.chunk");
		ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
		ObjectNode delta = choice.putObject("delta");
		if (token != null) {
			delta.put("role", "assistant").put("content", token);
		}
		choice.put("finish_reason", end);
		return chunk;
	}

	private static ObjectNode head(String object) {
		return MAPPER.createObjectNode()
			.put("id", "chatcmpl-fault")
			.put("object", object)
			.put("created", 0)
			.put("model", "fault");
	}

	private static void addUsage(ObjectNode node) {
		node.putObject("usage").put("prompt_tokens", 1).put("completion_tokens", 1).put("total_tokens", 2);
	}

	private static byte[] event(String data) {
		return bytes("data: " + data + "\n\n");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
