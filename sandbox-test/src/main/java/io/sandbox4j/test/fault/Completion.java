package io.sandbox4j.test.fault;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answers to a request for a chat completion, as OpenAI words them.
 */
final class Completion {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private static final String BROKEN = "{\"id\":\"chatcmpl-fault\",\"choices\":[{";

	private static final int PIECE = 5;

	private Completion() {
	}

	/**
	 * Returns the events of a stream: what is said, the stop, the usage, the end.
	 * @param answer the answer
	 * @return the events
	 */
	static List<byte[]> stream(FaultStep.Answer answer) {
		return stream(List.of(answer.text()), answer);
	}

	static List<byte[]> stream(List<String> tokens, FaultStep.Answer answer) {
		List<String> events = new ArrayList<>();
		for (String token : tokens) {
			events.add(said(token));
		}
		if (answer.reason() != null) {
			events.addAll(end(answer.reason(), answer.usage()));
		}
		return events.stream().flatMap((event) -> Collections.nCopies(answer.copies(), data(event)).stream()).toList();
	}

	/**
	 * Returns the events of a stream that asks for a tool: its name, its arguments in
	 * pieces, the stop, the usage, the end.
	 * @param call the call
	 * @return the events
	 */
	static List<byte[]> stream(FaultStep.ToolCall call) {
		List<String> events = new ArrayList<>();
		ObjectNode first = head("chat.completion.chunk");
		ObjectNode delta = delta(first).put("role", "assistant").putNull("content");
		function(delta.putArray("tool_calls").addObject().put("index", 0), call.tool(), "");
		events.add(first.toString());
		for (String piece : pieces(call.arguments())) {
			ObjectNode next = head("chat.completion.chunk");
			delta(next).putArray("tool_calls")
				.addObject()
				.put("index", 0)
				.putObject("function")
				.put("arguments", piece);
			events.add(next.toString());
		}
		events.addAll(end("tool_calls", true));
		return events.stream().map(Completion::data).toList();
	}

	static List<byte[]> brokenStream() {
		return List.of(data(BROKEN), data("[DONE]"));
	}

	static byte[] document(FaultStep.Answer answer) {
		ObjectNode document = head("chat.completion");
		ObjectNode choice = document.putArray("choices").addObject().put("index", 0);
		choice.putObject("message").put("role", "assistant").put("content", answer.text());
		choice.put("finish_reason", answer.reason());
		if (answer.usage()) {
			addUsage(document);
		}
		return bytes(document.toString());
	}

	static byte[] document(FaultStep.ToolCall call) {
		ObjectNode document = head("chat.completion");
		ObjectNode choice = document.putArray("choices").addObject().put("index", 0);
		ObjectNode message = choice.putObject("message").put("role", "assistant").putNull("content");
		function(message.putArray("tool_calls").addObject(), call.tool(), call.arguments());
		choice.put("finish_reason", "tool_calls");
		addUsage(document);
		return bytes(document.toString());
	}

	/**
	 * Returns a document up to the middle of its text.
	 * @return the beginning of {@link #document(FaultStep.Answer)}
	 */
	static byte[] beginning() {
		return bytes("{\"id\":\"chatcmpl-fault\",\"object\":\"chat.completion\",\"created\":0,\"model\":\"fault\","
				+ "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"");
	}

	static byte[] text(String token) {
		String quoted = MAPPER.writeValueAsString(token);
		return bytes(quoted.substring(1, quoted.length() - 1));
	}

	static byte[] event(String token) {
		return data(said(token));
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

	// Code points, as half a character cannot be sent.
	private static List<String> pieces(String text) {
		List<String> pieces = new ArrayList<>();
		int[] points = text.codePoints().toArray();
		for (int i = 0; i < points.length; i += PIECE) {
			pieces.add(new String(points, i, Math.min(PIECE, points.length - i)));
		}
		return pieces;
	}

	private static String said(String token) {
		ObjectNode chunk = head("chat.completion.chunk");
		delta(chunk).put("role", "assistant").put("content", token);
		((ObjectNode) chunk.path("choices").path(0)).putNull("finish_reason");
		return chunk.toString();
	}

	private static List<String> end(String reason, boolean usage) {
		List<String> events = new ArrayList<>();
		ObjectNode stop = head("chat.completion.chunk");
		delta(stop);
		((ObjectNode) stop.path("choices").path(0)).put("finish_reason", reason);
		events.add(stop.toString());
		if (usage) {
			ObjectNode last = head("chat.completion.chunk");
			last.putArray("choices");
			addUsage(last);
			events.add(last.toString());
		}
		events.add("[DONE]");
		return events;
	}

	private static ObjectNode delta(ObjectNode chunk) {
		return chunk.putArray("choices").addObject().put("index", 0).putObject("delta");
	}

	private static void function(ObjectNode call, String tool, String arguments) {
		call.put("id", "call-fault").put("type", "function");
		call.putObject("function").put("name", tool).put("arguments", arguments);
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

	private static byte[] data(String data) {
		return bytes("data: " + data + "\n\n");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
